package org.gridmpj.pt2pt;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.gridmpj.job.RankTable;
import org.gridmpj.snapshot.CaptureSignal;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.InFlightFrames;
import org.gridmpj.snapshot.StackCapture;
import org.gridmpj.transport.log.HeapSpill;
import org.gridmpj.transport.log.HolderAssignment;
import org.gridmpj.transport.log.LogMemory;
import org.gridmpj.transport.log.LogPace;
import org.gridmpj.transport.log.LogRule;
import org.gridmpj.transport.log.LogRules;
import org.gridmpj.transport.log.RecoveryListener;
import org.jspecify.annotations.Nullable;

/**
 * A whole job in one deterministic simulation: a random program on real engines, cuts at random times, the job thrown away
 * at a random time, all ranks restored from the last committed epoch, and so on; in the end the results must be those of a
 * run without any of that.
 */
final class CutSimulation {
    private static final long LIMIT_STEPS = 60_000;
    private static final int LINE_BYTES = 64;
    /** More than so much, of a rank in so many steps, is not logged. */
    private static final int LOGGED_BYTES = 3_000;

    private static final int LOG_WINDOW_STEPS = 100;
    private static final int LIVES = 3;
    /** In each life, so that it ends. */
    private static final int MOST_DEATHS = 12;

    /** A rank that goes back says no again step by step, so it takes much longer. */
    private static final int MOST_DEATHS_WITH_POLLS = 4;

    /** Of programs. */
    private enum Kind {
        ANY,
        WITHOUT_CHANCES,
        /** Without chances; what the logs spill may come back damaged. */
        ON_BAD_DISKS,
        WITH_COINS,
        WITH_ANY_SOURCE,
        WITH_POLLS,
        WITH_THREADS
    }

    private final long seed;
    private final CutRules rules;
    /** One for each thread of a rank, main's first. */
    private final List<CutProgram> programs;

    private final Random random;
    /** What ranks that leave alone do; null if none does. */
    private final @Nullable Random moves;

    /** Which ranks die alone, and go back alone; null if none does. */
    private final @Nullable Random deaths;

    /** Damages what logs have spilled; null if nothing does. */
    private final @Nullable Random damage;

    /** On which hosts the ranks are. */
    private final Random places;

    private final LogRules logRules;
    private final int mostDeaths;
    private final long limitSteps;
    private int lives;
    private int deathsMade;
    private int caughtUp;
    private int divergences;
    private int returnsCutShort;
    private int logsLost;
    private int togetherMade;
    private int hostsLost;
    private int committedEpoch = -1;
    private int movesMade;
    private int cutsMade;
    private int soonerMade;
    private int framesInFlight;
    private int nextEpoch;
    private @Nullable Image[] committed;

    /** One rank's part of an epoch. */
    private static final class Image {
        final Object copy;
        byte @Nullable [] inFlight;

        Image(Object copy) {
            this.copy = copy;
        }
    }

    private CutSimulation(long seed, CutRules rules, boolean moving, @Nullable LogRules dying, Kind kind) {
        this.moves = moving ? new Random(~seed) : null;
        this.deaths = dying == null ? null : new Random(seed * 31 + 7);
        this.logRules = dying == null ? LogRules.ALL : dying;
        this.damage = kind == Kind.ON_BAD_DISKS ? new Random(seed * 13 + 3) : null;
        this.places = new Random(seed * 17 + 5);
        this.seed = seed;
        this.rules = rules;
        this.programs = switch (kind) {
            case ANY -> List.of(CutProgram.random(seed));
            case WITHOUT_CHANCES, ON_BAD_DISKS -> List.of(CutProgram.withoutChances(seed));
            case WITH_COINS -> List.of(CutProgram.withCoins(seed));
            case WITH_ANY_SOURCE -> List.of(CutProgram.withAnySource(seed));
            case WITH_POLLS -> List.of(CutProgram.withPolls(seed));
            case WITH_THREADS -> CutProgram.withThreads(seed);
        };
        this.mostDeaths = kind == Kind.WITH_POLLS ? MOST_DEATHS_WITH_POLLS : MOST_DEATHS;
        // a rank that goes back says no again step by step: one seed of 2,000 takes more than 60,000
        this.limitSteps = kind == Kind.WITH_POLLS || kind == Kind.WITH_THREADS ? 4 * LIMIT_STEPS : LIMIT_STEPS;
        this.random = new Random(seed);
        this.committed = new @Nullable Image[programs.getFirst().size()];
    }

