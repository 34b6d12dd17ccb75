import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/*
 * What Java's sockets give at best: the ping-pong and streams of WholeSystem.java between two processes, polling a
 * non-blocking SocketChannel, one direct buffer, no header, no matching. It starts its own second process.
 */
public class RawSockets {
    private static final int STREAM_WINDOW = 100;

    // Times the length of a case, for the compiler of the virtual machine; nothing is printed for a case without a name.
    private static final int WARM_UP = 4;

    // As in WholeSystem.
    private static final int SAMPLES_OF_A_CASE = 5;
    private static final int UNTIMED = 2;
    private static final int BATCHES = 3;

    private static final int STAGING_BYTES = 256 * 1024;

    private final int rank;
    private final SocketChannel channel;
    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    private final byte[] message = new byte[16 << 20];
    private InputStream turns;
    private final int samples = Integer.parseInt(System.getenv().getOrDefault("BENCH_SAMPLES", "5"));
    private double secondsPerCase = Double.parseDouble(System.getenv().getOrDefault("BENCH_SECONDS", "0.1"));

    private interface Operation {
        void run() throws IOException;
    }

    private RawSockets(int rank, SocketChannel channel) throws IOException {
        this.rank = rank;
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (args.length > 0) {
            new RawSockets(1, SocketChannel.open(new InetSocketAddress(loopback, Integer.parseInt(args[0])))).run();
            return;
        }
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(loopback, 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            String java = ProcessHandle.current().info().command().orElse("java");
            Process second = new ProcessBuilder(
                            java, "-cp", System.getProperty("java.class.path"), "RawSockets", Integer.toString(port))
                    .inheritIO()
                    .start();
            new RawSockets(0, server.accept()).run();
            second.waitFor();
        }
    }

    private void run() throws IOException {
        double measuring = secondsPerCase;
        secondsPerCase = WARM_UP * measuring;
        pingPong("", 1 << 10);
        pingPong("", 64 << 10);
        secondsPerCase = measuring;
        for (int bytes : new int[] {1, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20}) {
            pingPong("pingpong", bytes);
        }
        for (int bytes : new int[] {8, 1 << 20}) {
            measure("stream", bytes, STREAM_WINDOW, () -> {
                for (int i = 0; i < STREAM_WINDOW; i++) {
                    if (rank == 0) {
                        send(bytes);
                    } else {
                        receive(bytes);
                    }
                }
                if (rank == 0) {
                    receive(1);
                } else {
                    send(1);
                }
            });
        }
    }

    private void pingPong(String name, int bytes) throws IOException {
        measure(name, bytes, 2, () -> {
            if (rank == 0) {
                send(bytes);
                receive(bytes);
            } else {
                receive(bytes);
                send(bytes);
            }
        });
    }

    private void send(int bytes) throws IOException {
        for (int at = 0; at < bytes; at += STAGING_BYTES) {
            staging.clear();
            staging.put(message, at, Math.min(STAGING_BYTES, bytes - at)).flip();
            while (staging.hasRemaining()) {
                if (channel.write(staging) == 0) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private void receive(int bytes) throws IOException {
        int at = 0;
        while (at < bytes) {
            staging.clear().limit(Math.min(STAGING_BYTES, bytes - at));
            if (channel.read(staging) == 0) {
                Thread.onSpinWait();
            }
            int arrived = staging.flip().remaining();
            staging.get(message, at, arrived);
            at += arrived;
        }
    }

    private void measure(String name, int bytes, int parts, Operation operation) throws IOException {
        int repetitions = 1;
        double seconds;
        double wanted = secondsPerCase / SAMPLES_OF_A_CASE;
        do {
            repetitions *= 2;
            seconds = agreed(quickest(operation, repetitions));
        } while (seconds < wanted);
        repetitions = (int) agreed(Math.max(1, (int) (repetitions * wanted / seconds)));
        for (int taken = 0; name.isEmpty() ? taken < SAMPLES_OF_A_CASE : due(taken); taken++) {
            time(operation, Math.max(1, repetitions / UNTIMED));
            double micros = time(operation, repetitions) * 1e6 / repetitions / parts;
            if (rank == 0 && !name.isEmpty()) {
                System.out.println(String.format(Locale.ROOT, "csv,%s,%d,%.3f", name, bytes, micros));
            }
        }
    }

    /** Whether one more sample is to be taken: so many as there are to be, each when it is its turn. */
    private boolean due(int taken) throws IOException {
        String pipe = System.getenv("BENCH_TURNS");
        if (pipe == null) {
            return taken < samples;
        }
        int word = 0;
        if (rank == 0) {
            System.out.println("waiting for its turn");
            System.out.flush();
            turns = turns == null ? new FileInputStream(pipe) : turns;
            word = turns.read();
        }
        return agreed(word) == 's';
    }

    /** The number of rank 0. */
    private double agreed(double mine) throws IOException {
        ByteBuffer number = ByteBuffer.wrap(message, 0, 8);
        if (rank == 0) {
            number.putDouble(mine);
            send(8);
            return mine;
        }
        receive(8);
        return number.getDouble();
    }

    private static double quickest(Operation operation, int repetitions) throws IOException {
        double least = Double.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            least = Math.min(least, time(operation, repetitions));
        }
        return least;
    }

    private static double time(Operation operation, int repetitions) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < repetitions; i++) {
            operation.run();
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
