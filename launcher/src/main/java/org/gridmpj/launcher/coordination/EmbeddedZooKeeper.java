package org.gridmpj.launcher.coordination;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** A ZooKeeper server within the launcher ({@code --zookeeper embedded}), or an agent ({@code --zookeeper
 * embedded:PORT}). */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final long START_MILLIS = 20_000;

    private final ZooKeeperServerEmbedded server;
    private final String host;
    private final int port;

    /** Starts a server for this host alone, on a free port, with its data in a folder. */
    public EmbeddedZooKeeper(Path folder) {
        this(folder, "127.0.0.1", 0);
    }

    /**
     * Starts a server with its data in a folder.
     *
     * @param host address to listen at
     * @param wantedPort 0 for a free one
     */
    public EmbeddedZooKeeper(Path folder, String host, int wantedPort) {
        this.host = host;
        try {
            Files.createDirectories(folder);
            try (ServerSocket free = new ServerSocket(wantedPort, 1, InetAddress.getByName(host))) {
                port = free.getLocalPort();
            }
            Properties properties = new Properties();
            properties.setProperty("clientPort", Integer.toString(port));
            properties.setProperty("clientPortAddress", host);
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
        return host + ":" + port;
    }

    @Override
    public void close() {
        server.close();
    }
}
