package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.gridmpj.checkpoint.disk.Turns;
import org.gridmpj.checkpoint.disk.VirtualDisk;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a job in one deterministic simulation: {@link EpochCoordinator}, {@link ImageWriter} and
 * {@link ImageHistory} in each rank, {@link EpochLedger} in the launcher, {@link FileSnapshotStore} in all, on a
 * {@link VirtualDisk}. Ranks and launchers are killed at any access to the disk, some ranks live on for a while after their
 * life, the power goes, the disk is full or slow or turns a bit over, an epoch does not restore. Whatever happens, a job goes
 * back to the newest epoch that was announced and is whole, each rank to exactly what it had; and when it is left alone, it
 * takes snapshots again.
 *
 * <p>What a rank does with its program, and how epochs find a consistent cut, is in other simulations.
 */
final class StoreSimulation {
    private static final long LIMIT_STEPS = 400_000;
    private static final int BLAST_TURNS = 150;
    private static final String FOLDER = "/jobs/" + Images.JOB;

    private final @Nullable StoreRule omitted;
    private final Random random;
    private final Turns turns;
    private final VirtualDisk disk;
    private final int size;

    // ---- what everybody knows
    private int generation = -1;
    private int lives;
    private @Nullable Launcher launcher;
    private final List<RankProcess> ranks = new ArrayList<>();
    /** What was captured: by image, of which life and what. */
    private final Map<String, Captured> captured = new HashMap<>();
    /** Announced epochs on which the job relies, oldest first. */
    private final List<EpochId> trusted = new ArrayList<>();
    /** Epochs of which a file was damaged: it, or an increment to it. */
    private final Set<EpochId> struck = new HashSet<>();

    /** How often ranks could not take an epoch back. */
    private final Map<EpochId, Integer> failures = new HashMap<>();

    private @Nullable EpochId restoresNever;
    private boolean slow;
    /** Nothing befalls the job any more. */
    private boolean calm;

    /** The last rank cannot be captured any more, and no epoch begins after the one that is given up for that. */
    private boolean refusing;

    private boolean hasRefused;

    // ---- what has happened
    private int committed;
    private int restored;
    private int powerCuts;
    private int zombies;
    private int givenUp;
    private int quarantined;

    private static final class Captured {
        final int life;
        final byte[] content;

        Captured(int life, byte[] content) {
            this.life = life;
            this.content = content;
        }
    }

    /**
     * What a run has met.
     *
     * @param restored ranks that took an image back
     * @param zombies ranks that went on after their life
     * @param givenUp epochs
     */
    record Outcome(int committed, int restored, int powerCuts, int zombies, int givenUp, int quarantined) {}

    private StoreSimulation(long seed, @Nullable StoreRule omitted) {
        this.omitted = omitted;
        this.random = new Random(seed);
        this.turns = new Turns(random, LIMIT_STEPS);
        this.size = 1 + random.nextInt(3);
        this.disk = new VirtualDisk(path -> (omitted == StoreRule.FORCE_IMAGES && path.endsWith(".image.tmp"))
                || (omitted == StoreRule.FORCE_MANIFESTS && path.endsWith("manifest.tmp"))
                || (omitted == StoreRule.FORCE_NAMES && !path.contains(".")));
    }

    /** Runs a seed; an error says what broke. */
    static Outcome run(long seed, @Nullable StoreRule omitted) {
        StoreSimulation simulation = new StoreSimulation(seed, omitted);
        simulation.turns.run(simulation::live);
        return new Outcome(
                simulation.committed,
                simulation.restored,
                simulation.powerCuts,
                simulation.zombies,
                simulation.givenUp,
                simulation.quarantined);
    }

    // ---- what befalls the job

