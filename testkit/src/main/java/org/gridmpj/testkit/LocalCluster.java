package org.gridmpj.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.runtime.EngineConfig;
import org.gridmpj.runtime.MpiProcess;
import org.gridmpj.runtime.RankContext;
import org.gridmpj.snapshot.CheckpointHook;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * Runs N ranks as N threads of this JVM, each with an engine of its own: {@code LocalCluster.of(4).run(process -> …)}.
 *
 * <p>The first failure ends the run: the others' engines are closed, which makes their calls fail, and the failure is
 * rethrown with the rank's name. Nothing outlives {@link #run}.
 */
public final class LocalCluster {
    /** What each rank does. */
    @FunctionalInterface
    public interface RankProgram {
        void run(MpiProcess process) throws Exception;
    }

    private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSING_LIMIT = Duration.ofSeconds(10);

    private final int size;
    private final TransportProvider provider;
    private final EngineConfig config;
    private final Duration limit;
    private final int @Nullable [] hosts;
    private final @Nullable CheckpointHook hook;

    private LocalCluster(
            int size,
            TransportProvider provider,
            EngineConfig config,
            Duration limit,
            int @Nullable [] hosts,
            @Nullable CheckpointHook hook) {
        this.size = size;
        this.provider = provider;
        this.config = config;
        this.limit = limit;
        this.hosts = hosts;
        this.hook = hook;
    }

    /** N ranks over a plain network in memory. */
    public static LocalCluster of(int size) {
        return of(size, new InMemoryNetwork(InMemoryNetwork.Behaviour.plain()));
    }

    /** N ranks over any transport. */
    public static LocalCluster of(int size, TransportProvider provider) {
        EngineConfig config = EngineConfig.defaults().withPointToPoint(PointToPointConfig.forSharedCores());
        return new LocalCluster(size, provider, config, DEFAULT_LIMIT, null, null);
    }

    /** With other settings of the engine. */
    public LocalCluster with(PointToPointConfig settings) {
        return new LocalCluster(size, provider, config.withPointToPoint(settings), limit, hosts, hook);
    }

    /** With another limit of time for the whole run. */
    public LocalCluster within(Duration newLimit) {
        return new LocalCluster(size, provider, config, newLimit, hosts, hook);
    }

    /** With ranks on invented hosts, by world rank any number for each host: their IP table says so, nothing else. */
    public LocalCluster on(int... newHosts) {
        return new LocalCluster(size, provider, config, limit, newHosts.clone(), hook);
    }

    /** With checkpoints: one hook for all ranks. */
    public LocalCluster checkpointedBy(CheckpointHook newHook) {
        return new LocalCluster(size, provider, config, limit, hosts, newHook);
    }

    /** Runs N ranks over any transport. */
    public static void run(int size, TransportProvider provider, RankProgram program) {
        of(size, provider).run(program);
    }

    /** Runs a program on all ranks, from start to shutdown. */
    public void run(RankProgram program) {
        JobSpec job = new JobSpec("local", size, 0);
        JobSecret secret = JobSecret.random();
        LocalParent parent = new LocalParent(job, hosts);
        List<AtomicReference<@Nullable MpiProcess>> processes = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(size);
        Failures failures = new Failures(parent, processes);
        List<Thread> threads = new ArrayList<>();
        List<Transport> transports = Collections.synchronizedList(new ArrayList<>());
        TransportProvider remembering = remembering(transports);
        for (int rank = 0; rank < size; rank++) {
            int worldRank = rank;
            AtomicReference<@Nullable MpiProcess> place = new AtomicReference<>();
            processes.add(place);
            RankContext context =
                    new RankContext(parent, worldRank, 0, secret, provider.name(), "127.0.0.1", Map.of(), "", null);
            Thread thread = new Thread(
                    () -> {
                        try {
                            MpiProcess process = MpiProcess.start(context, remembering, config, hook);
                            place.set(process);
                            failures.closeIfAny(process);
                            program.run(process);
                            process.shutdown();
                        } catch (Throwable e) {
                            failures.add(worldRank, e);
                        } finally {
                            ended.countDown();
                        }
                    },
                    "rank-" + worldRank);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        if (!await(ended, limit)) {
            failures.add(
                    -1,
                    new AssertionError("the ranks were not done within " + limit + "\n" + stacks(threads)
                            + String.join(
                                    "\n",
                                    transports.stream().map(Transport::toString).toList())));
        }
        failures.closeAll();
        await(ended, CLOSING_LIMIT);
        failures.closeAll();
        failures.rethrow();
    }

    /** The provider; what it opens can be asked for its state if the ranks hang. */
    private TransportProvider remembering(List<Transport> transports) {
        return new TransportProvider() {
            @Override
            public String name() {
                return provider.name();
            }

            @Override
            public Transport open(Context context) {
                Transport transport = provider.open(context);
                transports.add(transport);
                return transport;
            }
        };
    }

    private static boolean await(CountDownLatch latch, Duration time) {
        try {
            return latch.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String stacks(List<Thread> threads) {
        StringBuilder text = new StringBuilder();
        for (Thread thread : threads) {
            text.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }

    /** The first failure, and the end of the other ranks. Thread-safe. */
    private static final class Failures {
        private final LocalParent parent;
        private final List<AtomicReference<@Nullable MpiProcess>> processes;
        private final AtomicReference<@Nullable AssertionError> first = new AtomicReference<>();

        Failures(LocalParent parent, List<AtomicReference<@Nullable MpiProcess>> processes) {
            this.parent = parent;
            this.processes = processes;
        }

        void add(int worldRank, Throwable cause) {
            String who = worldRank < 0 ? "the cluster" : "rank " + worldRank;
            AssertionError failure = new AssertionError(who + ": " + cause, cause);
            if (first.compareAndSet(null, failure)) {
                parent.fail(new MpiFailure(ErrorClass.OTHER, "another rank of this test has failed: " + cause));
                closeAll();
            }
        }

        /** For a process that has just started: another rank may have failed in the meantime. */
        void closeIfAny(MpiProcess process) {
            if (first.get() != null) {
                process.close();
            }
        }

        void closeAll() {
            for (AtomicReference<@Nullable MpiProcess> place : processes) {
                MpiProcess process = place.get();
                if (process != null) {
                    process.close();
                }
            }
        }

        void rethrow() {
            AssertionError failure = first.get();
            if (failure != null) {
                throw failure;
            }
        }
    }
}
