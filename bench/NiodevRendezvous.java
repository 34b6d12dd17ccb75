import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the processes of an MPJ Express niodev job where the others listen, once. Its own launcher does this too, but
 * starts processes only through daemons.
 *
 * <p>Each process connects and sends a string, its write port, its read port and its rank; all get
 * {@code #Peer Information;host@read port@write port@rank;…}.
 */
final class NiodevRendezvous {
    private static final int LONGEST_WAIT_MILLIS = 30_000;

    private NiodevRendezvous() {}

    /** Listens, and answers in a thread of its own; returns what the processes take as their configuration. */
    static String open(int ranks) throws IOException {
        ServerSocket server = new ServerSocket(0, ranks, InetAddress.getLoopbackAddress());
        server.setSoTimeout(LONGEST_WAIT_MILLIS);
        Thread.ofVirtual().start(() -> {
            try (server) {
                answer(server, ranks);
            } catch (IOException failed) {
                System.err.println("niodev: " + failed);
            }
        });
        return "#Number of Processes;" + ranks + ";#Protocol Switch Limit;131072;#Server Name;127.0.0.1;#Server Port;"
                + server.getLocalPort();
    }

    private static void answer(ServerSocket server, int ranks) throws IOException {
        List<Socket> processes = new ArrayList<>();
        try {
            String[] where = new String[ranks];
            while (processes.size() < ranks) {
                Socket process = server.accept();
                processes.add(process);
                DataInputStream in = new DataInputStream(process.getInputStream());
                in.readUTF();
                int writePort = in.readInt();
                int readPort = in.readInt();
                int rank = in.readInt();
                where[rank] = "127.0.0.1@" + readPort + "@" + writePort + "@" + rank;
            }
            for (Socket process : processes) {
                DataOutputStream out = new DataOutputStream(process.getOutputStream());
                out.writeUTF("#Peer Information;" + String.join(";", where));
                out.flush();
            }
        } finally {
            for (Socket process : processes) {
                process.close();
            }
        }
    }
}
