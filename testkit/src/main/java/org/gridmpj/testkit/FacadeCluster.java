package org.gridmpj.testkit;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.runtime.Bootstrap;
import org.gridmpj.runtime.EngineConfig;
import org.gridmpj.runtime.MpiProcess;
import org.gridmpj.runtime.ProcessSource;
import org.gridmpj.runtime.RankContext;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code main(String[])} of a real MPI program as N ranks in this JVM, over any transport.
 *
 * <pre>
 *   app loader:      org.gridmpj.*   JUnit   AssertJ          shared by all
 *   rank 0's loader: mpi.*  mpj.*  the program's package      statics of its own
 *   rank 1's loader: mpi.*  mpj.*  the program's package      statics of its own …
 * </pre>
 *
 * The first failure ends the run: the engines of the others are closed, which makes their calls fail.
 */
public final class FacadeCluster {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSING_LIMIT = Duration.ofSeconds(10);

    private final int size;
    private final TransportProvider provider;
    private final PointToPointConfig settings;

    private FacadeCluster(int size, TransportProvider provider, PointToPointConfig settings) {
        this.size = size;
        this.provider = provider;
        this.settings = settings;
    }

    /** N ranks over a plain network in memory. */
    public static FacadeCluster of(int size) {
        return of(size, new InMemoryNetwork(InMemoryNetwork.Behaviour.plain()));
    }

    /** N ranks over any transport. */
    public static FacadeCluster of(int size, TransportProvider provider) {
        return new FacadeCluster(size, provider, PointToPointConfig.forSharedCores());
    }

    /** With other settings of point-to-point. */
    public FacadeCluster with(PointToPointConfig others) {
        return new FacadeCluster(size, provider, others);
    }

    /**
     * Runs a program's main to its end on all ranks.
     *
     * @return exit code: 0, or that of the first rank that called Abort
     * @throws AssertionError if a main threw, naming the rank, or if the ranks were not done in time
     */
    public int run(Class<?> program, String... args) {
        return run(program.getName(), classPath(), args);
    }

    /** As {@link #run(Class, String...)} for a program of that name on the class path. */
    public int run(String program, String... args) {
        return run(program, classPath(), args);
    }

    /** As {@link #run(Class, String...)} for a program whose classes lie somewhere else. */
    public int run(String program, List<Path> classPath, String... args) {
        Job job = new Job();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int worldRank = rank;
            Thread thread = new Thread(() -> job.main(worldRank, program, classPath, args), "rank-" + worldRank);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        return job.await(threads);
    }

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
    }

    /** One run. Thread-safe. */
    private final class Job {
        private final JobSecret secret = JobSecret.random();
        private final CountDownLatch ended = new CountDownLatch(size);
        private final AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();
        private final AtomicReference<FacadeParent.@Nullable Aborted> aborted = new AtomicReference<>();
        /** One for each Init of the program; guarded by this. */
        private final List<FacadeParent> rounds = new ArrayList<>();
        /** Guarded by this. */
        private final List<MpiProcess> processes = new ArrayList<>();

        void main(int worldRank, String program, List<Path> classPath, String[] args) {
            try (RankLoader loader = new RankLoader(urls(classPath), packageOf(program))) {
                Thread.currentThread().setContextClassLoader(loader);
                Class.forName("mpi.Binding", true, loader);
                Method use = Class.forName("mpi.Binding", true, loader).getDeclaredMethod("use", ProcessSource.class);
                use.setAccessible(true);
                use.invoke(null, new RankSource(worldRank));
                Method main = Class.forName(program, true, loader).getDeclaredMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) args.clone());
            } catch (InvocationTargetException e) {
                fail("rank " + worldRank, e.getCause() == null ? e : e.getCause());
            } catch (ReflectiveOperationException | IOException | RuntimeException | Error e) {
                fail("rank " + worldRank, e);
            } finally {
                ended.countDown();
            }
        }

        private void fail(String who, Throwable cause) {
            if (cause instanceof FacadeParent.Aborted abort) {
                aborted.compareAndSet(null, abort);
            } else if (aborted.get() == null) {
                failure.compareAndSet(null, new AssertionError(who + ": " + cause, cause));
            }
            closeAll();
        }

        private synchronized void closeAll() {
            rounds.forEach(FacadeParent::giveUp);
            processes.forEach(MpiProcess::close);
        }

        synchronized FacadeParent parentOf(int round) {
            while (rounds.size() <= round) {
                rounds.add(new FacadeParent(new JobSpec("facade-" + rounds.size(), size, 0)));
            }
            return rounds.get(round);
        }

        private synchronized void started(MpiProcess process) {
            processes.add(process);
            if (failure.get() != null || aborted.get() != null) {
                // Another rank has failed while this one was starting.
                process.close();
            }
        }

        int await(List<Thread> threads) {
            if (!await(LIMIT)) {
                fail("the cluster", new AssertionError("not done within " + LIMIT + stacks(threads)));
                await(CLOSING_LIMIT);
            }
            closeAll();
            FacadeParent.Aborted abort = aborted.get();
            if (abort != null) {
                return abort.exitCode();
            }
            AssertionError first = failure.get();
            if (first != null) {
                throw first;
            }
            return 0;
        }

        private boolean await(Duration time) {
            try {
                return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Gives one rank its processes, one for each Init. */
        private final class RankSource implements ProcessSource {
            private final int worldRank;
            private int round;

            RankSource(int worldRank) {
                this.worldRank = worldRank;
            }

            @Override
            public Bootstrap.Started start(String[] mainArguments) {
                RankContext context = new RankContext(
                        parentOf(round++), worldRank, 0, secret, provider.name(), "127.0.0.1", Map.of(), "", null);
                EngineConfig config = EngineConfig.defaults().withPointToPoint(settings);
                MpiProcess process = MpiProcess.start(context, provider, config, null);
                started(process);
                return new Bootstrap.Started(process, List.of(mainArguments));
            }
        }
    }

    private static String packageOf(String program) {
        return program.substring(0, program.lastIndexOf('.') + 1);
    }

    private static URL[] urls(List<Path> classPath) throws IOException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toUri().toURL();
        }
        return urls;
    }

    private static String stacks(List<Thread> threads) {
        StringBuilder text = new StringBuilder();
        for (Thread thread : threads) {
            text.append('\n').append(thread.getName()).append(' ').append(thread.getState());
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("\n    at ").append(frame);
            }
        }
        return text.toString();
    }

    /** Loads the facade and the program for one rank, all else through the parent. */
    private static final class RankLoader extends URLClassLoader {
        static {
            registerAsParallelCapable();
        }

        private final String programPackage;

        RankLoader(URL[] urls, String programPackage) {
            super(urls, FacadeCluster.class.getClassLoader());
            this.programPackage = programPackage;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!isOwn(name)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        private boolean isOwn(String name) {
            String itsPackage = packageOf(name);
            return itsPackage.equals("mpi.") || itsPackage.equals("mpj.") || itsPackage.equals(programPackage);
        }
    }
}
