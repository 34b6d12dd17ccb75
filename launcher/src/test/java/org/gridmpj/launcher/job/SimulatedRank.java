package org.gridmpj.launcher.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A process that behaves towards the launcher as a rank does: it dials, meets the others, runs a program of some steps, takes part in
 * epochs, moves, goes back. What it says and writes is heard when the simulation says so, in its order; it dies when that says so.
 *
 * <p>A prestarted one dials, and waits for its Welcome until it is taken.
 *
 * <pre>
 *   dial ─▶ Welcome ─▶ Bound ─▶ Table ─┬─▶ program ─▶ all are there ─▶ Finalized ─▶ Ending, exit 0
 *                                       ├─▶ Restored ─▶ program
 *                                       └─▶ Prepared ─▶ (Rehearse, Prepared) ─▶ Arrive or GoBack: Arrived ─▶ Go: Restored ─▶ program
 * </pre>
 */
final class SimulatedRank extends Process {
    private static final int KILLED = 137;
    private static final int NONE = -1;
    /** Instead of a life: of none so far. */
    static final int PRESTARTED = -1;
    /** Chances of one in so many, each time that it could. */
    private static final int SELDOM = 40;

    /**
     * How far its program is.
     *
     * @param input bytes of the job's input that it has read
     */
    record Program(int step, int input) {
        static final Program BEGIN = new Program(0, 0);
    }

    /** What it takes part in: an epoch as rank 0 began it. */
    record Attempt(int number, SimulatedRank by, int epoch) {}

    /** The state of the program at its cut, and how much it had written and read then since its JVM began. */
    private record Cut(Attempt of, Program program, long out, long err, long in) {}

    private final LauncherSimulation world;
    private final Random random;
    final int worldRank;
    final int incarnation;
    int life;
    final String host;
    final long pid;
    final Line line = new Line();
    final Pipe out = new Pipe();
    final Pipe err = new Pipe();
    private final ByteArrayOutputStream in = new ByteArrayOutputStream();
    private final ArrayDeque<ControlMessage> inbox = new ArrayDeque<>();
    private @Nullable Runnable waiter;
    private @Nullable Integer status;
    private boolean reaped;
    /** It is no more, but nobody knows: its host is silent. */
    private boolean gone;

    private boolean dialled;
    private @Nullable Integer resumeEpoch;
    private boolean verified;
    ControlMessage.@Nullable Bound bound;

    @Nullable
    RankTable table;
    /** The last one that it was sent. */
    @Nullable
    RankTable toldTable;

    int prepared;
    /** Images of the state that were copied ahead of the move under way, by its old process. */
    private final List<String> ahead = new ArrayList<>();
    /** Those that the new one has verified. */
    final List<String> rehearsed = new ArrayList<>();

    private @Nullable ControlMessage toTakeOver;
    private boolean toPrepare;
    boolean hasArrived;
    boolean wasToldToGo;
    private boolean mayGo;
    private int writtenBefore;

    Program program = Program.BEGIN;
    private boolean runs;
    boolean stands;
    private boolean awaitsHeard;
    private ControlMessage.@Nullable NotAlone chance;
    boolean finalized;
    private long outBytes;
    private long errBytes;
    private int inBytes;
    private long calls;

    int heardEpoch = NONE;
    private @Nullable Cut writing;
    private @Nullable ControlMessage wanted;
    boolean goesBack;
    private boolean held;
    final Map<Integer, Integer> knownToGoBack = new HashMap<>();

    // rank 0
    private int nextEpoch;
    private int underWay = NONE;
    private boolean paused;
    private boolean asked;

    SimulatedRank(LauncherSimulation world, int worldRank, int incarnation, int life, String host, long pid) {
        this.world = world;
        this.random = world.random;
        this.worldRank = worldRank;
        this.incarnation = incarnation;
        this.life = life;
        this.host = host;
        this.pid = pid;
    }

