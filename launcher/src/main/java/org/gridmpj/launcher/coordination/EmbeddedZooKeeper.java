package org.gridmpj.launcher.coordination;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** A ZooKeeper server within the launcher ({@code --zookeeper embedded}), on a free port of loopback. */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final long START_MILLIS = 20_000;

    private final ZooKeeperServerEmbedded server;
    private final int port;

    /** Starts the server with its data in a folder. */
    public EmbeddedZooKeeper(Path folder) {
        try {
            Files.createDirectories(folder);
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            Properties properties = new Properties();
            properties.setProperty("clientPort", Integer.toString(port));
            properties.setProperty("clientPortAddress", "127.0.0.1");
            properties.setProperty("dataDir", folder.resolve("data").toString());
            properties.setProperty("admin.enableServer", "false");
            properties.setProperty("tickTime", "1000");
            server = ZooKeeperServerEmbedded.builder()
                    .baseDir(folder)
                    .configuration(properties)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(START_MILLIS);
        } catch (Exception e) { // ZooKeeper declares Exception
            throw new CoordinationFailure("the embedded ZooKeeper did not start: " + e, e);
        }
    }

    /** Where it answers. */
    public String servers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        server.close();
    }
}