    private void live() {
        FileSystem mount = disk.mount(kind -> {});
        try {
            Files.createDirectory(mount.getPath("/jobs"));
            FolderForce.DISK.force(mount.getPath("/"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        int blows = 3 + random.nextInt(12);
        for (int blow = 0; blow < blows; blow++) {
            launch();
            turns.sleep(random.nextInt(2 * BLAST_TURNS));
            strike();
        }
        calm = true;
        disk.full(false);
        slow = false;
        launch();
        turns.await(() -> ranks.stream().noneMatch(RankProcess::isZombie));
        int committedBefore = committed;
        turns.await(() -> committed >= committedBefore + 2 || launcherIsGone());
        if (launcherIsGone()) {
            throw new AssertionError("the launcher has ended although all is well");
        }
        refusing = true;
        int abandonedBefore = givenUp;
        turns.await(() -> givenUp > abandonedBefore && isIdle());
        checkLeftovers();
        endAll();
        launch();
        turns.await(() -> ranks.stream().allMatch(rank -> rank.isRestored) || launcherIsGone());
        endAll();
    }

    private boolean launcherIsGone() {
        return launcher == null || !launcher.process.isAlive();
    }

    private boolean isIdle() {
        return launcher != null
                && launcher.isWaiting
                && launcher.events.isEmpty()
                && launcher.mine.stream().allMatch(rank -> rank.inbox.isEmpty() && !rank.isWriting);
    }

    /** A user starts the job, or resumes it when its launcher has died. */
    private void launch() {
        if (launcherIsGone()) {
            launcher = new Launcher();
            turns.start(launcher.process, launcher::run);
        }
    }

    private void strike() {
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> {
                Launcher now = launcher;
                if (now != null && !now.mine.isEmpty()) {
                    RankProcess rank = now.mine.get(random.nextInt(now.mine.size()));
                    rank.process.kill();
                    now.events.add(new Died(rank.life));
                }
            }
            case 3, 4 -> {
                if (launcher != null) {
                    launcher.process.kill();
                    launcher.orphan();
                }
            }
            case 5 -> {
                endAll();
                disk.powerCut(random);
                powerCuts++;
            }
            case 6 -> {
                disk.full(true);
                turns.sleep(random.nextInt(BLAST_TURNS));
                disk.full(false);
            }
            case 7 -> damage();
            default -> {
                restoresNever = trusted.isEmpty() ? null : trusted.getLast();
                slow = random.nextBoolean();
            }
        }
    }

    /** One file has another bit. */
    private void damage() {
        List<String> files = disk.files().stream()
                .filter(file -> file.endsWith(".image") || file.endsWith("manifest"))
                .filter(file -> !file.contains("quarantine"))
                .toList();
        if (files.isEmpty()) {
            return;
        }
        String file = files.get(random.nextInt(files.size()));
        disk.flipBit(file, random);
        struck.add(idOf(file));
    }

    /** Whether an epoch, or what it may be an increment to, may be damaged, or has been put aside as one that does not restore. */
    private boolean isDoubted(EpochId id) {
        return failures.getOrDefault(id, 0) >= 2
                || struck.stream().anyMatch(each -> each.generation() == id.generation() && each.epoch() <= id.epoch());
    }

    private static EpochId idOf(String file) {
        String[] names = file.split("/");
        String[] numbers = names[names.length - 2].substring(1).split("-e");
        return new EpochId(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    private void endAll() {
        if (launcher != null) {
            launcher.process.kill();
        }
        ranks.forEach(rank -> rank.process.kill());
        ranks.clear();
        turns.pass();
    }

    /** There is nothing but the two newest committed epochs and what they refer to. */
    private void checkLeftovers() {
        FileSnapshotStore store = store(kind -> {});
        try {
            List<EpochManifest> kept = store.restorable();
            if (kept.size() > EpochLedger.KEPT_EPOCHS + 8) {
                throw new AssertionError(kept.size() + " committed epochs are kept");
            }
            EpochId oldest = kept.subList(0, Math.min(kept.size(), EpochLedger.KEPT_EPOCHS)).stream()
                    .map(EpochManifest::oldestNeeded)
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            List<String> files = disk.files();
            for (String file : files) {
                if (file.contains("quarantine")) {
                    continue;
                }
                EpochId id = idOf(file);
                // a damaged one may still be what others are increments to
                boolean isCommitted = files.contains(FOLDER + "/g" + id.generation() + "-e" + id.epoch() + "/manifest");
                if (id.compareTo(oldest) < 0 || !isCommitted) {
                    throw new AssertionError(file + " is left over; the newest epochs are "
                            + kept.stream().map(EpochManifest::id).toList());
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A life begins: what earlier ones had not committed is gone. */
    private void checkSwept() {
        List<String> files = disk.files();
        for (String file : files) {
            if (!file.contains("quarantine")
                    && !files.contains(file.substring(0, file.lastIndexOf('/')) + "/manifest")) {
                throw new AssertionError(file + " of an earlier life is left over");
            }
        }
    }

    // ---- what must hold

    private void announced(EpochId id) {
        trusted.remove(id);
        trusted.add(id);
        while (trusted.size() > EpochLedger.KEPT_EPOCHS) {
            trusted.removeFirst();
        }
    }

    private void putAside(EpochId id) {
        quarantined++;
        trusted.remove(id);
    }

    /** A life begins from this epoch: is it the one that it ought to be? */
    private void check(EpochLedger.ResumePoint point) {
        EpochManifest manifest = point.manifest();
        EpochId newest = trusted.reversed().stream()
                .filter(id -> !isDoubted(id))
                .findFirst()
                .orElse(null);
        if (newest != null && (manifest == null || manifest.id().compareTo(newest) < 0)) {
            throw new AssertionError("the job goes back to " + (manifest == null ? "its beginning" : manifest.id())
                    + ", but " + newest + " was announced: " + point.skipped());
        }
        if (manifest == null) {
            return;
        }
        announced(manifest.id());
        if (isDoubted(manifest.id())) {
            // it may have been damaged since it was verified: then a rank will say so
            return;
        }
        FileSnapshotStore store = store(kind -> {});
        Set<Integer> ofLives = new HashSet<>();
        for (RankImage image : manifest.images()) {
            Captured was = captured.get(image.file() + " " + image.crc32c());
            try {
                if (was == null || !Arrays.equals(was.content, restored(store, manifest, image.worldRank()))) {
                    throw new AssertionError(
                            "rank " + image.worldRank() + " gets something else back than it had at " + manifest.id());
                }
            } catch (IOException e) {
                throw new AssertionError("the job goes back to what cannot be read: " + e.getMessage(), e);
            }
            ofLives.add(was.life);
        }
        if (ofLives.size() > 1) {
            throw new AssertionError(manifest.id() + " is of several lives: " + ofLives);
        }
    }

    private static byte[] restored(SnapshotStore store, EpochManifest manifest, int worldRank) throws IOException {
        try (ImageReader reader = ImageReader.open(store.open(manifest, worldRank), store::openFile)) {
            reader.verifyContent();
            return reader.bytes("program");
        }
    }

    // ---- processes

    private VirtualDisk.Access accessOf(Turns.SimulatedProcess process) {
        return kind -> {
            if (kind != VirtualDisk.Kind.LOOK || random.nextInt(4) == 0) {
                turns.pass();
            }
            if (slow && kind == VirtualDisk.Kind.FORCE && random.nextInt(3) == 0) {
                turns.sleep(random.nextInt(60));
            }
            if (!process.isAlive()) {
                // killed by itself
                turns.pass();
            }
        };
    }

    private FileSnapshotStore store(VirtualDisk.Access access) {
        return FileSnapshotStore.at(disk.mount(access).getPath(FOLDER));
    }

    private SnapshotStore storeOf(Turns.SimulatedProcess process) {
        FileSnapshotStore store = FileSnapshotStore.at(
                disk.mount(accessOf(process)).getPath(FOLDER), (name, task) -> new Forcing(process, task));
        return new WatchedStore(store);
    }

    /** What a thread beside the writer does. */
    private final class Forcing implements Future<Void> {
        private boolean done;
        private @Nullable Exception failure;

        Forcing(Turns.SimulatedProcess process, Callable<Void> task) {
            turns.start(process, () -> {
                try {
                    task.call();
                } catch (Exception e) {
                    failure = e;
                }
                done = true;
            });
        }

        @Override
        public Void get() throws ExecutionException {
            turns.await(() -> done);
            if (failure != null) {
                throw new ExecutionException(failure);
            }
            return null;
        }

        @Override
        public Void get(long timeout, TimeUnit unit) throws ExecutionException {
            return get();
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }

    private sealed interface Event {}

    private record Said(int life, int rank, Object message) implements Event {}

    private record Died(int life) implements Event {}

    private record NotRestored(int life, int rank, String reason) implements Event {}

    /** mpjrun: begins lives until it is killed. */
    private final class Launcher {
        final Turns.SimulatedProcess process = new Turns.SimulatedProcess();
        final Deque<Event> events = new ArrayDeque<>();
        final List<RankProcess> mine = new ArrayList<>();
        private final SnapshotStore store = storeOf(process);
        boolean isWaiting;
        private int life;
        private int ownGeneration;

        void run() {
            try {
                ownGeneration = raise();
                EpochLedger ledger = new EpochLedger(store, Images.JOB, size, ownGeneration);
                while (true) {
                    live(ledger);
                    ownGeneration = raise();
                }
            } catch (IOException e) {
                if (calm) {
                    throw new AssertionError("the launcher ends although all is well", e);
                }
                process.kill();
                orphan();
            }
        }

        private int raise() {
            if (generation < 0 || omitted != StoreRule.GENERATION_IN_NAMES) {
                generation++;
            }
            return generation;
        }

        private void live(EpochLedger ledger) throws IOException {
            life = ++lives;
            boolean alone = ranks.stream().noneMatch(RankProcess::isZombie);
            ledger.beginGeneration(ownGeneration);
            if (alone) {
                checkSwept();
            }
            EpochLedger.ResumePoint point = ledger.resumePoint();
            for (SnapshotStore.Skipped skipped : point.skipped()) {
                if (skipped.isDamaged()) {
                    if (!isDoubted(skipped.id()) && trusted.contains(skipped.id())) {
                        throw new AssertionError(
                                skipped.id() + " was announced, and nothing has damaged it: " + skipped.reason());
                    }
                    putAside(skipped.id());
                }
            }
            check(point);
            begin(point.manifest());
            while (true) {
                isWaiting = true;
                turns.await(() -> !events.isEmpty());
                isWaiting = false;
                Event event = events.remove();
                switch (event) {
                    case Said said -> {
                        if (said.life == life || omitted == StoreRule.IGNORE_EARLIER_LIVES) {
                            settle(
                                    said.message instanceof SnapshotWritten written
                                            ? ledger.written(said.rank, written)
                                            : ledger.failed(said.rank, (SnapshotFailed) said.message));
                        }
                    }
                    case NotRestored not -> {
                        if (not.life == life) {
                            EpochId id = Objects.requireNonNull(point.manifest(), "it was restored from something")
                                    .id();
                            failures.merge(id, 1, Integer::sum);
                            if (ledger.restoreFailed(not.rank, not.reason)) {
                                putAside(id);
                            }
                            killAll();
                            return;
                        }
                    }
                    case Died died -> {
                        if (died.life == life) {
                            killAll();
                            return;
                        }
                    }
                }
            }
        }

        private void begin(@Nullable EpochManifest from) {
            mine.clear();
            for (int rank = 0; rank < size; rank++) {
                RankProcess started = new RankProcess(this, rank, life, ownGeneration, from);
                mine.add(started);
                ranks.add(started);
            }
            for (RankProcess rank : mine) {
                rank.peers = List.copyOf(mine);
                turns.start(rank.process, rank::run);
            }
        }

        private void settle(EpochLedger.Outcome outcome) {
            switch (outcome) {
                case EpochLedger.Outcome.Open open -> {}
                case EpochLedger.Outcome.Committed now -> {
                    committed++;
                    int epoch = now.manifest().id().epoch();
                    mine.forEach(rank -> rank.inbox.add(new Committed(epoch)));
                }
                case EpochLedger.Outcome.Abandoned abandoned -> {
                    givenUp++;
                    mine.forEach(rank -> rank.inbox.add(new GivenUp(abandoned.epoch())));
                }
            }
        }

        private void killAll() {
            mine.forEach(rank -> rank.process.kill());
            ranks.removeAll(mine);
        }

        /** Its ranks notice that it is gone; some take their time. */
        void orphan() {
            for (RankProcess rank : List.copyOf(mine)) {
                if (random.nextBoolean()) {
                    rank.process.kill();
                    ranks.remove(rank);
                } else {
                    zombies++;
                    long until = turns.steps() + random.nextInt(3 * BLAST_TURNS);
                    turns.start(new Turns.SimulatedProcess(), () -> {
                        turns.await(() -> turns.steps() >= until || !rank.process.isAlive());
                        rank.process.kill();
                    });
                }
            }
        }
    }

    private sealed interface Notice {}

    private record Marker(int epoch) implements Notice {}

    private record Committed(int epoch) implements Notice {}

    private record GivenUp(int epoch) implements Notice {}

    /** One rank in one life. */
    private final class RankProcess {
        final Turns.SimulatedProcess process = new Turns.SimulatedProcess();
        final Deque<Notice> inbox = new ArrayDeque<>();
        final int life;
        List<RankProcess> peers = List.of();
        boolean isRestored;
        boolean isWriting;
        private final Launcher parent;
        private final int rank;
        private final int ownGeneration;
        private final @Nullable EpochManifest from;
        private final SnapshotStore store = storeOf(process);
        private final ImageHistory history = new ImageHistory();
        private final byte[] content = new byte[ImageFormat.BLOCK_BYTES + 512];
        private @Nullable EpochCoordinator coordinator;

        RankProcess(Launcher parent, int rank, int life, int ownGeneration, @Nullable EpochManifest from) {
            this.parent = parent;
            this.rank = rank;
            this.life = life;
            this.ownGeneration = ownGeneration;
            this.from = from;
        }

        /** Whether its life is over, and it goes on. */
        boolean isZombie() {
            return process.isAlive() && !parent.process.isAlive();
        }

        void run() {
            // what zstd makes no shorter: else increments would not be worth their while
            random.nextBytes(content);
            if (from != null && !restore(from)) {
                return;
            }
            isRestored = true;
            if (rank == 0) {
                SnapshotClock clock = new SnapshotClock(CheckpointInterval.parse("20ms"), turns::nanos, 0);
                coordinator = new EpochCoordinator(
                        epoch -> {
                            peers.forEach(peer -> peer.inbox.add(new Marker(epoch)));
                            return true;
                        },
                        clock,
                        turns::nanos,
                        from == null ? 0 : from.id().epoch() + 1);
            }
            while (true) {
                turns.await(() -> !inbox.isEmpty() || isDue());
                if (!inbox.isEmpty()) {
                    take(inbox.remove());
                }
            }
        }

        private boolean isDue() {
            return coordinator != null && !hasRefused && coordinator.beginIfDue() >= 0;
        }

        private boolean restore(EpochManifest manifest) {
            String problem = "";
            try {
                System.arraycopy(StoreSimulation.restored(store, manifest, rank), 0, content, 0, content.length);
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
            }
            if (manifest.id().equals(restoresNever)) {
                problem = "a class is missing";
            }
            if (problem.isEmpty()) {
                restored++;
                return true;
            }
            parent.events.add(new NotRestored(life, rank, problem));
            return false;
        }

        private void take(Notice notice) {
            switch (notice) {
                case Marker marker -> {
                    boolean refuses = refusing && rank == size - 1;
                    hasRefused |= refuses;
                    if (refuses || (!calm && random.nextInt(10) == 0)) {
                        report(new SnapshotFailed(marker.epoch, "a frame cannot be captured"));
                    } else {
                        isWriting = true;
                        write(marker.epoch);
                        isWriting = false;
                    }
                }
                case Committed now -> {
                    history.committed(now.epoch);
                    if (coordinator != null) {
                        coordinator.committed(now.epoch);
                    }
                }
                case GivenUp now -> {
                    history.abandoned(now.epoch);
                    if (coordinator != null) {
                        coordinator.abandoned(now.epoch);
                    }
                }
            }
        }

        private void report(Object message) {
            Launcher hears = omitted == StoreRule.IGNORE_EARLIER_LIVES && launcher != null ? launcher : parent;
            hears.events.add(new Said(life, rank, message));
        }

        /** As the ranks' takers do. */
        private void write(int epoch) {
            EpochId id = new EpochId(ownGeneration, epoch);
            // one block changes, or both
            int from = random.nextInt(3) == 0 ? 0 : ImageFormat.BLOCK_BYTES;
            byte[] news = new byte[64];
            random.nextBytes(news);
            System.arraycopy(news, 0, content, from, news.length);
            byte[] cut = content.clone();
            try (SnapshotStore.PendingImage pending = store.create(id, rank);
                    ImageWriter image =
                            new ImageWriter(pending.channel(), Images.header(size, rank, id), history.base())) {
                image.section("program").write(ByteBuffer.wrap(cut));
                image.section("in flight").write(new byte[random.nextInt(3)]);
                ImageSummary summary = image.finish();
                captured.put(file(id) + " " + summary.crc32c(), new Captured(life, cut));
                String file = pending.seal(summary);
                ImageLineage lineage = ImageLineage.of(new ImageBase(file, summary), epoch, image.blocks());
                history.written(epoch, lineage);
                if (omitted == StoreRule.BASE_IS_COMMITTED) {
                    history.committed(epoch);
                }
                report(new SnapshotWritten(
                        epoch, file, summary.bytes(), summary.crc32c(), lineage.fullEpoch(), 1000, 10, 20, 30));
            } catch (IOException | RuntimeException e) {
                report(new SnapshotFailed(epoch, String.valueOf(e)));
            }
        }

        private String file(EpochId id) {
            return "g" + id.generation() + "-e" + id.epoch() + "/rank-" + rank + ".image";
        }
    }

    /** Tells what is committed; may leave a rule out. */
    private final class WatchedStore implements SnapshotStore {
        private final FileSnapshotStore store;

        WatchedStore(FileSnapshotStore store) {
            this.store = store;
        }

        @Override
        public PendingImage create(EpochId id, int worldRank) throws IOException {
            return store.create(id, worldRank);
        }

        @Override
        public SeekableByteChannel open(EpochManifest manifest, int worldRank) throws IOException {
            return store.open(manifest, worldRank);
        }

        @Override
        public SeekableByteChannel openFile(String file) throws IOException {
            return store.openFile(file);
        }

        @Override
        public void commit(EpochManifest manifest) throws IOException {
            store.commit(omitted == StoreRule.KEEP_BASES ? ofFullImages(manifest) : manifest);
            announced(manifest.id());
        }

        /** A manifest that says of each image that it stands alone. */
        private static EpochManifest ofFullImages(EpochManifest manifest) {
            int epoch = manifest.id().epoch();
            return new EpochManifest(
                    manifest.jobName(),
                    manifest.id(),
                    manifest.images().stream()
                            .map(image -> new RankImage(
                                    image.worldRank(), image.file(), image.bytes(), image.crc32c(), epoch, 0, 0, 0, 0))
                            .toList());
        }

        @Override
        public void abandon(EpochId id) throws IOException {
            if (omitted != StoreRule.ABANDONED_LEAVES_NOTHING) {
                store.abandon(id);
            }
        }

        @Override
        public void retain(int epochs) throws IOException {
            store.retain(omitted == StoreRule.KEEP_TWO ? 1 : epochs);
        }

        @Override
        public void sweep(int newGeneration) throws IOException {
            if (omitted != StoreRule.SWEEP) {
                store.sweep(newGeneration);
            }
        }

        @Override
        public List<EpochManifest> restorable() throws IOException {
            return store.restorable();
        }

        @Override
        public List<EpochManifest> committed() throws IOException {
            return store.committed();
        }

        @Override
        public Selection latestCommitted() throws IOException {
            if (omitted == StoreRule.VERIFY_BEFORE_USE) {
                List<EpochManifest> all = store.committed();
                return new Selection(all.isEmpty() ? null : all.getFirst(), List.of());
            }
            return store.latestCommitted();
        }

        @Override
        public void quarantine(EpochId id, String reason) throws IOException {
            store.quarantine(id, reason);
        }

        @Override
        public int countRestoreFailure(EpochId id, String reason) throws IOException {
            int count = store.countRestoreFailure(id, reason);
            return omitted == StoreRule.QUARANTINE_AFTER_TWO ? 1 : count;
        }
    }
}