    @Override
    public String toString() {
        return "rank " + worldRank + " incarnation " + incarnation + " of life " + life + " (" + pid + ")";
    }

    /** Whether it waits to be a rank. */
    boolean isSpare() {
        return life == PRESTARTED;
    }

    /** It is to be its rank's next process. */
    void begins(int ofLife) {
        life = ofLife;
    }

    // ---------------------------------------------------------------- the process

    /** What it has written and nobody has read. */
    final class Pipe extends InputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int read;
        private @Nullable Runnable pump;

        @Override
        public int read() {
            throw new UnsupportedOperationException("pumps read many at a time");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (world.started != null) {
                pump = world.started;
                throw new IOException("nothing is here yet");
            }
            int count = Math.min(length, bytes.size() - read);
            if (count <= 0) {
                return -1;
            }
            System.arraycopy(bytes.toByteArray(), read, into, offset, count);
            read += count;
            return count;
        }

        boolean hasMore() {
            return pump != null && read < bytes.size();
        }

        /** What nobody has read so far, nobody will. */
        void lose() {
            read = bytes.size();
        }

        /** Somebody reads all that is here. */
        void pump() {
            if (pump != null) {
                pump.run();
            }
        }
    }

    /** Its control line. */
    final class Line implements ControlLine {
        private final ArrayDeque<ControlMessage> said = new ArrayDeque<>();
        private @Nullable Runnable follower;
        private boolean following;
        private int toHear;
        private int heard;
        private boolean closed;

        @Override
        public void send(ControlMessage message) throws IOException {
            if (closed) {
                throw new IOException("closed");
            }
            world.told(SimulatedRank.this, message);
            inbox.add(message);
        }

        @Override
        public @Nullable ControlMessage receive() {
            if (world.started != null) {
                follower = world.started;
                following = true;
                return null;
            }
            if (said.isEmpty() || toHear-- == 0) {
                return null;
            }
            heard++;
            return said.remove();
        }

        @Override
        public void close() {
            if (following) {
                following = false;
            } else {
                closed = true;
            }
        }

        boolean hasMore() {
            return follower != null && !said.isEmpty();
        }

        /** How many messages it has said so far. */
        int said() {
            return heard + said.size();
        }

        int heard() {
            return heard;
        }

        /** The launcher reads so many messages more. */
        void hear(int messages) {
            if (follower != null) {
                following = true;
                toHear = messages;
                follower.run();
            }
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return in;
    }

    @Override
    public InputStream getInputStream() {
        return out;
    }

    @Override
    public InputStream getErrorStream() {
        return err;
    }

    @Override
    public int waitFor() throws InterruptedException {
        if (world.started != null) {
            waiter = world.started;
            throw new InterruptedException("not yet");
        }
        return exitValue();
    }

    /** Time passes for the launcher's thread; a process that was told to end may do so meanwhile. */
    @Override
    public boolean waitFor(long timeout, TimeUnit unit) {
        if (gone && timeout > 0) {
            // meanwhile somebody finds out that the host is silent
            world.pass(random.nextInt(1_000_000_000));
            world.findSilent(host);
        }
        for (ControlMessage message : inbox) {
            if (isAlive()
                    && message instanceof ControlMessage.Shutdown shutdown
                    && timeout > 0
                    && random.nextBoolean()) {
                die(shutdown.exitCode());
            }
        }
        if (isAlive()) {
            world.pass(unit.toNanos(timeout));
            return false;
        }
        if (timeout > 0) {
            out.pump();
            err.pump();
        }
        return true;
    }

    @Override
    public int exitValue() {
        if (status == null) {
            throw new IllegalThreadStateException();
        }
        return status;
    }

    @Override
    public boolean isAlive() {
        return status == null;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public void destroy() {
        throw new UnsupportedOperationException("the launcher kills");
    }

    @Override
    public Process destroyForcibly() {
        die(KILLED);
        return this;
    }

    @Override
    public ProcessHandle toHandle() {
        return (ProcessHandle) Proxy.newProxyInstance(
                ProcessHandle.class.getClassLoader(),
                new Class<?>[] {ProcessHandle.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("destroyForcibly")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    die(KILLED);
                    return true;
                });
    }

    private void die(int withStatus) {
        if (status == null && !gone) {
            status = withStatus;
            world.note(this, "ends with", withStatus);
        }
    }

    /** Somebody kills it who is not the launcher. */
    void kill() {
        die(KILLED);
        world.hasEnded(this);
    }

    /** Its host has lost its power: nothing of it comes any more, also not that it has ended. */
    void vanish() {
        if (!reaped) {
            gone = true;
            status = null;
            out.lose();
            err.lose();
            line.said.clear();
            world.note(this, "vanishes at", host);
            world.hasEnded(this);
        }
    }

    /** The launcher takes it for dead, as its host is given up. */
    void lost() {
        if (gone && status == null) {
            status = RemoteProcess.LOST_STATUS;
            line.closed = true;
            world.note(this, "is given up at", host);
        }
    }

    /** As all processes of a launcher that is killed, or of the agents that have lost it. */
    void endWithLauncher() {
        if (status == null) {
            status = KILLED;
        }
    }

    /** Whether it does something, whatever others think of it. */
    boolean exists() {
        return status == null && !gone;
    }

    boolean isToBeReaped() {
        return status != null && waiter != null && !reaped;
    }

    /** Whether the launcher knows that it has ended, or takes it for that. */
    boolean wasReaped() {
        return reaped || (gone && status != null);
    }

    /** Whether the launcher waits for its end, or for more of what it has said and written. */
    boolean isWaitedFor() {
        return !reaped && (waiter != null || line.hasMore() || gone);
    }

    /** The launcher hears that it has ended, when it has read all that it said and wrote. */
    void reap() {
        reaped = true;
        out.pump();
        err.pump();
        line.hear(Integer.MAX_VALUE);
        Objects.requireNonNull(waiter).run();
    }

    // ---------------------------------------------------------------- what the others see of it

    /** Whether it would do something for its program now. */
    boolean acts() {
        return exists() && runs && !stands;
    }

    /** Whether it is the rank, as far as it knows. */
    boolean isRank() {
        return runs;
    }

    boolean isAtEnd() {
        return runs && program.step >= world.steps && !goesBack;
    }

    // ---------------------------------------------------------------- the rank

    private void say(ControlMessage message) {
        world.note(this, "says", message);
        line.said.add(message);
    }

    /** Something that it can do now, if there is anything. */
    void act() {
        if (gone) {
            return;
        }
        List<Runnable> possible = new ArrayList<>();
        if (!dialled) {
            possible.add(this::dial);
        } else if (line.closed) {
            possible.add(() -> die(1));
        } else {
            if (!inbox.isEmpty()) {
                Runnable next = () -> take(inbox.remove());
                possible.add(next);
                possible.add(next);
            }
            if (!runs && resumeEpoch != null) {
                begin(possible);
            }
            if (runs && status == null) {
                run(possible);
            }
            if (resumeEpoch != null && random.nextInt(6) == 0) {
                boolean waits = runs && program.step >= world.steps;
                possible.add(() -> say(new ControlMessage.Heartbeat(
                        calls, waits ? "waiting" : "running", waits ? "Finalize" : "", 0, List.of())));
            }
        }
        if (!possible.isEmpty()) {
            possible.get(random.nextInt(possible.size())).run();
        }
    }

    private void dial() {
        dialled = true;
        world.events.add(new JobEvent.Connected(new ControlMessage.Hello(worldRank, incarnation, pid), line));
    }

    private void take(ControlMessage message) {
        switch (message) {
            case ControlMessage.Welcome welcome -> resumeEpoch = welcome.resumeEpoch();
            case ControlMessage.Table next -> {
                RankTable before = table;
                if (before == null || next.table().epoch() > before.epoch()) {
                    table = next.table();
                }
                if (before == null && isSuccessor()) {
                    toPrepare = true;
                }
            }
            case ControlMessage.Rehearse rehearse -> toTakeOver = rehearse;
            case ControlMessage.Arrive arrive -> toTakeOver = arrive;
            case ControlMessage.GoBack back -> toTakeOver = back;
            case ControlMessage.Go go -> mayGo = true;
            case ControlMessage.CopyAhead ahead -> want(ahead);
            case ControlMessage.Depart depart -> want(depart);
            case ControlMessage.Stay stay -> {
                ahead.clear();
                wanted = null;
                stands = false;
                paused = false;
            }
            case ControlMessage.CheckpointNow now -> asked = true;
            case ControlMessage.EpochCommitted committed -> settled(committed.epoch());
            case ControlMessage.SnapshotFailed failed -> settled(failed.epoch());
            case ControlMessage.PeerGoesBack back -> {
                held = true;
                underWay = NONE;
                knownToGoBack.put(back.worldRank(), back.incarnation());
            }
            case ControlMessage.CaughtUp caughtUp -> {
                held = false;
                nextEpoch = Math.max(nextEpoch, caughtUp.nextEpoch());
                heardEpoch = Math.max(heardEpoch, caughtUp.nextEpoch() - 1);
            }
            case ControlMessage.Heard heard -> {
                awaitsHeard = false;
                world.met(this, Objects.requireNonNull(chance));
            }
            case ControlMessage.Shutdown shutdown -> die(shutdown.exitCode());
            default -> {
                // nothing that it has to do with
            }
        }
    }

    /** The images that were copied ahead of the move under way, as who has told it to stay sees it. */
    List<String> ahead() {
        return inbox.stream().anyMatch(ControlMessage.Stay.class::isInstance) ? List.of() : ahead;
    }

    private boolean isSuccessor() {
        return Integer.valueOf(ControlMessage.Welcome.ARRIVING).equals(resumeEpoch);
    }

    private void want(ControlMessage how) {
        paused = true;
        wanted = how;
    }

    private void settled(int epoch) {
        if (epoch >= underWay) {
            underWay = NONE;
        }
    }

    /** On the way to its program. */
    private void begin(List<Runnable> possible) {
        int from = Objects.requireNonNull(resumeEpoch);
        if (from >= 0 && !verified) {
            possible.add(() -> verify(from));
        } else if (bound == null) {
            possible.add(() -> {
                bound = new ControlMessage.Bound("host-" + host, (int) pid, host);
                say(bound);
            });
        } else if (table != null && from == NONE) {
            possible.add(() -> runs = true);
        } else if (table != null && from >= 0) {
            possible.add(() -> restore(from));
        } else if (isSuccessor()) {
            takeOver(possible);
        }
        if (bound != null && from != NONE && writtenBefore < 3 && random.nextInt(4) == 0) {
            // what a JVM writes before its program has its state back is nobody's output
            possible.add(() -> {
                writtenBefore++;
                print("#");
            });
        }
    }

    private void takeOver(List<Runnable> possible) {
        if (random.nextInt(4 * SELDOM) == 0 && !hasArrived) {
            possible.add(() -> giveUp("it has no room"));
        }
        ControlMessage from = toTakeOver;
        if (toPrepare) {
            possible.add(() -> {
                toPrepare = false;
                prepared++;
                say(new ControlMessage.Prepared());
            });
        } else if (from instanceof ControlMessage.Rehearse(String file)) {
            possible.add(() -> {
                toTakeOver = null;
                world.require(world.isAt(host, file), this + " is to rehearse with what is not there");
                rehearsed.add(file);
                say(new ControlMessage.Prepared());
            });
        } else if (from instanceof ControlMessage.Arrive(String file)) {
            possible.add(() -> {
                toTakeOver = null;
                world.require(world.isAt(host, file), this + " is to arrive with what is not there");
                program = world.passage(host, file).program();
                nextEpoch = world.passage(host, file).nextEpoch();
                heardEpoch = world.passage(host, file).heardEpoch();
                arrived();
            });
        } else if (from instanceof ControlMessage.GoBack(int epoch)) {
            possible.add(() -> {
                toTakeOver = null;
                LauncherSimulation.Image image = world.image(this, epoch);
                if (image == null) {
                    giveUp("its image is damaged");
                } else {
                    goTo(image);
                    goesBack = true;
                    held = true;
                    arrived();
                }
            });
        } else if (mayGo) {
            possible.add(() -> {
                runs = true;
                say(new ControlMessage.Restored(Objects.requireNonNull(resumeEpoch), outBytes, errBytes, 0));
            });
        }
    }

    private void arrived() {
        hasArrived = true;
        say(new ControlMessage.Arrived());
    }

    private void giveUp(String why) {
        say(new ControlMessage.NotMoved("", why));
        fail();
    }

    private void fail() {
        say(new ControlMessage.Ending(ControlMessage.EndKind.UNCAUGHT, 1, "it cannot go on"));
        die(1);
        world.hasEnded(this);
    }

    private void goTo(LauncherSimulation.Image image) {
        program = new Program(image.step(), image.input());
        heardEpoch = image.epoch();
        nextEpoch = image.epoch() + 1;
    }

    private void verify(int epoch) {
        LauncherSimulation.Image image = world.image(this, epoch);
        if (image == null || world.doesNotLoad(image)) {
            say(new ControlMessage.RestoreFailed(epoch, false, "a class is gone"));
            fail();
        } else if (world.findsAnotherProgram(this)) {
            say(new ControlMessage.RestoreFailed(epoch, true, "a class is another one"));
            fail();
        } else {
            verified = true;
        }
    }

    private void restore(int epoch) {
        LauncherSimulation.Image image = world.image(this, epoch);
        if (image == null) {
            say(new ControlMessage.RestoreFailed(epoch, false, "it is damaged now"));
            fail();
            return;
        }
        goTo(image);
        runs = true;
        say(new ControlMessage.Restored(epoch, outBytes, errBytes, 0));
    }

    // ---------------------------------------------------------------- its program

    private void run(List<Runnable> possible) {
        Cut cut = writing;
        if (cut != null) {
            possible.add(() -> write(cut));
        }
        if (stands || awaitsHeard) {
            return;
        }
        if (finalized) {
            if (wanted != null) {
                possible.add(() -> stay("it is not between MPI.Init and MPI.Finalize"));
            }
            possible.add(() -> {
                say(new ControlMessage.Ending(ControlMessage.EndKind.EXIT, -1, ""));
                die(0);
            });
            return;
        }
        if (program.step < world.steps) {
            possible.add(this::step);
            world.badEnd(this).ifPresent(possible::add);
        } else if (cut == null && world.allAreAtTheEnd(life)) {
            possible.add(() -> {
                finalized = true;
                say(new ControlMessage.Finalized());
            });
        }
        if (wanted != null && cut == null && underWay == NONE) {
            possible.add(random.nextInt(SELDOM / 4) == 0 ? () -> stay("it cannot be captured") : this::depart);
        }
        if (goesBack && world.haveSaidAll(this)) {
            possible.add(() -> {
                goesBack = false;
                say(new ControlMessage.CaughtUp(worldRank, world.heardOf(life) + 1));
            });
        }
        if (world.isLocal() && random.nextInt(3 * SELDOM) == 0) {
            possible.add(goesBack ? () -> say(new ControlMessage.Diverged("another message")) : this::meetAChance);
        }
        epochs(possible);
    }

    private void epochs(List<Runnable> possible) {
        if (worldRank == 0 && !paused && !held && underWay == NONE && (asked || random.nextInt(5) == 0)) {
            possible.add(() -> {
                asked = false;
                underWay = nextEpoch++;
                world.begin(this, underWay);
            });
        }
        Attempt attempt = world.attempt(life);
        if (!held && writing == null && attempt != null && attempt.epoch() > heardEpoch && hears(attempt.by)) {
            possible.add(() -> {
                heardEpoch = attempt.epoch();
                if (random.nextInt(SELDOM) == 0) {
                    say(new ControlMessage.SnapshotFailed(heardEpoch, "it cannot be captured"));
                } else {
                    writing = new Cut(attempt, program, outBytes, errBytes, inBytes);
                }
            });
        }
    }

    /** Nothing comes of a process that is known to be replaced. */
    private boolean hears(SimulatedRank other) {
        int replacedBy = Math.max(
                knownToGoBack.getOrDefault(other.worldRank, NONE),
                Objects.requireNonNull(table).entry(other.worldRank).incarnation());
        return replacedBy <= other.incarnation;
    }

    private void write(Cut cut) {
        writing = null;
        if (random.nextInt(SELDOM) == 0) {
            say(new ControlMessage.SnapshotFailed(cut.of.epoch(), "No space left on device"));
            return;
        }
        ControlMessage.SnapshotWritten written = world.write(
                new LauncherSimulation.Image(
                        life, cut.of.epoch(), worldRank, cut.of.number(), cut.program.step, cut.program.input),
                host,
                cut.out,
                cut.err,
                cut.in);
        if (!world.isCopiedFirst(this, written)) {
            world.hasReported(this, written.epoch());
            say(written);
        }
    }

    private void step() {
        int now = program.step;
        int input = program.input;
        calls++;
        print(LauncherSimulation.printed(worldRank, now));
        byte[] error = LauncherSimulation.error(worldRank, now).getBytes(StandardCharsets.US_ASCII);
        errBytes += error.length;
        err.bytes.writeBytes(error);
        if (worldRank == 0 && input < LauncherSimulation.INPUT.length) {
            world.require(inBytes < in.size(), this + " has no input at " + input);
            world.require(
                    in.toByteArray()[inBytes] == LauncherSimulation.INPUT[input],
                    this + " reads other input than that at " + input);
            inBytes++;
            input++;
        }
        program = new Program(now + 1, input);
        world.reached(this);
    }

    private void print(String text) {
        outBytes += text.length();
        out.bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void meetAChance() {
        awaitsHeard = true;
        chance = new ControlMessage.NotAlone(heardEpoch, random.nextInt(4) == 0, "a send was cancelled");
        say(chance);
    }

    private void stay(String why) {
        String file = wanted instanceof ControlMessage.CopyAhead(String ahead)
                ? ahead
                : ((ControlMessage.Depart) Objects.requireNonNull(wanted)).file();
        wanted = null;
        paused = false;
        say(new ControlMessage.NotMoved(file, why));
    }

    private void depart() {
        ControlMessage how = Objects.requireNonNull(wanted);
        wanted = null;
        if (how instanceof ControlMessage.CopyAhead(String file)) {
            world.put(host, file, passage());
            ahead.add(file);
            say(new ControlMessage.CopiedAhead(file, 1, 1));
        } else if (how instanceof ControlMessage.Depart(String file)) {
            stands = true;
            world.put(host, file, passage());
            say(new ControlMessage.Departed(file, 1, 1, outBytes, errBytes, inBytes));
        }
    }

    private LauncherSimulation.Passage passage() {
        return new LauncherSimulation.Passage(program, nextEpoch, heardEpoch, List.copyOf(ahead));
    }

    /** The program ends in another way than by Finalize. */
    void end(ControlMessage.EndKind kind, int code) {
        say(new ControlMessage.Ending(kind, kind == ControlMessage.EndKind.EXIT ? -1 : code, "its program wanted it"));
        die(code);
    }
}
