package org.gridmpj.launcher.job;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.FileSnapshotStore;
import org.gridmpj.checkpoint.ImageCorruptException;
import org.gridmpj.checkpoint.ImageSite;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.checkpoint.SnapshotStore;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.hosts.RankProcess;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;
import org.gridmpj.transport.log.HolderAssignment;
import org.jspecify.annotations.Nullable;

/**
 * A whole job under the real launcher, in one thread: {@link LocalJob} with everything that it is made of. Its processes are
 * {@link SimulatedRank}s, its disk is in memory, its time and all that happens come from one seed. Each time that the job's loop
 * looks for an event, the world goes on by some steps; ranks, files and tables are compared with what is promised whenever the
 * launcher tells somebody something.
 *
 * <pre>
 *   LocalJob.run ─▶ events.poll ─▶ some steps: a rank acts, or dies; its words, its output, its end are noticed; somebody asks
 *        ▲                             for a move; an image is brought; time passes ─┐
 *        └── reacts ◀──────────────── the oldest event, or none ◀── invariants ◀─────┘
 * </pre>
 */
final class LauncherSimulation {
    /** Standard input of the job: of no two places the same. */
    static final byte[] INPUT = "abcdefghijkl".getBytes(StandardCharsets.US_ASCII);

    private static final int LONGER = 100;
    private static final int MOST_TURNS = 40_000;
    private static final int NOTES = 60;
    /** What a Random draws first is nearly the same for seeds that are near to each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final long COMPILES = 0x5DEECE66DL;

    private static final Pattern OUTPUT = Pattern.compile("<(\\d+):(\\d+)>");
    private static final Pattern ERROR = Pattern.compile("\\[(\\d+):(\\d+)]");

    /** What has happened in a seed. */
    record Outcome(
            int code,
            int deaths,
            int lives,
            int epochs,
            int asked,
            int moves,
            int decisions,
            int returns,
            int hostsLost,
            int drained,
            int left,
            int launchersLost,
            int signals,
            int sparesTaken,
            int drillsFailed,
            int copiesMended,
            int otherPrograms,
            int waits,
            int turns) {}

    /** What a rank's image says: whose it is, and how far the program was. */
    record Image(int life, int epoch, int worldRank, int attempt, int step, int input) {
        byte[] bytes() {
            return (life + " " + epoch + " " + worldRank + " " + attempt + " " + step + " " + input)
                    .getBytes(StandardCharsets.US_ASCII);
        }

        static Image of(byte[] bytes) {
            int[] numbers = Arrays.stream(new String(bytes, StandardCharsets.US_ASCII).split(" "))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new Image(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
        }

        EpochId id() {
            return new EpochId(life, epoch);
        }
    }

    /**
     * What a rank that moves takes along.
     *
     * @param ahead images to which this one is an increment
     */
    record Passage(SimulatedRank.Program program, int nextEpoch, int heardEpoch, List<String> ahead) {}

    /** mpjctl, which waits for one answer. */
    private static final class Asker implements ControlLine {
        final List<ControlMessage> answers = new ArrayList<>();
        boolean taken;
        boolean closed;

        @Override
        public void send(ControlMessage message) {
            answers.add(message);
        }

