package org.gridmpj.launcher.job;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.FolderCoordination;

/** A job without a launcher's loop; its ranks are processes that do nothing, and the test says what they would. */
final class IdleRanks implements AutoCloseable {
    private final LaterMachine machine = new LaterMachine();
    final LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    final Coordination coordination;
    final JobStreams streams;
    final RankPlaces places;
    final Members members;
    final Ranks ranks;
    final JobFolder folder;

    IdleRanks(Path root, int size) throws IOException {
        this(root, size, here -> here);
    }

    /** @param places what the job has in place of this host */
    IdleRanks(Path root, int size, UnaryOperator<RankPlaces> places) throws IOException {
        Path idle = Files.writeString(root.resolve("idle"), "#!/bin/sh\nexec sleep 600\n");
        Files.setPosixFilePermissions(idle, PosixFilePermissions.fromString("rwx------"));
        Installation installation = new Installation(idle, List.of(), null, null);
        JobRequest request = JobRequests.of("Idle", size, true, root);
        folder = JobFolder.create(new UserFolders(root), null, new Random(1));
        coordination = new FolderCoordination(folder.path());
        streams = JobRequests.streams(new JobLaunch(
                request, folder, installation, coordination, folder.renewSecret(), null, null, List.of()));
        this.places = places.apply(new ThisHost(
                folder.path(),
                new RankStarter(request, installation, folder.path(), null),
                InetSocketAddress.createUnresolved("localhost", 1),
                Spares.of(request, machine, (rank, incarnation) -> new ProcessBuilder(idle.toString()).start())));
        members = new Members(coordination, streams::say);
        ranks = new Ranks("idle", request, this.places, coordination, members, streams, machine, events::add);
    }

    /** So much time passes at once. */
    void skip(Duration time) {
        machine.skip(time);
    }

    /** All ranks listen, and are told where the others do. */
    void meet() {
        for (RankSlot slot : ranks.all()) {
            ranks.bound(slot, new ControlMessage.Bound("127.0.0.1", 1 + slot.worldRank, "here"));
        }
    }

    /** What a move of one of them works with. */
    Migration.Job moving() {
        return new Migration.Job("idle", ranks, places, coordination, members, streams, events::add, () -> {});
    }

    @Override
    public void close() {
        ranks.kill();
        members.close();
        streams.close();
        folder.close();
    }
}
