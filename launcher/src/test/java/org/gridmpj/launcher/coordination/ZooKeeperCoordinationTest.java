package org.gridmpj.launcher.coordination;

import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class ZooKeeperCoordinationTest extends CoordinationContract {
    private TestingServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Override
    Coordination open() {
        return new ZooKeeperCoordination(server.getConnectString(), "amber-fox");
    }
}
