package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.FileSnapshotStore;
import org.gridmpj.checkpoint.SnapshotStore;
import org.jspecify.annotations.Nullable;

/** What a job finds around it, but for its folder and what is agreed. A simulation of the launcher is another one. */
interface Surroundings {
    Machine machine();

    /** What happens, for the job's one thread. */
    BlockingQueue<JobEvent> events();

    /** Runs what may take long and nobody waits for, one at a time, in order; not any more when this process ends. */
    Executor notes();

    /**
     * The launcher's own streams.
     *
     * @param whenLost called once when stdout cannot be written
     */
    JobLaunch.Outputs outputs(Consumer<SharedOutput.Loss> whenLost);

    /** The launcher's own input. */
    InputStream stdin();

    /**
     * The hosts of the job, or null if all its ranks are on this one.
     *
     * @param say what the user is told
     */
    @Nullable
    Hosts hosts(Consumer<String> say) throws IOException;

    /**
     * Where the snapshots of the job are.
     *
     * @param hosts that have the images, or null if they are beside the manifests
     */
    SnapshotStore store(Path folder, @Nullable Hosts hosts);

    /**
     * Prestarted JVMs of a job without hosts.
     *
     * @param control where they find the launcher
     */
    Spares.Start spares(RankStarter starter, InetSocketAddress control);

    /**
     * Where the ranks of the job run.
     *
     * @param control where they find the launcher
     */
    RankPlaces places(@Nullable Hosts hosts, RankStarter starter, InetSocketAddress control, Spares spares);

    /** Those of a job that is no simulation. */
    static Surroundings of(JobLaunch launch) {
        return new Surroundings() {
            private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();

            @Override
            public Machine machine() {
                return Machine.THIS;
            }

            @Override
            public BlockingQueue<JobEvent> events() {
                return events;
            }

            @Override
            public Executor notes() {
                ThreadPoolExecutor one = new ThreadPoolExecutor(
                        1,
                        1,
                        1,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("notes").factory());
                one.allowCoreThreadTimeOut(true);
                return one;
            }

            @Override
            public JobLaunch.Outputs outputs(Consumer<SharedOutput.Loss> whenLost) {
                return launch.outputs(whenLost);
            }

            @Override
            public InputStream stdin() {
                return launch.stdin();
            }

            @Override
            public @Nullable Hosts hosts(Consumer<String> say) throws IOException {
                return launch.hosts(machine(), events::add, say);
            }

            @Override
            public SnapshotStore store(Path folder, @Nullable Hosts hosts) {
                return hosts == null ? FileSnapshotStore.at(folder) : FileSnapshotStore.at(folder, hosts.images());
            }

            @Override
            public Spares.Start spares(RankStarter starter, InetSocketAddress control) {
                return (rank, incarnation) -> starter.startSpare(rank, incarnation, control, ThisHost.LOOPBACK);
            }

            @Override
            public RankPlaces places(
                    @Nullable Hosts hosts, RankStarter starter, InetSocketAddress control, Spares spares) {
                return hosts != null ? hosts : new ThisHost(launch.folder().path(), starter, control, spares);
            }
        };
    }
}