    /**
     * What a run has met.
     *
     * @param together deaths while another rank was going back
     * @param hostsLost hosts that were lost with more ranks than there are holders, which alone went back
     * @param logsLost how often a rank has said that it logs nothing
     * @param returnsCutShort lives that ended while a rank was going back: all went back
     */
    record Outcome(
            int cuts,
            int sooner,
            int framesInFlight,
            int moves,
            int deaths,
            int together,
            int hostsLost,
            int caughtUp,
            int divergences,
            int logsLost,
            int returnsCutShort) {}

    /** Runs a seed; an error says what broke. */
    static Outcome run(long seed, CutRules rules) {
        return run(seed, rules, false);
    }

    /** As {@link #run(long, CutRules)}; {@code moving}: ranks also go on in other engines, alone, while the others run on. */
    static Outcome run(long seed, CutRules rules, boolean moving) {
        return run(new CutSimulation(seed, rules, moving, null, Kind.ANY));
    }

    /** As {@link #run(long, CutRules, boolean)}, of ranks with several threads. */
    static Outcome runThreads(long seed, CutRules rules, boolean moving) {
        return run(new CutSimulation(seed, rules, moving, null, Kind.WITH_THREADS));
    }

    /** Ranks die alone and go back alone, under these rules of the logs. */
    static Outcome runDying(long seed, LogRules logRules) {
        return run(new CutSimulation(seed, CutRules.ALL, false, logRules, Kind.WITHOUT_CHANCES));
    }

    /** As {@link #runDying}, with disks that turn bits of what the logs have spilled: that is said, and all go back. */
    static Outcome runDyingOnBadDisks(long seed, LogRules logRules) {
        return run(new CutSimulation(seed, CutRules.ALL, false, logRules, Kind.ON_BAD_DISKS));
    }

    /** As {@link #runDying}, of a program that tosses coins: what goes back may send something else. */
    static Outcome runDyingWithCoins(long seed, LogRules logRules) {
        return run(new CutSimulation(seed, CutRules.ALL, false, logRules, Kind.WITH_COINS));
    }

    /** As {@link #runDying}, of a program with operations of any source. */
    static Outcome runDyingWithAnySource(long seed, LogRules logRules) {
        return run(new CutSimulation(seed, CutRules.ALL, false, logRules, Kind.WITH_ANY_SOURCE));
    }

    /** As {@link #runDying}, of a program with polls and cancels of receives. */
    static Outcome runDyingWithPolls(long seed, LogRules logRules) {
        return run(new CutSimulation(seed, CutRules.ALL, false, logRules, Kind.WITH_POLLS));
    }

    private static Outcome run(CutSimulation simulation) {
        List<String> expected = simulation.new Life(false, false).run(Long.MAX_VALUE);
        List<String> result = null;
        for (int life = 0; result == null; life++) {
            boolean last = life >= LIVES - 1;
            simulation.lives = life + 1;
            boolean restore = simulation.committed[0] != null;
            long crashAt = last ? Long.MAX_VALUE : 30 + simulation.random.nextInt(1500);
            result = simulation.new Life(true, restore).run(crashAt);
        }
        if (!result.equals(expected)) {
            throw new AssertionError("the result is another one: " + result + " instead of " + expected);
        }
        return new Outcome(
                simulation.cutsMade,
                simulation.soonerMade,
                simulation.framesInFlight,
                simulation.movesMade,
                simulation.deathsMade,
                simulation.togetherMade,
                simulation.hostsLost,
                simulation.caughtUp,
                simulation.divergences,
                simulation.logsLost,
                simulation.returnsCutShort);
    }