        @Override
        public @Nullable ControlMessage receive() {
            return null;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /**
     * Somebody does something for the launcher.
     *
     * @param hosts without which that cannot be done
     * @param arrival returns an empty text, or why it could not be done
     * @param mayFail whether now and then it is not done, for no reason
     */
    record Errand(
            List<String> hosts,
            BooleanSupplier isPossible,
            Supplier<String> arrival,
            CompletableFuture<String> answer,
            boolean mayFail) {}

    /** The launcher is no more: nothing that it would do comes about. */
    private static final class LauncherKilled extends Error {
        private static final long serialVersionUID = 1L;
    }

    /**
     * SIGTERM to the launcher. What it does then it does in a thread of its own, as a JVM's shutdown hooks are, here in turn with
     * everything else: at each moment one of the two runs.
     */
    private final class Termination {
        private final Semaphore toAnswer = new Semaphore(0);
        private final Semaphore toGoOn = new Semaphore(0);
        private @Nullable Throwable failure;
        private boolean isOver;

        Termination(LocalJob terminated) {
            // the launcher knows by this name which signal it was
            Thread hook = new Thread(() -> answer(terminated), "SIGTERM handler");
            hook.setDaemon(true);
            hook.start();
        }

        private void answer(LocalJob terminated) {
            toAnswer.acquireUninterruptibly();
            try {
                terminated.interrupt();
            } catch (LauncherKilled e) {
                // nobody answers any more
            } catch (AssertionError | RuntimeException e) {
                failure = e;
            }
            isOver = true;
            toGoOn.release();
        }

        /** The hook waits, and all the others go on. */
        void pause() {
            toGoOn.release();
            toAnswer.acquireUninterruptibly();
            if (launcherIsDead) {
                throw new LauncherKilled();
            }
        }

        /** All wait, and the hook goes on. Returns whether the launcher ends now. */
        boolean goOn() {
            if (!isOver) {
                toAnswer.release();
                toGoOn.acquireUninterruptibly();
            }
            if (failure != null) {
                throw new AssertionError(failure);
            }
            return isOver;
        }
    }

    /** What a launcher has left behind that was killed. */
    private record Estate(Path work, SimulatedAgreement agreement) {}

    private record Note(long nanos, SimulatedRank rank, String what, Object of) {}

    private record Chance(int life, ControlMessage.NotAlone what, int worldRank) {}

    final Random random;
    /** Of the launcher and of hosts: jobs that have none are the same as if there were no such thing. */
    private final Random disasters;
    /** Ranks that are to go back before the program is compiled anew; then one of them finds another program, once. */
    private int restoresOfTheProgram;

    /** What was committed when a rank had last found another program; null while none has. */
    private @Nullable List<EpochId> keptForTheProgram;

    private int otherPrograms;

    /** Lives of the present launcher in which a rank has found another program; it may miss that, but for a death at the time. */
    private final Set<Integer> livesOfAnotherProgram = new HashSet<>();

    final int steps;
    private final long seed;
    private final boolean local;
    /** The hosts of the job, or null if all its ranks are on the launcher's. */
    private final @Nullable SimulatedCluster cluster;

    private final boolean prestarts;
    private final int size;
    private SimulatedAgreement agreement;
    private long nanos = 1_000_000_000_000L;
    private int turns;
    private final ArrayDeque<Note> notes = new ArrayDeque<>();

    final BlockingQueue<JobEvent> events = new Turns(this);
    /** A thread of the launcher's that is asked what it waits for; null at other times. */
    @Nullable
    Runnable started;

    private final ShownOutput shown = new ShownOutput(false, OUTPUT);
    private final ShownOutput said = new ShownOutput(true, ERROR);

    private Path work;
    private Path folder = Path.of("");
    private Path snapshots = Path.of("");
    private FileSnapshotStore store = FileSnapshotStore.at(snapshots);

    // the ranks

    private final List<SimulatedRank> all = new ArrayList<>();
    /** Of which there is still something to come. */
    private final List<SimulatedRank> active = new ArrayList<>();

    private final Map<SimulatedRank, SimulatedRank> before = new HashMap<>();
    private final SimulatedRank[] present;
    private @Nullable Places places;
    private List<String> placesAtStart = List.of();
    private int life;
    private int lives;
    /** The first one of this launcher. */
    private int firstLife;
    /** Whether the process of a rank has ended by itself in this life. */
    private boolean broken;

    private @Nullable Integer resumed;
    private final int[] reached;
    /** By rank: the incarnation that goes back alone, until all have caught up. */
    private final Map<Integer, Integer> returning = new HashMap<>();

    private final List<Chance> chances = new ArrayList<>();

    // epochs

    private SimulatedRank.@Nullable Attempt attempt;
    /** By epoch of this life, by rank: whose image is there, as long as nothing is said of the epoch. */
    private final Map<Integer, Map<Integer, SimulatedRank>> reports = new HashMap<>();

    private int attempts;
    private final Set<EpochId> announced = new HashSet<>();
    /** Of these the ones that are there. */
    private final Set<EpochId> kept = new HashSet<>();

    private final Set<EpochId> damaged = new HashSet<>();
    private final Set<EpochId> bad = new HashSet<>();
    /** Of which this launcher knows where they are: it has committed them, or begun from them. */
    private final Map<EpochId, EpochManifest> known = new HashMap<>();

    private int latest = -1;
    /** The last life of which a rank was welcomed, and from where. */
    private int begunIn;

    private @Nullable EpochId begunFrom;
    private boolean diskIsFull;

    // what is under way

    private final Map<String, Passage> passages = new HashMap<>();
    private final List<Errand> errands = new ArrayList<>();
    private final Set<SimulatedRank> brought = new HashSet<>();
    private final List<Asker> movers = new ArrayList<>();
    private final List<Asker> checkpointers = new ArrayList<>();

    // what may still go wrong

    private int kills;
    private int moves;
    private int checkpoints;
    private int jumps;
    private int damages;
    private int fullDisks;
    private int badEnds;
    private int failedStarts;
    private int launcherKills;
    private int signals;
    private int drills;
    /** Whether hosts are asked for drills. */
    private final boolean drillsAtHosts;

    private @Nullable LocalJob running;
    private @Nullable Termination termination;
    private boolean launcherIsDead;
    private boolean isRefused;
    private @Nullable Estate left;

    private final boolean someDoNotLoad;
    private @Nullable SimulatedRank doomed;
    private final Set<Integer> codes = new TreeSet<>();

    // what has happened

    private int deaths;
    private int decisions;
    private int returns;
    private int asked;
    private int launchersLost;
    private int signalled;
    private int sparesTaken;
    private int drillsFailed;
    private int waits;

    private LauncherSimulation(long seed, boolean local, Path work) {
        this.work = work;
        this.seed = seed;
        this.local = local;
        this.random = new Random(seed * SPREAD);
        this.disasters = new Random(~seed * SPREAD);
        Random compiling = new Random((seed ^ COMPILES) * SPREAD);
        restoresOfTheProgram = compiling.nextInt(4) == 0 ? compiling.nextInt(6) : Integer.MAX_VALUE;
        boolean hosted = random.nextBoolean();
        this.size = 2 + random.nextInt(local ? 4 : 3);
        int fewSteps = 8 + random.nextInt(50);
        this.agreement = new SimulatedAgreement(random, this::mayKillLauncher);
        this.present = new SimulatedRank[size];
        this.reached = new int[size];
        kills = random.nextInt(5);
        moves = random.nextInt(8);
        checkpoints = random.nextInt(3);
        jumps = seldom(8);
        damages = seldom(4);
        fullDisks = seldom(4);
        badEnds = seldom(8);
        failedStarts = seldom(20);
        someDoNotLoad = seldom(4) == 1;
        agreement.others = seldom(6);
        agreement.otherLaunchers = seldom(20);
        agreement.failures = seldom(6);
        cluster = hosted ? new SimulatedCluster(this, disasters, size) : null;
        signals = disasters.nextInt(5) == 0 ? 1 + disasters.nextInt(2) : 0;
        launcherKills = disasters.nextInt(3) == 0 ? 1 + disasters.nextInt(2) : 0;
        // to leave a host takes some time
        steps = cluster != null && cluster.isToBeDrained() ? fewSteps + LONGER : fewSteps;
        prestarts = !hosted && disasters.nextInt(3) > 0;
        drills = !hosted && disasters.nextInt(4) == 0 ? 1 + disasters.nextInt(2) : 0;
        drillsAtHosts = hosted && disasters.nextBoolean();
    }

    /** 1, once in so many times. */
    private int seldom(int once) {
        return random.nextInt(once) == 0 ? 1 : 0;
    }

    /**
     * Runs a job.
     *
     * @param local whether a rank that dies, or moves, goes back alone
     */
    static Outcome run(long seed, boolean local) {
        try (FileSystem disk = Jimfs.newFileSystem(Configuration.unix())) {
            return new LauncherSimulation(seed, local, disk.getPath("/work")).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Outcome run() {
        int code;
        try {
            code = launchers();
            ended(code);
        } catch (AssertionError | IOException | RuntimeException e) {
            StringBuilder text = new StringBuilder("seed " + seed + (local ? ", local: " : ", restart: ") + e);
            for (Note note : notes) {
                text.append(String.format(
                        "%n  %.3f s  %s %s %s",
                        (note.nanos - 1_000_000_000_000L) / 1e9, note.rank, note.what, note.of));
            }
            throw new AssertionError(text.append(said.all()).toString(), e);
        }
        asked += movers.size();
        int moved = (int) movers.stream()
                .filter(asker -> asker.answers.stream()
                        .anyMatch(answer -> answer instanceof ControlMessage.Moved now
                                && !now.host().isEmpty()))
                .count();
        return new Outcome(
                code,
                deaths,
                lives,
                announced.size(),
                asked,
                moved,
                decisions,
                returns,
                cluster == null ? 0 : cluster.hostsLost,
                cluster == null ? 0 : cluster.drained,
                said.all().split(" is drained: ", -1).length - 1,
                launchersLost,
                signalled,
                sparesTaken,
                drillsFailed,
                said.all().split("it was copied there again from host", -1).length - 1,
                otherPrograms,
                waits,
                turns);
    }

    /** One after the other, each goes on where the one before was killed; returns the exit code of the last one. */
    private int launchers() throws IOException {
        try (JobFolder jobFolder = JobFolder.create(new UserFolders(work), null, new Random(seed))) {
            return launcher(request(), jobFolder, Beginning.NEW);
        } catch (LauncherKilled e) {
            launcherIsGone();
        }
        while (true) {
            Path file = Objects.requireNonNull(folder.getFileName());
            try (JobFolder jobFolder = JobFolder.takeOver(new UserFolders(work), file.toString())) {
                boolean _ = agreement.raiseGeneration(agreement.generation());
                // whoever is told that a snapshot cannot be read now does without it
                boolean waits = cluster != null && !isRefused && disasters.nextBoolean();
                return launcher(
                        JobLaunch.savedRequest(jobFolder), jobFolder, waits ? Beginning.LATEST : Beginning.EARLIER);
            } catch (LauncherKilled e) {
                launcherIsGone();
            }
        }
    }

    private JobRequest request() {
        Map<String, String> variables = new HashMap<>(Map.of(CoreShares.VARIABLE, CoreShares.NONE));
        if (!prestarts) {
            variables.put(Spares.VARIABLE, Spares.NONE);
        }
        if (local) {
            variables.put(JobRequest.FAULT_TOLERANCE, "local");
        }
        if (drillsAtHosts) {
            variables.put(JobRequest.DRILL, "1");
        }
        return new JobRequest(
                new Program("Simulated", List.of(), "Simulated"),
                List.of(),
                size,
                "gridtcp",
                "auto",
                "1s",
                null,
                true,
                true,
                ArgsLayout.MPIJAVA,
                List.of(),
                variables,
                work,
                false,
                null,
                "",
                "",
                false);
    }

    private int launcher(JobRequest request, JobFolder jobFolder, Beginning how) throws IOException {
        folder = jobFolder.path();
        snapshots = UserFolders.createOwnerOnly(folder.resolve("snapshots"));
        store = FileSnapshotStore.at(snapshots, new Shared());
        firstLife = agreement.generation();
        known.clear();
        // a launcher that is killed may have committed one and let go of another, and nobody has heard of it
        keepOnly(store.committed());
        JobLaunch launch = new JobLaunch(
                request,
                jobFolder,
                new Installation(folder.resolve("java"), List.of(), null, null),
                agreement,
                JobSecret.random(),
                snapshots,
                null,
                List.of());
        try (LocalJob job = new LocalJob(launch, new World())) {
            running = job;
            int code = job.run(how);
            while (termination != null && !termination.goOn()) {
                pass(1_000_000);
            }
            if (termination != null && code == LocalJob.TERMINATED_EXIT_CODE) {
                throw launcherEnds();
            }
            if (code == 1 && isOfAnotherProgram(said.latest())) {
                throw launcherEnds();
            }
            return code;
        } catch (UserError e) {
            if (how == Beginning.LATEST && String.valueOf(e.getMessage()).contains("nothing is begun")) {
                isRefused = true;
                throw launcherEnds();
            }
            return e.exitCode();
        }
    }

    /** Whether the job has ended since its program was compiled anew. Nothing is lost, and now the program is as it was. */
    private boolean isOfAnotherProgram(String lastWords) throws IOException {
        if (!lastWords.contains("is whole, but rank")) {
            return false;
        }
        List<EpochId> kept =
                new ArrayList<>(Objects.requireNonNull(keptForTheProgram, "no rank has found another program"));
        kept.removeAll(damaged); // a drill may have found one meanwhile
        require(committed().containsAll(kept), "of " + kept + " only " + committed() + " is left for the old program");
        keptForTheProgram = null;
        otherPrograms++;
        return true;
    }

    /** Null if there is no such one any more. */
    @Nullable
    EpochManifest committed(String manifestFile) {
        try {
            return store.committed().stream()
                    .filter(manifest -> manifest.file().equals(manifestFile))
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<EpochId> committed() throws IOException {
        return store.committed().stream().map(EpochManifest::id).toList();
    }

    /** Whether a rank that has verified its image finds that the program is another one. */
    boolean findsAnotherProgram(SimulatedRank rank) {
        if (restoresOfTheProgram > 0) {
            restoresOfTheProgram--;
            return false;
        }
        if (otherPrograms > 0) {
            return false;
        }
        try {
            keptForTheProgram = committed();
            livesOfAnotherProgram.add(rank.life);
            require(livesOfAnotherProgram.size() < 4, "the launcher goes on and on with another program");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    /** By rank. */
    private List<String> logs(boolean isError) {
        List<String> logs = new ArrayList<>();
        try {
            for (int rank = 0; rank < size; rank++) {
                Path log = JobFolder.log(folder, rank, isError);
                logs.add(Files.exists(log) ? Files.readString(log) : "");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return logs;
    }

    /** Here the launcher may be killed; with it go all ranks and what was under way. */
    void mayKillLauncher() {
        if (launcherKills > 0 && !launcherIsDead && disasters.nextInt(300) == 0) {
            launcherKills--;
            throw launcherEnds();
        }
    }

    int size() {
        return size;
    }

    List<SimulatedRank> processes() {
        return all;
    }

    boolean hasLauncher() {
        return !launcherIsDead;
    }

    /** Nothing more comes of it. */
    private LauncherKilled launcherEnds() {
        if (!launcherIsDead) {
            launcherIsDead = true;
            left = new Estate(copyOfWork(), agreement.copy());
        }
        return new LauncherKilled();
    }

    /** The launcher may get a signal, or go on with answering one. */
    private void mayTerminate() {
        Termination now = termination;
        if (now != null && disasters.nextInt(3) == 0 && now.goOn()) {
            for (SimulatedRank each : present) {
                require(each == null || !each.exists(), each + " is left by a launcher that was told to end");
            }
            throw launcherEnds();
        }
        if (now == null && signals > 0 && disasters.nextInt(500) == 0) {
            signals--;
            signalled++;
            codes.add(LocalJob.TERMINATED_EXIT_CODE);
            termination = new Termination(Objects.requireNonNull(running));
        }
    }

    private Path copyOfWork() {
        Path to = work.resolveSibling("work-" + launchersLost);
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(work.relativize(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return to;
    }

    /** Of what was before only this is left: what is on the disk, what is agreed, what was shown. */
    private void launcherIsGone() {
        launchersLost++;
        livesOfAnotherProgram.clear();
        Termination answering = termination;
        if (answering != null) {
            require(answering.goOn(), "the answer to a signal outlives the launcher");
            termination = null;
        }
        Estate estate = Objects.requireNonNull(left);
        work = estate.work;
        agreement = estate.agreement;
        all.forEach(SimulatedRank::endWithLauncher);
        active.clear();
        events.clear();
        errands.clear();
        passages.clear();
        asked += (int) movers.stream().filter(asker -> asker.answers.isEmpty()).count();
        movers.removeIf(asker -> asker.answers.isEmpty());
        checkpointers.clear();
        doomed = null;
        diskIsFull = false;
        broken = true;
        launcherIsDead = false;
    }

    // ---------------------------------------------------------------- what surrounds the launcher

    /** What happens, for the launcher's loop; between two looks the world goes on. */
    private static final class Turns extends LinkedBlockingQueue<JobEvent> {
        private static final long serialVersionUID = 1L;

        private final transient LauncherSimulation world;

        Turns(LauncherSimulation world) {
            this.world = world;
        }

        @Override
        public @Nullable JobEvent poll(long timeout, TimeUnit unit) {
            if (world.launcherIsDead) {
                throw new LauncherKilled();
            }
            world.turn();
            JobEvent event = poll();
            if (event instanceof JobEvent.MoveAsked asked) {
                ((Asker) asked.asker()).taken = true;
            }
            return event;
        }
    }

    private final class World implements Surroundings, Machine {
        @Override
        public Executor notes() {
            return Runnable::run;
        }

        @Override
        public @Nullable Hosts hosts(Consumer<String> say) {
            return cluster == null ? null : cluster.begin(this, say);
        }

        /** The job's thread waits, the others go on. */
        @Override
        public <T> T await(CompletableFuture<T> answer, long seconds) throws TimeoutException {
            long endNanos = nanos + seconds * 1_000_000_000L;
            while (!answer.isDone()) {
                if (nanos - endNanos > 0) {
                    throw new TimeoutException();
                }
                turn();
                if (launcherIsDead) {
                    throw new LauncherKilled();
                }
            }
            return answer.join();
        }

        /** Some things happen meanwhile, not as many as in so much time. */
        @Override
        public void rest(long seconds) {
            long endNanos = nanos + seconds * 1_000_000_000L;
            turn();
            if (launcherIsDead) {
                throw new LauncherKilled();
            }
            nanos = Math.max(nanos, endNanos);
        }

        @Override
        public Machine machine() {
            return this;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        /** Of a thread that waits only this is done now: it says for whom. */
        @Override
        public void start(Thread thread) {
            Runnable waiting = thread;
            started = waiting;
            waiting.run();
            started = null;
            boolean _ = Thread.interrupted();
        }

        /** Who answers a signal waits. */
        @Override
        public void pause(long someNanos) {
            Objects.requireNonNull(termination).pause();
        }

        @Override
        public boolean hasRoom(long bytes) {
            return disasters.nextInt(10) > 0;
        }

        @Override
        public BlockingQueue<JobEvent> events() {
            return events;
        }

        @Override
        public JobLaunch.Outputs outputs(Consumer<SharedOutput.Loss> whenLost) {
            OpenLine line = new OpenLine(false, Runnable::run);
            return new JobLaunch.Outputs(stream(shown, whenLost, line), stream(said, loss -> {}, line), false);
        }

        private SharedOutput stream(ShownOutput of, Consumer<SharedOutput.Loss> whenLost, OpenLine line) {
            return new SharedOutput(of.begin(logs(of.isError()), LauncherSimulation.this), whenLost, line);
        }

        @Override
        public InputStream stdin() {
            return new ByteArrayInputStream(INPUT) {
                @Override
                public int read(byte[] into, int offset, int length) {
                    return super.read(into, offset, Math.min(length, 1));
                }
            };
        }

        @Override
        public SnapshotStore store(Path ofJob, @Nullable Hosts hosts) {
            store = FileSnapshotStore.at(snapshots, new Disk(hosts == null ? new Shared() : hosts.images()));
            return store;
        }

        @Override
        public Spares.Start spares(RankStarter starter, InetSocketAddress control) {
            return LauncherSimulation.this::prestart;
        }

        @Override
        public RankPlaces places(@Nullable Hosts hosts, RankStarter starter, InetSocketAddress control, Spares spares) {
            Places checked = new Places(hosts == null ? new OneHost(spares) : hosts);
            places = checked;
            return checked;
        }
    }

    /** Where images are; a launcher may die before each look, and the disk be full. */
    private final class Disk implements ImageSite {
        private final ImageSite images;

        Disk(ImageSite images) {
            this.images = images;
        }

        @Override
        public void require(RankImage image) throws IOException {
            mayKillLauncher();
            if (diskIsFull) {
                diskIsFull = false;
                throw new IOException("No space left on device");
            }
            images.require(image);
        }

        @Override
        public void verify(EpochManifest manifest, RankImage image) throws IOException {
            mayKillLauncher();
            images.verify(manifest, image);
        }

        @Override
        public boolean isOwnFolder() {
            return images.isOwnFolder();
        }

        @Override
        public void sweep(int generation, Set<EpochId> committed) {
            images.sweep(generation, committed);
        }

        @Override
        public void removed(EpochId id) {
            images.removed(id);
        }
    }

    /** Images as they are on the launcher's own disk, beside the manifests. */
    private final class Shared implements ImageSite {
        @Override
        public void require(RankImage image) throws IOException {
            if (!Files.exists(snapshots.resolve(image.file()))) {
                throw new NoSuchFileException(image.file());
            }
        }

        @Override
        public void verify(EpochManifest manifest, RankImage image) throws IOException {
            if (readImage(manifest, image.worldRank()) == null) {
                throw new ImageCorruptException("the image of rank " + image.worldRank() + " is damaged");
            }
        }

        @Override
        public boolean isOwnFolder() {
            return true;
        }

        @Override
        public void sweep(int generation, Set<EpochId> committed) {
            // they go with the folders
        }

        @Override
        public void removed(EpochId id) {
            // they go with the folder
        }
    }

    /** A process that waits to be the next one of a rank. */
    private Process prestart(int worldRank, int incarnation) throws IOException {
        mayKillLauncher();
        require(prestarts, "JVMs are prestarted that nobody wants");
        require(haveMet() && returning.isEmpty(), "a JVM is prestarted, and not all ranks compute");
        for (SimulatedRank each : all) {
            require(
                    each.worldRank != worldRank || !each.isSpare() || !each.exists(),
                    each + " waits, and another one for the same rank");
        }
        if (disasters.nextInt(20) == 0) {
            throw new IOException("no process is to be had");
        }
        SimulatedRank spare = process(worldRank, incarnation, SimulatedRank.PRESTARTED, "");
        note(spare, "is started ahead of life", life + 1);
        return spare;
    }

    private SimulatedRank process(int worldRank, int incarnation, int ofLife, String host) {
        SimulatedRank rank = new SimulatedRank(this, worldRank, incarnation, ofLife, host, 1000 + all.size());
        all.add(rank);
        active.add(rank);
        return rank;
    }

    /** Where ranks run; whether the launcher may want what it wants is looked at here. */
    private final class Places implements RankPlaces {
        private final RankPlaces of;
        /** Hosts that were to be left when this life began. */
        private Set<String> drainedBefore = Set.of();

        Places(RankPlaces of) {
            this.of = of;
        }

        @Override
        public void reach(boolean resumedJob) {
            of.reach(resumedJob);
            findWhatIsOutOfReach();
        }

        @Override
        public boolean awaitOthers(long someNanos) {
            require(cluster != null && cluster.hasTrouble(), "the job waits for hosts, and none was lost");
            waits++;
            boolean others = of.awaitOthers(someNanos);
            findWhatIsOutOfReach();
            if (!others) {
                codes.add(1);
            }
            return others;
        }

        @Override
        public void prepare(int generation, @Nullable EpochManifest from) throws IOException {
            mayKillLauncher();
            require(local || lives == 0 || broken, "all go back, and nothing has happened");
            // where images are looked for at hosts, another launcher may take the job over meanwhile
            require(
                    generation == agreement.generation() || (cluster != null && generation < agreement.generation()),
                    "life " + generation + " begins, which is not agreed");
            broken = false;
            life = generation;
            lives++;
            resumed = null;
            attempt = null;
            reports.clear();
            returning.clear();
            chances.clear();
            Arrays.fill(reached, 0);
            if (cluster != null) {
                drainedBefore = cluster.draining();
                cluster.lifeBegins();
            }
            try {
                of.prepare(generation, from);
            } catch (UserError | HostsAwayException e) {
                require(cluster != null && cluster.hasTrouble(), "there is no place: " + e.getMessage());
                codes.add(1);
                broken = true;
                throw e;
            }
            placesAtStart = IntStream.range(0, size).mapToObj(this::host).toList();
        }

        @Override
        public Beside start(int worldRank, int incarnation, int ofLife) throws IOException {
            if (failedStarts > 0 && random.nextInt(3) == 0) {
                failedStarts--;
                codes.add(1);
                throw new IOException("no process is to be had");
            }
            for (SimulatedRank each : all) {
                require(
                        each.life == ofLife || each.isSpare() || !each.exists(),
                        "life " + ofLife + " begins before " + each + " has ended");
            }
            require(
                    incarnation == agreement.incarnation(worldRank),
                    "rank " + worldRank + " starts as incarnation " + incarnation + ", which is not agreed");
            Beside begun = of.start(worldRank, incarnation, ofLife);
            if (!(begun.process() instanceof SimulatedRank)) {
                // its host has gone since
                SimulatedRank never = process(worldRank, incarnation, ofLife, begun.host());
                never.vanish();
                never.lost();
                begun = new Beside(begun.host(), never);
            }
            require(!drainedBefore.contains(begun.host()), begun.process() + " starts at a host that is to be left");
            SimulatedRank rank = (SimulatedRank) begun.process();
            present[worldRank] = rank;
            broken |= !rank.exists();
            return begun;
        }

        @Override
        public Beside startBeside(int worldRank, int incarnation, int ofLife, String host) throws IOException {
            mayMove();
            Beside begun = beside(worldRank, of.startBeside(worldRank, incarnation, ofLife, host));
            require(
                    cluster == null
                            || (!begun.host().equals(host(worldRank))
                                    && !cluster.draining().contains(begun.host())),
                    begun.process() + " is to take over at a host that is to be left, or its own");
            return begun;
        }

        @Override
        public Beside startAt(int worldRank, int incarnation, int ofLife, String host) throws IOException {
            mayMove();
            return beside(worldRank, of.startAt(worldRank, incarnation, ofLife, host));
        }

        private void mayMove() {
            require(returning.isEmpty(), "a move begins while a rank goes back");
            for (SimulatedRank each : all) {
                require(
                        each.life != life || !before.containsKey(each) || each.wasToldToGo || each.wasReaped(),
                        "a move begins while that of " + each + " is under way");
            }
        }

        private Beside beside(int worldRank, Beside begun) {
            before.put((SimulatedRank) begun.process(), present[worldRank]);
            return begun;
        }

        @Override
        public String placeFor(int worldRank, String host) throws IOException {
            return of.placeFor(worldRank, host);
        }

        @Override
        public Beside startAgain(int worldRank, int incarnation, int ofLife, String host) throws IOException {
            for (SimulatedRank each : all) {
                require(
                        each.worldRank != worldRank
                                || each.incarnation != incarnation
                                || each.life < firstLife
                                || each.wasReaped(),
                        each + " has not ended, and another one gets its number");
            }
            return beside(worldRank, of.startAgain(worldRank, incarnation, ofLife, host));
        }

        @Override
        public CompletableFuture<String> bring(EpochManifest from, int worldRank) {
            return of.bring(from, worldRank);
        }

        @Override
        public CompletableFuture<String> ship(String image, String fromHost, String toHost) {
            return of.ship(image, fromHost, toHost);
        }

        @Override
        public void discard(String image, String fromHost, String toHost) {
            of.discard(image, fromHost, toHost);
        }

        @Override
        public void moved(int worldRank, String host) {
            of.moved(worldRank, host);
        }

        @Override
        public String host(int worldRank) {
            return of.host(worldRank);
        }

        @Override
        public void ended(boolean forGood) {
            of.ended(forGood);
        }

        @Override
        public void close() {
            of.close();
        }
    }

    /** The launcher's host, with prestarted processes. */
    private final class OneHost implements RankPlaces {
        private final Spares spares;

        OneHost(Spares spares) {
            this.spares = spares;
        }

        @Override
        public void reach(boolean resumedJob) {
            // it is here
        }

        @Override
        public boolean awaitOthers(long someNanos) {
            throw new AssertionError("there are no others");
        }

        @Override
        public void prepare(int generation, @Nullable EpochManifest from) {
            // all is here
        }

        /** One that waits for it, or a new one. */
        @Override
        public Beside start(int worldRank, int incarnation, int ofLife) {
            RankProcess wanted = new RankProcess(ofLife, worldRank, incarnation);
            mayBegin(wanted);
            Beside spare = spares.take(worldRank, incarnation);
            if (spare == null) {
                return new Beside("", begun(wanted, ""));
            }
            SimulatedRank rank = (SimulatedRank) spare.process();
            require(
                    rank.isSpare() && rank.worldRank == worldRank && rank.incarnation == incarnation,
                    rank + " is taken for incarnation " + incarnation + " of rank " + worldRank);
            rank.begins(ofLife);
            // the last one of its rank that was begun
            all.remove(rank);
            all.add(rank);
            sparesTaken++;
            note(rank, "is taken for", "incarnation " + incarnation);
            return spare;
        }

        @Override
        public Beside startBeside(int worldRank, int incarnation, int ofLife, String host) throws IOException {
            return startAt(worldRank, incarnation, ofLife, placeFor(worldRank, host));
        }

        @Override
        public Beside startAt(int worldRank, int incarnation, int ofLife, String host) throws IOException {
            if (seldom(20) == 1) {
                throw new IOException("no process is to be had");
            }
            return start(worldRank, incarnation, ofLife);
        }

        @Override
        public String placeFor(int worldRank, String host) throws IOException {
            if (worldRank < 0 || worldRank >= size || seldom(20) == 1) {
                throw new IOException("there is no place for rank " + worldRank);
            }
            return "";
        }

        @Override
        public Beside startAgain(int worldRank, int incarnation, int ofLife, String host) throws IOException {
            if (seldom(20) == 1) {
                throw new IOException("no process is to be had");
            }
            return start(worldRank, incarnation, ofLife);
        }

        @Override
        public CompletableFuture<String> bring(EpochManifest from, int worldRank) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            SimulatedRank to = all.stream()
                    .filter(each -> each.worldRank == worldRank && !each.isSpare())
                    .reduce((earlier, later) -> later)
                    .orElseThrow();
            Supplier<String> arrival = () -> {
                brought.add(to);
                return "";
            };
            ask(new Errand(List.of(""), () -> true, arrival, answer, true));
            return answer;
        }

        @Override
        public CompletableFuture<String> ship(String image, String fromHost, String toHost) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            ask(new Errand(List.of(""), () -> true, () -> "", answer, true));
            return answer;
        }

        @Override
        public void discard(String image, String fromHost, String toHost) {
            LauncherSimulation.this.discard(image, "");
        }

        @Override
        public void moved(int worldRank, String host) {
            // there is no other place
        }

        @Override
        public String host(int worldRank) {
            return "";
        }

        @Override
        public void ended(boolean forGood) {
            // nobody is told
        }

        @Override
        public void close() {
            // there is nothing to close
        }
    }

    private void mayBegin(RankProcess wanted) {
        require(wanted.life() == life, "a process of life " + wanted.life() + " is started in life " + life);
        for (SimulatedRank each : all) {
            if (each.worldRank == wanted.worldRank() && !each.isSpare()) {
                require(
                        each.incarnation < wanted.incarnation()
                                || each.life < firstLife
                                || (each.incarnation == wanted.incarnation() && !each.exists() && !each.isRank()),
                        each + " and another one as incarnation " + wanted.incarnation());
            }
        }
    }

    /** A new process. */
    SimulatedRank begun(RankProcess wanted, String host) {
        mayBegin(wanted);
        SimulatedRank rank = process(wanted.worldRank(), wanted.incarnation(), wanted.life(), host);
        note(rank, "is started at", host);
        return rank;
    }

    // ---------------------------------------------------------------- the world goes on

    void pass(long someNanos) {
        nanos += someNanos;
    }

    private void turn() {
        turns++;
        require(turns < MOST_TURNS, "the job does not end");
        for (int acts = random.nextInt(6); acts > 0; acts--) {
            act();
        }
        pass(random.nextInt(8_000_000));
        mayTerminate();
        check();
    }

    private void act() {
        if (doomed != null && random.nextInt(4) == 0) {
            kill(doomed);
            doomed = null;
        }
        if (random.nextInt(60) == 0) {
            disturb();
        }
        if (cluster != null
                && disasters.nextInt(cluster.isUnknownToBeGone() ? 20 : cluster.isOneDark() ? 100 : 200) == 0) {
            cluster.disturb();
            findWhatIsOutOfReach();
        }
        if (cluster != null && haveMet() && disasters.nextInt(60) == 0) {
            cluster.drain();
        }
        if (drills > 0 && disasters.nextInt(100) == 0) {
            drill();
        }
        if (!errands.isEmpty() && random.nextInt(8) == 0) {
            Errand errand = errands.get(random.nextInt(errands.size()));
            boolean isThere = cluster == null || errand.hosts.stream().noneMatch(cluster::isDark);
            if (isThere && errand.isPossible.getAsBoolean()) {
                errands.remove(errand);
                boolean fails = errand.mayFail && seldom(20) == 1;
                errand.answer.complete(fails ? "the other host does not answer" : errand.arrival.get());
            }
        }
        if (active.isEmpty()) {
            return;
        }
        SimulatedRank rank = active.get(random.nextInt(active.size()));
        switch (random.nextInt(6)) {
            case 0 -> rank.line.hear(1 + random.nextInt(3));
            case 1 -> rank.out.pump();
            case 2 -> rank.err.pump();
            case 3 -> {
                if (rank.isToBeReaped()) {
                    rank.reap();
                } else if (!rank.exists() && !rank.isWaitedFor()) {
                    active.remove(rank);
                }
            }
            default -> {
                if (rank.exists()) {
                    rank.act();
                }
            }
        }
    }

    /** What nobody can do any more, fails. */
    void ask(Errand errand) {
        if (cluster != null && errand.hosts.stream().anyMatch(cluster::isGone)) {
            errand.answer.complete("a host is gone");
        } else {
            errands.add(errand);
        }
    }

    /** A host is gone, as far as the launcher knows. */
    void giveUpErrands(String host) {
        for (Errand errand : List.copyOf(errands)) {
            if (errand.hosts.contains(host)) {
                errands.remove(errand);
                errand.answer.complete("host " + host + " is gone");
            }
        }
    }

    /** A host loses its power. */
    void vanish(String host) {
        active.stream().filter(each -> each.host.equals(host)).forEach(SimulatedRank::vanish);
        passages.keySet().removeIf(each -> each.startsWith(host + "/"));
    }

    /** The launcher finds out that a host is silent, while it waits for something there. */
    void findSilent(String host) {
        Objects.requireNonNull(cluster).giveUp(host, "it has given no sign of life");
        findWhatIsOutOfReach();
    }

    /** A committed epoch of which the launcher cannot have some image now is no longer one that it has to go back to. */
    void findWhatIsOutOfReach() {
        if (cluster == null || launcherIsDead) {
            return;
        }
        try {
            for (EpochManifest each : store.committed()) {
                for (RankImage image : each.images()) {
                    if (cluster.holders(image.file(), image.bytes(), image.crc32c()).stream()
                            .noneMatch(cluster::isReachable)) {
                        damaged.add(each.id());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String ship(String file, String from, String to) {
        Passage passage = passages.get(from + "/" + file);
        if (passage == null) {
            return "it is not there any more";
        }
        passages.put(to + "/" + file, passage);
        return "";
    }

    void discard(String file, String host) {
        passages.remove(host + "/" + file);
    }

    /** What hosts have to say to the launcher. */
    void post(JobEvent event) {
        if (event instanceof JobEvent.Said said && said.message() instanceof ControlMessage.SnapshotWritten written) {
            for (SimulatedRank each : all) {
                if (each.life == said.life()
                        && each.worldRank == said.worldRank()
                        && each.incarnation == said.incarnation()) {
                    hasReported(each, written.epoch());
                }
            }
        }
        events.add(event);
    }

    private void kill(SimulatedRank rank) {
        if (rank.exists()) {
            deaths++;
            rank.kill();
        }
    }

    private void disturb() {
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                if (kills > 0 && !active.isEmpty()) {
                    kills--;
                    kill(active.get(random.nextInt(active.size())));
                }
            }
            case 2, 3 -> {
                if (moves > 0 && (haveMet() || random.nextInt(8) == 0)) {
                    moves--;
                    Asker asker = new Asker();
                    movers.add(asker);
                    String host = cluster == null
                            ? "localhost"
                            : random.nextBoolean() ? "" : "h" + random.nextInt(SimulatedCluster.HOSTS);
                    int rank = random.nextInt(20) == 0 ? size : random.nextInt(size);
                    events.add(new JobEvent.MoveAsked(asker, new ControlMessage.Move(rank, host)));
                }
            }
            case 4 -> {
                if (checkpoints > 0) {
                    checkpoints--;
                    Asker asker = new Asker();
                    checkpointers.add(asker);
                    events.add(new JobEvent.SnapshotAsked(asker, "mpjctl"));
                }
            }
            case 5 -> {
                if (jumps > 0) {
                    jumps--;
                    codes.add(1); // a process that has not come up in this time
                    pass(random.nextBoolean() ? 21_000_000_000L : 61_000_000_000L);
                }
            }
            case 6 -> damage();
            case 7 -> {
                if (fullDisks > 0) {
                    fullDisks--;
                    diskIsFull = true;
                }
            }
            default -> {
                int rank = random.nextInt(size);
                if (haveMet() && agreement.isDisturbed(rank)) {
                    codes.add(1);
                    codes.add(137);
                }
            }
        }
    }

    private boolean haveMet() {
        return Arrays.stream(present).allMatch(each -> each != null && each.isRank());
    }

    private void damage() {
        if (damages == 0) {
            return;
        }
        try {
            List<EpochManifest> committed = store.committed();
            if (!committed.isEmpty()) {
                damages--;
                for (EpochManifest each : random.nextInt(3) == 0 ? committed : committed.subList(0, 1)) {
                    damage(each, each.images().get(random.nextInt(size)).file());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void damage(EpochManifest of, String file) throws IOException {
        if (cluster == null) {
            damaged.add(of.id());
            Files.writeString(snapshots.resolve(file), "damaged");
        } else {
            cluster.damage(file, "damaged".getBytes(StandardCharsets.US_ASCII));
            findWhatIsOutOfReach();
        }
    }

    /** A restore drill ends, of an epoch that may be gone when the launcher hears it. */
    private void drill() {
        try {
            List<EpochManifest> committed = store.committed();
            if (!committed.isEmpty()) {
                drills--;
                EpochManifest tried = committed.get(disasters.nextInt(committed.size()));
                boolean differs = disasters.nextInt(3) > 0;
                if (differs) {
                    drillsFailed++;
                    damaged.add(tried.id());
                }
                SnapshotDrill.Result result = new SnapshotDrill.Result(
                        differs ? SnapshotDrill.Verdict.DAMAGED : SnapshotDrill.Verdict.AS_CAPTURED,
                        tried.id(),
                        differs ? "it is not what was captured" : "");
                events.add(new JobEvent.Drilled(result, disasters.nextInt(size), "", Drills.Remedy.NONE));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Somebody may die at this very moment. */
    void note(SimulatedRank rank, String what, Object of) {
        if (of instanceof ControlMessage.Heartbeat || launcherIsDead) {
            return;
        }
        if (notes.size() == NOTES) {
            notes.removeFirst();
        }
        notes.add(new Note(nanos, rank, what, of));
        if (kills > 0 && doomed == null && random.nextInt(life == 0 ? 60 : 200) == 0) {
            kills--;
            doomed = random.nextBoolean() ? rank : present[rank.worldRank];
        }
    }

    /** A program that ends as it should not, at its own wish. */
    Optional<Runnable> badEnd(SimulatedRank rank) {
        if (badEnds == 0 || random.nextInt(100) > 0) {
            return Optional.empty();
        }
        List<ControlMessage.EndKind> kinds = List.of(ControlMessage.EndKind.values());
        ControlMessage.EndKind kind = kinds.get(random.nextInt(kinds.size()));
        int code = kind == ControlMessage.EndKind.UNCAUGHT ? 1 : 2 + random.nextInt(5);
        return Optional.of(() -> {
            badEnds--;
            codes.add(code);
            if (local) {
                // it may be taken for what others wait for
                codes.add(1);
            }
            rank.end(kind, code);
        });
    }

    // ---------------------------------------------------------------- what the ranks know of each other

    boolean isLocal() {
        return local;
    }

    /** All that a rank prints in a step of its program; lines of three steps. */
    static String printed(int worldRank, int step) {
        return "<" + worldRank + ":" + step + ">" + (step % 3 == 2 ? "\n" : "");
    }

    static String error(int worldRank, int step) {
        return step % 4 == 1 ? "[" + worldRank + ":" + step + "]\n" : "";
    }

    void begin(SimulatedRank by, int epoch) {
        attempt = new SimulatedRank.Attempt(attempts++, by, epoch);
    }

    SimulatedRank.@Nullable Attempt attempt(int ofLife) {
        SimulatedRank.Attempt now = attempt;
        return now == null || now.by().life != ofLife ? null : now;
    }

    private List<SimulatedRank> running(int ofLife) {
        List<SimulatedRank> running = new ArrayList<>();
        for (SimulatedRank each : active) {
            if (each.life == ofLife && each.exists() && each.isRank()) {
                running.add(each);
            }
        }
        return running;
    }

    /** The last epoch that a rank has heard of. */
    int heardOf(int ofLife) {
        return running(ofLife).stream().mapToInt(each -> each.heardEpoch).max().orElse(-1);
    }

    /** Nobody returns from Finalize before all have called it. */
    boolean allAreAtTheEnd(int ofLife) {
        for (SimulatedRank each : present) {
            if (each.life != ofLife || !(each.finalized || (each.exists() && each.isAtEnd()))) {
                return false;
            }
        }
        return true;
    }

    void reached(SimulatedRank rank) {
        reached[rank.worldRank] = Math.max(reached[rank.worldRank], rank.program.step());
    }

    /** A rank that goes back has sent and heard again all that was before: all know it, and it is as far as it was. */
    boolean haveSaidAll(SimulatedRank rank) {
        if (rank.program.step() < reached[rank.worldRank]) {
            return false;
        }
        for (SimulatedRank each : present) {
            RankTable table = each.table;
            if (each.life != rank.life || !each.exists() || !each.isRank() || table == null) {
                return false;
            }
            RankTable.Entry entry = table.entry(rank.worldRank);
            if (!each.equals(rank) && (entry.incarnation() < rank.incarnation || !entry.listens())) {
                return false;
            }
        }
        return true;
    }

    /** A process has ended, and not because the launcher wanted it. */
    void hasEnded(SimulatedRank rank) {
        broken |= rank.equals(present[rank.worldRank]);
    }

    void met(SimulatedRank rank, ControlMessage.NotAlone what) {
        chances.add(new Chance(rank.life, what, rank.worldRank));
    }

    /** Whether an image can be read, with all that it refers to. */
    boolean isAt(String host, String file) {
        Passage passage = passages.get(host + "/" + file);
        return passage != null && passage.ahead.stream().allMatch(each -> passages.containsKey(host + "/" + each));
    }

    Passage passage(String host, String file) {
        return passages.getOrDefault(host + "/" + file, new Passage(SimulatedRank.Program.BEGIN, 0, -1, List.of()));
    }

    void put(String host, String file, Passage passage) {
        passages.put(host + "/" + file, passage);
    }

    // ---------------------------------------------------------------- images

    ControlMessage.SnapshotWritten write(Image image, String host, long out, long err, long in) {
        String file = "g" + image.life + "-e" + image.epoch + "/rank-" + image.worldRank + ".image";
        byte[] bytes = image.bytes();
        if (cluster != null) {
            cluster.put(host, file, bytes);
        } else {
            writeHere(file, bytes);
        }
        return new ControlMessage.SnapshotWritten(
                image.epoch, file, bytes.length, crc(bytes), image.epoch, 1, out, err, in);
    }

    private void writeHere(String file, byte[] bytes) {
        try {
            Path path = snapshots.resolve(file);
            Files.createDirectories(path.getParent());
            Files.write(path, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The launcher hears, or will, that a rank's image of an epoch is there. */
    void hasReported(SimulatedRank rank, int epoch) {
        // not of a dead one, and not behind the job's end
        boolean isHeard = local ? !rank.wasReaped() : Arrays.stream(present).anyMatch(each -> !each.wasReaped());
        if (isHeard && rank.life == life) {
            reports.computeIfAbsent(epoch, each -> new HashMap<>()).put(rank.worldRank, rank);
        }
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Over several hosts the launcher hears of an image when its copy is at another one. */
    boolean isCopiedFirst(SimulatedRank rank, ControlMessage.SnapshotWritten written) {
        if (cluster == null) {
            return false;
        }
        // the launcher reads a line at once, and copies take longer
        int saidBefore = rank.line.said();
        long notBeforeNanos = nanos + (random.nextInt(8) == 0 ? random.nextInt(1_500_000_000) : 0);
        cluster.written(rank, written, () -> rank.line.heard() >= saidBefore && nanos >= notBeforeNanos);
        return true;
    }

    /** The image that a rank finds on its disk; null if it is not whole. */
    @Nullable
    Image image(SimulatedRank rank, int epoch) {
        try {
            EpochManifest manifest = store.find(epoch);
            require(
                    manifest != null || mayBeAside(epoch),
                    rank + " is to go back to " + epoch + ", which is not committed");
            if (manifest == null) {
                return null;
            }
            require(
                    cluster == null || mayBeAside(epoch) || isAt(rank, manifest),
                    rank + " is to go back to " + epoch + ", which is not at its host");
            return readImage(manifest, rank);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a host has what a rank there goes back to, whole or damaged. */
    private boolean isAt(SimulatedRank rank, EpochManifest manifest) {
        SimulatedCluster there = Objects.requireNonNull(cluster);
        String file = manifest.images().get(rank.worldRank).file();
        return there.read(rank.host, manifest.file()) != null && there.read(rank.host, file) != null;
    }

    /** As its host has it. */
    private @Nullable Image readImage(EpochManifest manifest, SimulatedRank rank) throws IOException {
        RankImage image = manifest.images().get(rank.worldRank);
        boolean isWhole = cluster == null || cluster.isWhole(rank.host, image.file(), image.bytes(), image.crc32c());
        return isWhole ? readImage(manifest, rank.worldRank) : null;
    }

    private boolean mayBeAside(int epoch) {
        return damaged.stream().anyMatch(each -> each.epoch() == epoch);
    }

    private @Nullable Image readImage(EpochManifest manifest, int worldRank) throws IOException {
        RankImage image = manifest.images().get(worldRank);
        byte[] bytes = read(image);
        return bytes.length == image.bytes() && crc(bytes) == image.crc32c() ? Image.of(bytes) : null;
    }

    private byte[] read(RankImage image) throws IOException {
        if (cluster == null) {
            Path file = snapshots.resolve(image.file());
            return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        }
        return cluster.holders(image.file(), image.bytes(), image.crc32c()).stream()
                .findFirst()
                .map(host -> cluster.read(host, image.file()))
                .orElse(new byte[0]);
    }

    boolean doesNotLoad(Image image) {
        return bad.contains(image.id()) && image.worldRank == image.epoch % size;
    }

    // ---------------------------------------------------------------- invariants

    void require(boolean holds, String otherwise) {
        if (!holds && !launcherIsDead) {
            throw new AssertionError(otherwise);
        }
    }

    /** At each turn. */
    private void check() {
        if (cluster != null) {
            require(cluster.notAsked().isEmpty(), cluster.notAsked());
        }
        SimulatedRank[] acting = new SimulatedRank[size];
        for (SimulatedRank each : active) {
            if (each.acts()) {
                SimulatedRank other = acting[each.worldRank];
                require(other == null, each + " and " + other + " are both the rank");
                acting[each.worldRank] = each;
            }
            if (each.wasToldToGo) {
                SimulatedRank replaced = before.get(each);
                require(replaced == null || !replaced.exists(), replaced + " lives, and " + each + " is the rank");
                require(
                        !each.exists()
                                || !each.equals(present[each.worldRank])
                                || each.host.equals(
                                        Objects.requireNonNull(places).host(each.worldRank)),
                        each + " is not where the launcher takes it to be");
            }
        }
    }

    /** The launcher tells a process something. */
    void told(SimulatedRank rank, ControlMessage message) {
        if (launcherIsDead) {
            return;
        }
        mayKillLauncher();
        note(rank, "is told", message);
        require(rank.life == life, rank + " is told something in life " + life);
        SimulatedRank next = successor(rank);
        switch (message) {
            case ControlMessage.Welcome welcome -> welcomed(rank, welcome);
            case ControlMessage.Table table -> isRight(rank, table.table());
            case ControlMessage.CopyAhead ahead ->
                require(
                        next != null && next.prepared == 1 && next.rehearsed.equals(rank.ahead()),
                        rank + " copies its state for nobody");
            case ControlMessage.Depart depart ->
                require(
                        next != null
                                && next.prepared == 1
                                && !next.rehearsed.isEmpty()
                                && next.rehearsed.equals(rank.ahead()),
                        rank + " leaves before its image is verified");
            case ControlMessage.Stay stay ->
                require(next == null || !next.wasToldToGo, rank + " stays, and " + next + " goes");
            case ControlMessage.Go go -> goes(rank);
            case ControlMessage.GoBack back -> goesBack(rank, back.epoch());
            case ControlMessage.PeerGoesBack back -> peerGoesBack(rank, back);
            case ControlMessage.CaughtUp caughtUp -> {
                for (SimulatedRank each : present) {
                    require(!each.goesBack && each.isRank(), each + " has not caught up, but all may go on");
                }
                require(caughtUp.nextEpoch() > heardOf(life), "an epoch is begun of which somebody has heard");
                returning.clear();
            }
            case ControlMessage.EpochCommitted committed -> {
                reports.remove(committed.epoch());
                committed(committed.epoch());
            }
            case ControlMessage.SnapshotFailed failed -> reports.remove(failed.epoch());
            default -> {
                // nothing that is promised
            }
        }
    }

    /** The last process that was started to take over from this one. */
    private @Nullable SimulatedRank successor(SimulatedRank rank) {
        SimulatedRank next = null;
        for (SimulatedRank each : all) {
            next = rank.equals(before.get(each)) ? each : next;
        }
        return next;
    }

    private void welcomed(SimulatedRank rank, ControlMessage.Welcome welcome) {
        require(welcome.job().generation() == rank.life, rank + " is told that it is of another generation");
        require(welcome.job().hosts().equals(placesAtStart), rank + " is told of other places");
        if (before.containsKey(rank)) {
            require(welcome.resumeEpoch() == ControlMessage.Welcome.ARRIVING, rank + " is to begin by itself");
            return;
        }
        int epoch = welcome.resumeEpoch();
        if (resumed == null) {
            resumed = epoch;
            latest = epoch;
            isWhereToGoBackTo(epoch);
        }
        require(resumed == epoch, rank + " goes back to " + epoch + ", others to " + resumed);
    }

    /** Whole, of one timeline, and none that was announced is later, unless it cannot be used. */
    private void isWhereToGoBackTo(int epoch) {
        try {
            EpochManifest manifest = epoch < 0 ? null : store.find(epoch);
            if (epoch >= 0 && manifest == null && mayBeAside(epoch)) {
                // a drill has failed between the choice and the first Welcome: no rank will find it
                return;
            }
            require(epoch < 0 || manifest != null, "epoch " + epoch + " is not committed");
            if (manifest != null) {
                isOfOneTimeline(manifest);
                require(
                        manifest.id().generation() >= begunIn
                                || (begunFrom != null && manifest.id().compareTo(begunFrom) <= 0),
                        "all go back to " + manifest.id() + ", and life " + begunIn + " has begun from " + begunFrom);
            }
            begunIn = life;
            begunFrom = manifest == null ? null : manifest.id();
            if (manifest != null) {
                known.put(manifest.id(), manifest);
            }
            for (EpochId each : kept) {
                boolean isOlder = manifest != null && each.compareTo(manifest.id()) <= 0;
                require(
                        isOlder || damaged.contains(each) || bad.contains(each),
                        "all go back to " + (manifest == null ? "the beginning" : manifest.id()) + ", behind " + each);
                require(
                        isOlder || bad.contains(each) || !isWholeAtHosts(each),
                        "all go back to " + (manifest == null ? "the beginning" : manifest.id()) + ", and " + each
                                + " is there when its hosts come back");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing of an epoch is lost: this launcher knows of hosts that have it, though they may be away. */
    private boolean isWholeAtHosts(EpochId id) {
        EpochManifest manifest = known.get(id);
        return cluster != null
                && manifest != null
                && manifest.images().stream()
                        .noneMatch(image -> cluster.holders(image.file(), image.bytes(), image.crc32c())
                                .isEmpty());
    }

    private void isOfOneTimeline(EpochManifest manifest) throws IOException {
        Set<Integer> of = new HashSet<>();
        for (int rank = 0; rank < size; rank++) {
            Image image = readImage(manifest, rank);
            if (image != null) {
                require(image.worldRank == rank, manifest.id() + " has another rank's image as that of " + rank);
                countsRightly(manifest.images().get(rank), image);
                require(image.id().equals(manifest.id()), manifest.id() + " has an image of " + image.id());
                of.add(image.attempt);
            } else {
                require(damaged.contains(manifest.id()), "the image of rank " + rank + " of " + manifest.id());
            }
        }
        require(of.size() <= 1, manifest.id() + " has images of attempts " + of);
    }

    /** The streams of an image stand where its program does, whichever process has written it. */
    private void countsRightly(RankImage entry, Image image) {
        long out = 0;
        long err = 0;
        for (int step = 0; step < image.step; step++) {
            out += printed(image.worldRank, step).length();
            err += error(image.worldRank, step).length();
        }
        require(
                entry.stdoutBytes() == out && entry.stderrBytes() == err && entry.stdinBytes() == image.input,
                image + " is at bytes " + out + ", " + err + ", " + image.input + " of its streams, not at "
                        + entry.stdoutBytes() + ", " + entry.stderrBytes() + ", " + entry.stdinBytes());
    }

    private void committed(int epoch) {
        EpochId id = new EpochId(life, epoch);
        if (!announced.add(id)) {
            return;
        }
        require(epoch > latest, id + " is committed after " + latest);
        latest = epoch;
        require(returning.isEmpty(), id + " is committed while " + returning + " go back");
        if (someDoNotLoad && seldom(3) == 1) {
            bad.add(id);
        }
        try {
            List<EpochManifest> committed = store.committed();
            require(
                    !committed.isEmpty() && committed.getFirst().id().equals(id),
                    id + " is announced, and not committed");
            require(committed.size() <= 2, committed.size() + " epochs are kept");
            isOfOneTimeline(committed.getFirst());
            for (RankImage image : committed.getFirst().images()) {
                require(
                        cluster == null
                                || cluster.someWereLost()
                                || cluster.holders(image.file(), image.bytes(), image.crc32c())
                                                .size()
                                        > 1,
                        image.file() + " is committed, and has no copy");
            }
            findWhatIsOutOfReach();
            kept.add(id);
            known.put(id, committed.getFirst());
            keepOnly(committed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void keepOnly(List<EpochManifest> committed) {
        kept.retainAll(committed.stream().map(EpochManifest::id).toList());
    }

    /** Each rank is where its process listens, as the incarnation that it is. */
    private void isRight(SimulatedRank told, RankTable table) {
        RankTable had = told.toldTable;
        require(had == null || had.epoch() < table.epoch(), told + " is told an older table");
        told.toldTable = table;
        for (RankTable.Entry entry : table.entries()) {
            SimulatedRank is = entry.worldRank() == told.worldRank ? told : present[entry.worldRank()];
            SimulatedRank next = successor(is);
            if (next != null && next.hasArrived && next.incarnation == entry.incarnation()) {
                // it takes over right now
                is = next;
            }
            int goingBack = returning.getOrDefault(entry.worldRank(), -1);
            if (entry.listens()) {
                require(goingBack <= is.incarnation, told + " is told to dial " + is + ", which is dead");
            }
            if (!entry.listens()) {
                require(
                        entry.incarnation() == goingBack && goingBack > present[entry.worldRank()].incarnation,
                        told + " is told that nobody is rank " + entry.worldRank());
            } else {
                ControlMessage.Bound at = is.bound;
                require(
                        entry.incarnation() == is.incarnation
                                && at != null
                                && at.port() == entry.port()
                                && at.host().equals(entry.host()),
                        told + " is told that rank " + entry.worldRank() + " is " + entry + ", which is " + is);
            }
        }
    }

    private void goes(SimulatedRank rank) {
        SimulatedRank old = before.get(rank);
        require(rank.hasArrived, rank + " goes before it has its state");
        require(!rank.wasToldToGo, rank + " goes twice");
        require(old != null && present[rank.worldRank].equals(old), rank + " takes over from somebody else");
        int agreed = agreement.incarnation(rank.worldRank);
        require(
                local ? agreed >= rank.incarnation : agreed == rank.incarnation,
                rank + " is the rank, agreed is " + agreed);
        if (old != null) {
            require(!old.acts(), rank + " goes while " + old + " acts");
            require(!old.out.hasMore() && !old.err.hasMore(), rank + " goes before all is here that " + old + " wrote");
        }
        rank.wasToldToGo = true;
        present[rank.worldRank] = rank;
        broken |= !rank.exists();
        decisions++;
    }

    private void peerGoesBack(SimulatedRank told, ControlMessage.PeerGoesBack back) {
        SimulatedRank dead = present[back.worldRank()];
        require(
                !dead.isAlive() && dead.wasReaped(),
                told + " is told that " + dead + " goes back, which is not reaped");
        require(
                back.incarnation() == dead.incarnation + 1,
                told + " is told another incarnation than that after " + dead);
        require(agreement.incarnation(dead.worldRank) >= back.incarnation(), back + " is not agreed");
        require(
                back.epoch() == latest,
                "rank " + back.worldRank() + " goes back to " + back.epoch() + ", not " + latest);
        returning.put(back.worldRank(), back.incarnation());
    }

    private void goesBack(SimulatedRank rank, int epoch) {
        returns++;
        require(epoch == latest, rank + " goes back to " + epoch + ", not to " + latest);
        require(rank.prepared == 1, rank + " goes back before it is prepared");
        require(isThere(rank, epoch), rank + " goes back to what is not there");
        require(!present[rank.worldRank].exists(), rank + " goes back while " + present[rank.worldRank] + " lives");
        for (Chance chance : chances) {
            require(
                    chance.what.cutEpoch() < epoch || !(chance.what.any() || chance.worldRank == rank.worldRank),
                    rank + " goes back to " + epoch + " alone, and may not: " + chance);
        }
        HolderAssignment holders = new HolderAssignment(placesAtStart);
        require(
                holders.of(rank.worldRank).stream().anyMatch(holder -> {
                    int goingBack = returning.getOrDefault(holder, -1);
                    return goingBack < 0 || (present[holder].incarnation == goingBack && !present[holder].goesBack);
                }),
                rank + " goes back, and nobody knows what it got");
    }

    private boolean isThere(SimulatedRank rank, int epoch) {
        try {
            EpochManifest manifest = cluster == null ? null : store.find(epoch);
            return manifest == null ? cluster != null || brought.contains(rank) : isAt(rank, manifest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The job is over. */
    private void ended(int code) throws IOException {
        for (SimulatedRank each : all) {
            require(!each.exists(), each + " is left");
        }
        for (Asker asker : movers) {
            require(asker.answers.size() == (asker.taken ? 1 : 0), "mpjctl was told " + asker.answers);
            require(asker.closed == asker.taken, "mpjctl's connection is left");
        }
        for (Asker asker : checkpointers) {
            require(asker.answers.size() <= 1, "mpjctl was told " + asker.answers);
        }
        String lastWords = said.latest();
        if (lastWords.contains("the job is given up")) {
            // no progress, or input that is gone: not while one of two snapshots can be used
            require(
                    !lastWords.contains(" is the last one that is left"),
                    "there is a snapshot to go back to, and the job is given up");
            codes.add(1);
            codes.add(137);
        }
        require(code == 0 || codes.contains(code), "the job ends with " + code + ", not one of " + codes);
        require(!shown.all().contains("#"), "what a JVM wrote before its program had its state back is shown");
        isRight(shown, code);
        isRight(said, code);
        if (code == 0) {
            for (Map.Entry<Integer, Map<Integer, SimulatedRank>> each : reports.entrySet()) {
                boolean isWhole = each.getValue().size() == size
                        && each.getValue().values().stream()
                                .allMatch(rank -> !local || rank.equals(present[rank.worldRank]));
                require(!isWhole, "all ranks have written epoch " + each.getKey() + ", and nothing has come of it");
            }
            for (SimulatedRank each : present) {
                require(each.finalized && each.exitValue() == 0, each + " has not finished, but the job has");
            }
        }
    }

    /** Each byte of each rank once; all of them if the job has ended well. */
    private void isRight(ShownOutput output, int code) {
        List<String> logs = logs(output.isError());
        for (int rank = 0; rank < size; rank++) {
            StringBuilder whole = new StringBuilder();
            for (int step = 0; step < steps; step++) {
                whole.append(output.isError() ? error(rank, step) : printed(rank, step));
            }
            String problem = output.problem(rank, whole.toString(), logs.get(rank));
            require(problem.isEmpty(), problem);
            require(
                    code != 0 || logs.get(rank).contentEquals(whole),
                    "the log of rank " + rank + " has " + logs.get(rank));
        }
    }
}
