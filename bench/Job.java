import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The program of a system with all its processes, which run in their turns only and stand still between (SIGSTOP): a machine that
 * becomes another one for a while becomes it for all systems, as each has its turn every fraction of a second. What is measured is
 * never interrupted: a turn ends when the program waits for its next letter, from a pipe that BENCH_TURNS names.
 */
final class Job {
    private static final String READY = "waiting for its turn";
    private static final String OVER = "";
    private static final char SAMPLE = 's';
    private static final char NEXT_CASE = 'n';
    private static final int LONGEST_WARM_UP_SECONDS = 120;
    private static final int LONGEST_TURN_SECONDS = 60;

    private final Process process;
    private final Path errors;
    private final RandomAccessFile turns;
    private final Shell shell;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private String processes = "";
    private String failure = "";
    private boolean ended;

    /** Starts it, and returns when it is warm. */
    Job(List<String> command, Map<String, String> environment, Path folder, Shell shell) throws IOException, InterruptedException {
        this.shell = shell;
        errors = Files.createTempFile(folder, "errors", "");
        Path pipe = folder.resolve(errors.getFileName() + ".turns");
        if (new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).inheritIO().start().waitFor() != 0) {
            throw new IOException("mkfifo " + pipe + " failed");
        }
        turns = new RandomAccessFile(pipe.toFile(), "rw"); // to be opened so it does not wait for the other end
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("BENCH_TURNS", pipe.toString());
        process = builder.start();
        process.getOutputStream().close();
        Thread.ofPlatform().daemon().start(this::read);
        awaitReady(LONGEST_WARM_UP_SECONDS);
    }

    /** A sample of each figure of this case, as fields: csv, benchmark, bytes, µs; of none if it has ended. */
    List<String[]> sample() throws IOException, InterruptedException {
        return turn(SAMPLE);
    }

    /** Makes the next case ready, or ends the program behind the last one. */
    void nextCase() throws IOException, InterruptedException {
        turn(NEXT_CASE);
    }

    /** Well or not. */
    boolean ended() {
        return ended;
    }

    /** How it failed; empty if it did not. */
    String failure() {
        return failure;
    }

    /** What it said on its error stream. */
    String said() throws IOException {
        return Files.readString(errors);
    }

    private List<String[]> turn(char word) throws IOException, InterruptedException {
        if (ended) {
            return List.of();
        }
        turns.write(word);
        shell.run("kill -CONT " + processes);
        return awaitReady(LONGEST_TURN_SECONDS);
    }

    private List<String[]> awaitReady(int seconds) throws IOException, InterruptedException {
        List<String[]> figures = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                end();
                failure = "took longer than " + seconds + " s";
                return List.of();
            }
            if (line.equals(OVER)) {
                ended = true;
                int code = process.waitFor();
                failure = code == 0 ? "" : "ended with code " + code;
                return figures;
            }
            if (line.contains("csv,")) {
                figures.add(line.substring(line.indexOf("csv,")).strip().split(","));
            } else if (line.contains(READY)) {
                if (processes.isEmpty()) {
                    processes = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                            .map(handle -> "" + handle.pid())
                            .collect(Collectors.joining(" "));
                }
                shell.run("kill -STOP " + processes);
                return figures;
            }
        }
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.equals(OVER)) {
                    lines.add(line);
                }
            }
        } catch (IOException closed) {
            // nothing more is read from a process that was ended
        }
        lines.add(OVER);
    }

    /** Ends what of it still runs. */
    void end() throws IOException, InterruptedException {
        if (!ended) {
            ended = true;
            if (!processes.isEmpty()) {
                shell.run("kill -CONT " + processes);
            }
            end(process);
        }
        turns.close();
    }

    /** Ends a process with all that it has started. */
    static void end(Process process) throws InterruptedException {
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy(); // a launcher ends its ranks in good order
        process.waitFor(3, TimeUnit.SECONDS);
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    /** A shell that stays, as Java itself sends no such signals and starting a process takes longer than some samples. */
    static final class Shell implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;

        Shell() throws IOException {
            process = new ProcessBuilder("sh").redirectError(ProcessBuilder.Redirect.DISCARD).start();
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Returns when it is done, well or not: one of the processes may have ended by itself. */
        void run(String command) throws IOException {
            process.getOutputStream().write((command + "; echo done\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            if (answers.readLine() == null) {
                throw new IOException("the shell that stops and continues the programs has ended");
            }
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