    /** What a rank that dies gets. */
    private static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        Died() {
            super("died", null, false, false);
        }
    }

    /** All ranks from their start, or their restore, to the end or the crash. */
    private final class Life {
        private final boolean cutting;
        private final boolean restoring;
        private final CutScheduler scheduler;
        private final int size = programs.getFirst().size();
        /** What all ranks get in MPI.Init; the hosts are others than in the life before. */
        private final RankTable met = table();

        private final List<String> hosts =
                met.entries().stream().map(RankTable.Entry::hostId).toList();
        private final HolderAssignment holders = new HolderAssignment(hosts, logRules);

        private final PointToPoint[] engines = new PointToPoint[size];
        private final CutThreads[] ranks = new CutThreads[size];
        /** What each rank has shown in this life. */
        private final List<Map<Integer, Long>> screens = IntStream.range(0, size)
                .<Map<Integer, Long>>mapToObj(rank -> new HashMap<>())
                .toList();

        private final Map<Integer, @Nullable Image[]> images = new HashMap<>();
        private final Map<Integer, Integer> complete = new HashMap<>();
        /** The last epoch that a rank has abandoned in the middle of its program. */
        private int uncapturable = -1;

        /** Somebody has died who had said goodbye: others may end before it does so again, and hear nothing of what it does. */
        private boolean goodbyeOfTheDead;

        /** The last abandoned epoch that each rank has heard of. */
        private final int[] abandonedAt = new int[size];

        private long crashAt;
        /** What is at most this epoch is not committed any more. */
        private int refused = -1;

        /** Committed, and the ranks have yet to hear it. */
        private int pendingCommit = -1;

        private int underWay = -1;
        private long nextCutAt;
        private long nextMoveAt;
        private final List<PointToPoint> left = new ArrayList<>();

        // ---- ranks that go back alone
        private final @Nullable Thread[] threads = new @Nullable Thread[size];
        private final int[] incarnations = new int[size];
        /** By rank that has died: those that were there then. */
        private final @Nullable PointToPoint[][] toldOfDeath = new @Nullable PointToPoint[size][size];

        private @Nullable CutNetwork network;
        /** A rank of whose holders one gets everything late, and the other one; they die more often. −1 for none. */
        private int late = -1;

        private int ahead = -1;
        private long nextDeathAt = Long.MAX_VALUE;
        /** Ranks that go back and have not caught up yet. */
        private final Set<Integer> returning = new HashSet<>();
        /** Those of them whose process is killed, and the next one not linked with anybody yet. */
        private final Set<Integer> absent = new HashSet<>();
        /** Those of them whose threads have yet to learn that they are dead. */
        private final Set<Integer> doomed = new HashSet<>();
        /** Who goes back to this epoch, or an earlier one, cannot be given again what it got. */
        private int lostUpToEpoch = -1;
        /** No rank has heard of this epoch, as far as those know that have caught up. */
        private int nextEpochOfReturned;

        private int finished;
        /** Ranks that have their state: the others have no logs yet. */
        private int begun;

        Life(boolean cutting, boolean restoring) {
            this.cutting = cutting;
            this.restoring = restoring;
            this.scheduler = new CutScheduler(random, limitSteps, this::eachStep, this::dieIfDoomed);
            Arrays.fill(abandonedAt, -1);
            nextCutAt = random.nextInt(200);
            if (deaths != null && cutting) {
                nextDeathAt = deaths.nextInt(600);
            }
        }

        /** Results of the ranks; null if the job was thrown away. */
        @Nullable
        List<String> run(long crashAtStep) {
            crashAt = crashAtStep;
            CutNetwork network = new CutNetwork(size, scheduler, random, seed % 2 == 1);
            this.network = network;
            if (deaths != null && cutting && deaths.nextInt(3) == 0) {
                late = deaths.nextInt(size);
                List<Integer> its = holders.of(late);
                int last = deaths.nextInt(its.size());
                ahead = its.get((last + 1) % its.size());
                network.slow(late, its.get(last), 5 + deaths.nextInt(60));
            }
            List<Runnable> bodies = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                int worldRank = rank;
                engines[rank] = engine(rank);
                ranks[rank] = new CutThreads(rank, programs.size(), scheduler, random);
                renew(rank);
                bodies.add(() -> runRank(worldRank, network));
                for (int thread = 1; thread < programs.size(); thread++) {
                    int number = thread;
                    bodies.add(() -> runThread(ranks[worldRank], number));
                }
            }
            try {
                scheduler.run(bodies);
            } finally {
                for (PointToPoint engine : engines) {
                    engine.close();
                }
                left.forEach(PointToPoint::close);
            }
            if (scheduler.isCrashed()) {
                returnsCutShort += returning.isEmpty() ? 0 : 1;
                return null;
            }
            for (int rank = 0; rank < size; rank++) {
                if (abandonedAt[rank] < uncapturable && incarnations[rank] == 0 && !goodbyeOfTheDead) {
                    throw new AssertionError(
                            "epoch " + uncapturable + " was abandoned by one, and rank " + rank + " never heard it");
                }
            }
            List<String> results = new ArrayList<>();
            for (CutThreads rank : ranks) {
                for (CutRank.State state : rank.states()) {
                    results.add(Long.toHexString(state.hash) + "/" + Long.toHexString(state.sum));
                }
            }
            return results;
        }

        /** The rank's threads are those of its engine of now, at their beginnings. */
        private void renew(int rank) {
            for (int thread = 0; thread < programs.size(); thread++) {
                ranks[rank].set(
                        thread,
                        new CutRank(
                                rank,
                                thread,
                                ranks[rank],
                                programs.get(thread),
                                engines[rank],
                                scheduler,
                                screens.get(rank),
                                isOnOneHost()));
            }
        }

        /** A thread other than main, of each engine that the rank goes on in. */
        private void runThread(CutThreads rank, int thread) {
            Thread.currentThread().setName(CutThreads.name(thread));
            if (!rank.awaitStart(thread)) {
                return;
            }
            while (true) {
                try {
                    rank.program(thread).run();
                    rank.end(thread);
                    return;
                } catch (CaptureSignal unwound) {
                    rank.unwound(thread);
                }
            }
        }

        private void runRank(int rank, CutNetwork network) {
            Thread.currentThread().setName(CutThreads.name(0));
            PointToPoint engine = engines[rank];
            log(rank, engine);
            if (restoring) {
                engine.holdUntilAdopted();
            }
            engine.connect(network.open(rank, engine.frameSink()), met, Duration.ofSeconds(1));
            // others may be ahead, where no rank is to die also before this one can be captured
            int pauses = random.nextInt(random.nextInt(4) == 0 ? 200 : 20);
            int before = deaths == null ? random.nextInt(pauses + 1) : 0;
            pause(engine, before);
            if (cutting) {
                engine.captureWith(capture(rank), listener(rank));
            }
            pause(engine, pauses - before);
            if (restoring) {
                engine.goesBackTo(committedEpoch, false);
                restore(rank);
            } else {
                ranks[rank].program(0).begin(size);
            }
            threads[rank] = Thread.currentThread();
            begun++;
            boolean dead = false;
            while (true) {
                try {
                    if (dead) {
                        dead = false;
                        goBack(rank, network);
                    }
                    ranks[rank].program(0).run();
                    finished++;
                    network.ended(rank);
                    if (!returning.isEmpty()) {
                        // its log goes with it
                        scheduler.crash();
                    }
                    return;
                } catch (CaptureSignal unwound) {
                    ranks[rank].awaitUnwound();
                    // what others do meanwhile is before the cut
                    pause(isOnOneHost() ? random.nextInt(12) : 0);
                    if (!leave(rank, network)) {
                        engines[rank].cut((epoch, state) -> {
                            soonerMade += rank > 0 && !network.hasMarker(rank, epoch) ? 1 : 0;
                            copy(rank, epoch, state);
                        });
                    }
                    ranks[rank].resume();
                } catch (Died e) {
                    dead = true;
                } catch (CutRank.Contradiction e) {
                    if (!returning.contains(rank)) {
                        throw e;
                    }
                    // the end of a rank that has not caught up is not the job's
                    divergences++;
                    scheduler.crash();
                    return;
                }
            }
        }

        private void log(int rank, PointToPoint engine) {
            if (deaths == null) {
                return;
            }
            LogMemory memory = new LogMemory(4 << 10, 1 << 10, new HeapSpill(damage), pace(), logRules);
            engine.logMessages(
                    memory,
                    holders,
                    new RecoveryListener() {
                        @Override
                        public void diverged(String what) {
                            divergences++;
                            scheduler.crash();
                        }

                        @Override
                        public void caughtUp(int nextEpochOfPeers) {
                            caughtUp++;
                            returning.remove(rank);
                            nextEpochOfReturned = Math.max(nextEpochOfReturned, nextEpochOfPeers);
                            if (returning.isEmpty()) {
                                nextEpoch = Math.max(nextEpoch, nextEpochOfReturned);
                            }
                        }

                        @Override
                        public void logLost(int latestEpoch, String why) {
                            logsLost++;
                            lostUpToEpoch = Math.max(lostUpToEpoch, latestEpoch);
                            if (!returning.isEmpty()) {
                                scheduler.crash();
                            }
                        }
                    },
                    (epoch, what) -> {
                        if (programs.getFirst().isWithoutChances()) {
                            throw new AssertionError("a program without chances has met one: " + what);
                        }
                    },
                    logRules);
        }

        /** Of each fourth seed there is too much to log now and then. */
        private LogPace pace() {
            return seed % 4 == 2
                    ? LogPace.ofBytes(LOGGED_BYTES, LOG_WINDOW_STEPS * CutScheduler.STEP_NANOS, scheduler::nanos)
                    : LogPace.unlimited();
        }

        private void pause(PointToPoint engine, int polls) {
            for (int poll = 0; poll < polls; poll++) {
                engine.poll();
                scheduler.handOver();
            }
        }

        /** A rank has died in this thread: another engine takes its place, from the last committed image. */
        private void goBack(int rank, CutNetwork network) {
            left.add(engines[rank]);
            int epoch = committedEpoch;
            int incarnation = incarnations[rank];
            @Nullable PointToPoint[] before = toldOfDeath[rank];
            PointToPoint fresh = engine(rank);
            engines[rank] = fresh;
            renew(rank);
            Random chance = Objects.requireNonNull(deaths);
            List<Integer> peers =
                    new ArrayList<>(IntStream.range(0, size).boxed().toList());
            peers.remove(Integer.valueOf(rank));
            Collections.shuffle(peers, chance);
            for (int peer : peers) {
                pause(chance.nextInt(20));
                // who has died meanwhile, or was dead, will know nobody else
                if (engines[peer].equals(before[peer]) && !absent.contains(peer)) {
                    engines[peer].peerGoesBack(rank, incarnation, epoch);
                }
            }
            log(rank, fresh);
            fresh.holdUntilAdopted();
            fresh.connect(network.open(rank, fresh.frameSink()), table(), Duration.ofSeconds(1));
            absent.remove(rank);
            fresh.captureWith(capture(rank), listener(rank));
            fresh.goesBackTo(epoch, true);
            restore(rank);
            pause(chance.nextInt(20));
        }

        private void pause(int steps) {
            for (int left = steps; left > 0; left--) {
                scheduler.handOver();
            }
        }

        /** Whether the rank of the current thread dies now, and others with it. */
        private void dieIfDue() {
            if (deaths == null
                    || scheduler.steps() < nextDeathAt
                    || committed[0] == null
                    || finished > 0
                    || begun < size
                    || deathsMade >= mostDeaths * lives) {
                return;
            }
            int first = Arrays.asList(threads).indexOf(Thread.currentThread());
            if (first < 0 || absent.contains(first) || (late >= 0 && first != late && deaths.nextInt(16) > 0)) {
                return;
            }
            boolean soon = deaths.nextInt(4) == 0;
            nextDeathAt = scheduler.steps() + 1 + deaths.nextInt(soon ? 100 : 500);
            List<Integer> dying = new ArrayList<>(List.of(first));
            boolean isHostLost = deaths.nextInt(4) == 0;
            if (isHostLost) {
                IntStream.range(0, size)
                        .filter(rank ->
                                rank != first && hosts.get(rank).equals(hosts.get(first)) && !absent.contains(rank))
                        .forEach(dying::add);
            } else if (first == late && !absent.contains(ahead) && deaths.nextBoolean()) {
                dying.add(ahead);
            }
            while (!isHostLost && deaths.nextInt(3) == 0) {
                List<Integer> its = holders.of(dying.getLast());
                int other = deaths.nextBoolean() ? deaths.nextInt(size) : its.get(deaths.nextInt(its.size()));
                if (!dying.contains(other) && !absent.contains(other)) {
                    dying.add(other);
                }
            }
            Set<Integer> gone = new HashSet<>(returning);
            gone.addAll(dying);
            boolean known = gone.stream().allMatch(rank -> holders.surviveOf(rank, gone::contains));
            if (!known && isHostLost && returning.isEmpty() && gone.size() < size) {
                throw new AssertionError(
                        "a host is lost, and nobody knows what its ranks " + gone + " of " + hosts + " got");
            }
            boolean isLogLost = lostUpToEpoch >= committedEpoch;
            if (gone.size() == size || isLogLost || (!known && logRules.hold(LogRule.A_HOLDER_IS_LEFT))) {
                if (lives < LIVES) {
                    returning.addAll(dying);
                    scheduler.crash();
                }
                return;
            }
            hostsLost += isHostLost && dying.size() > HolderAssignment.MOST ? 1 : 0;
            togetherMade += returning.isEmpty() ? dying.size() - 1 : dying.size();
            deathsMade += dying.size();
            // that it had abandoned an epoch may have waited for its determinants to be held
            uncapturable = -1;
            if (underWay >= 0) {
                refused = underWay;
                images.remove(underWay);
                ended(underWay);
            }
            returning.addAll(dying);
            absent.addAll(dying);
            doomed.addAll(dying);
            for (int rank : dying) {
                incarnations[rank]++;
                goodbyeOfTheDead |= ranks[rank].program(0).atEnd;
                for (int peer = 0; peer < size; peer++) {
                    toldOfDeath[rank][peer] = absent.contains(peer) ? null : engines[peer];
                }
                Objects.requireNonNull(network).died(rank);
            }
            dieIfDoomed();
        }

        /** Whether the rank of the current thread was killed while others ran. */
        private void dieIfDoomed() {
            if (!doomed.isEmpty()
                    && doomed.remove(Arrays.asList(threads).indexOf(Thread.currentThread()))
                    && !scheduler.isCrashed()) {
                throw new Died();
            }
        }

        private PointToPoint engine(int rank) {
            PointToPoint made = new PointToPoint(rank, size, config(), rules);
            made.followBy(nanos -> scheduler.handOver());
            if (cutting && deaths == null) {
                made.besideChannels().allowBetweenCuts();
                made.besideChannels().simulate(1 + (int) (seed % 3), LINE_BYTES * size);
            }
            return made;
        }

        private PointToPointConfig config() {
            return new PointToPointConfig(
                    256, 0, 0, 3, Long.MAX_VALUE, 1500, false, 200_000_000, 1 << 20, false, scheduler::nanos);
        }

        private boolean isOnOneHost() {
            return deaths == null && seed % 2 == 1;
        }

        /** Each time on other hosts; with every other seed all ranks are on one. */
        private RankTable table() {
            int hosts = isOnOneHost() ? 1 : 1 + size / 2;
            return new RankTable(
                    0,
                    IntStream.range(0, size)
                            .mapToObj(each ->
                                    new RankTable.Entry(each, "memory", each + 1, 0, "host " + places.nextInt(hosts)))
                            .toList());
        }

        /** The rank goes on in another engine, if it is to; or it is decided that it stays. Whether it was to leave. */
        private boolean leave(int rank, CutNetwork network) {
            PointToPoint old = engines[rank];
            @Nullable Object[] image = {null};
            PointToPoint fresh = engine(rank);
            boolean stays = moves != null && moves.nextInt(4) == 0;
            boolean asked = old.depart((engineState, channels) ->
                    image[0] = tokens(old, fresh).copy(new Object[] {ranks[rank].states(), engineState.get()}));
            if (!asked || stays) {
                return asked;
            }
            movesMade++;
            left.add(old);
            network.moved(rank);
            fresh.holdUntilAdopted();
            fresh.connect(network.open(rank, fresh.frameSink()), table(), Duration.ofSeconds(1));
            fresh.captureWith(capture(rank), listener(rank));
            Object[] root = (Object[]) Objects.requireNonNull(image[0]);
            engines[rank] = fresh;
            renew(rank);
            ranks[rank].restore((Object[]) root[0]);
            // others run on before it has its state
            for (int pause = moves == null ? 0 : moves.nextInt(20); pause > 0; pause--) {
                fresh.poll();
                scheduler.handOver();
            }
            fresh.adopt(root[1], new byte[0]);
            return true;
        }

        private void copy(int rank, int epoch, Object engineState) {
            Object root;
            if (rules.hold(CutRule.ONE_GRAPH)) {
                root = new Object[] {ranks[rank].states(), engineState, engines[rank]};
                root = tokens(engines[rank], engines[rank]).copy(root);
            } else {
                root = new Object[] {
                    tokens(engines[rank], engines[rank]).copy(ranks[rank].states()),
                    tokens(engines[rank], engines[rank]).copy(engineState),
                    engines[rank]
                };
            }
            images.computeIfAbsent(epoch, number -> new @Nullable Image[size])[rank] =
                    new Image(Objects.requireNonNull(root));
        }

        private void restore(int rank) {
            Image image = Objects.requireNonNull(committed[rank]);
            PointToPoint old = (PointToPoint) ((Object[]) image.copy)[2];
            Object[] root =
                    (Object[]) Objects.requireNonNull(tokens(old, engines[rank]).copy(image.copy));
            ranks[rank].restore((Object[]) root[0]);
            engines[rank].adopt(root[1], Objects.requireNonNull(image.inFlight));
        }

        private PlainCopy tokens(PointToPoint from, PointToPoint to) {
            PlainCopy copy = new PlainCopy().token(CutRank.SEGMENTS, CutRank.SEGMENTS);
            Map<String, Object> names = new HashMap<>();
            to.bindTokens(names::put);
            from.bindTokens((name, object) -> copy.token(object, Objects.requireNonNull(names.get(name))));
            return copy;
        }

        private StackCapture capture(int rank) {
            return new StackCapture() {
                @Override
                public @Nullable String obstacle() {
                    return ranks[rank].obstacle();
                }

                @Override
                public CaptureSignal unwind() {
                    return ranks[rank].unwind();
                }
            };
        }

        private CutListener listener(int rank) {
            return new CutListener() {
                @Override
                public void complete(int epoch, InFlightFrames inFlight) {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    try {
                        inFlight.writeTo(bytes);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    if (bytes.size() != inFlight.lengthBytes()) {
                        throw new AssertionError("the log has another length than it says");
                    }
                    @Nullable Image[] all = images.get(epoch);
                    Image own = all == null ? null : all[rank];
                    if (all == null || own == null) {
                        // abandoned elsewhere, which this rank has yet to hear
                        return;
                    }
                    own.inFlight = bytes.toByteArray();
                    framesInFlight += inFlight.count();
                    if (complete.merge(epoch, 1, Integer::sum) == size && epoch > refused) {
                        committed = all;
                        committedEpoch = epoch;
                        pendingCommit = epoch;
                        // a run that never ends commits hundreds
                        images.keySet().removeIf(each -> each <= epoch);
                        complete.keySet().removeIf(each -> each < epoch);
                        cutsMade++;
                        ended(epoch);
                        crashSoonIfSomeAreAtTheirEnd();
                    }
                }

                @Override
                public void abandoned(int epoch, String reason, boolean here) {
                    images.remove(epoch);
                    if (here && reason.contains("cannot be captured")) {
                        uncapturable = Math.max(uncapturable, epoch);
                    }
                    if (!reason.contains("Finalize")) {
                        abandonedAt[rank] = epoch;
                    }
                    ended(epoch);
                }
            };
        }

        /** Otherwise hardly any seed goes back to an epoch in which some ranks had finished and others had not. */
        private void crashSoonIfSomeAreAtTheirEnd() {
            boolean some = Arrays.stream(ranks).anyMatch(rank -> rank.program(0).atEnd);
            if (some && crashAt != Long.MAX_VALUE && random.nextBoolean()) {
                crashAt = Math.min(crashAt, scheduler.steps() + random.nextInt(30));
            }
        }

        private void ended(int epoch) {
            if (underWay == epoch) {
                underWay = -1;
                // where the next epoch begins soon, not everybody has heard of the end of one that was abandoned
                nextCutAt = scheduler.steps() + random.nextInt(250) / (seed % 4 == 2 && deaths == null ? 50 : 1);
            }
        }

        /** The coordinator's clock, and the one that ends it all. */
        private void eachStep() {
            if (scheduler.steps() > crashAt) {
                scheduler.crash();
                return;
            }
            if (pendingCommit >= 0 && deaths != null) {
                int epoch = pendingCommit;
                pendingCommit = -1;
                for (PointToPoint engine : engines) {
                    engine.committed(epoch);
                }
            }
            dieIfDue();
            if (moves != null && cutting && scheduler.steps() >= nextMoveAt) {
                nextMoveAt = scheduler.steps() + 1 + moves.nextInt(300);
                engines[moves.nextInt(size)].leave(true);
            }
            if (cutting
                    && underWay < 0
                    && returning.isEmpty()
                    && scheduler.steps() >= nextCutAt
                    && engines[0] != null) {
                underWay = nextEpoch++;
                if (!engines[0].requestCut(underWay)) {
                    underWay = -1;
                    nextCutAt = scheduler.steps() + 50;
                }
            }
        }
    }

    @Override
    public String toString() {
        return "seed " + seed;
    }
}
