package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.snapshot.CheckpointHook;
import org.gridmpj.snapshot.SnapshotEngine;
import org.gridmpj.testkit.LocalCluster;
import org.gridmpj.transport.HostMemory;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which jobs' collectives go by memory of all ranks, and what becomes of it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostSegmentsTest {
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final int CALLS = 20;

    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger attached = new AtomicInteger();

    @BeforeEach
    void requireSharedMemory() {
        assumeThat(SharedFile.hostId())
                .as("this system has no /dev/shm and /proc/self/fd")
                .isNotZero();
    }

    /** A provider whose ranks count what they create and attach; one rank may not attach. */
    private TransportProvider counting(TransportProvider provider, int refusing) {
        return new TransportProvider() {
            @Override
            public String name() {
                return provider.name();
            }

            @Override
            public Transport open(Context context) {
                Transport transport = provider.open(context);
                HostMemory memory = transport.hostMemory();
                HostMemory counted = memory == null ? null : new Counted(memory, context.worldRank() == refusing);
                return (Transport) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Transport.class}, (_, method, arguments) -> {
                            if (method.getName().equals("hostMemory")) {
                                return counted;
                            }
                            try {
                                return method.invoke(transport, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            }
        };
    }

    private final class Counted implements HostMemory {
        private final HostMemory memory;
        private final boolean refuses;

        Counted(HostMemory memory, boolean refuses) {
            this.memory = memory;
            this.refuses = refuses;
        }

        @Override
        public Created create(long bytes) throws IOException {
            created.incrementAndGet();
            return memory.create(bytes);
        }

        @Override
        public MemorySegment attach(long[] place) throws IOException {
            if (refuses) {
                throw new IOException("refused by the test");
            }
            attached.incrementAndGet();
            return memory.attach(place);
        }

        @Override
        public boolean isAtHand(int worldRank) {
            return memory.isAtHand(worldRank);
        }

        @Override
        public void nudge(int worldRank) {
            memory.nudge(worldRank);
        }
    }

    private static void sumAgainAndAgain(BlockingCollectives collectives, Communicator communicator) {
        int size = communicator.size();
        long[] sum = new long[1];
        for (int i = 0; i < CALLS; i++) {
            collectives.allreduce(null, new long[] {i + communicator.rank()}, 0, sum, 0, 1, LONG, PredefinedOp.SUM);
            assertThat(sum[0]).isEqualTo((long) size * i + size * (size - 1) / 2);
        }
    }

    private void run(LocalCluster cluster) {
        cluster.run(process -> sumAgainAndAgain(new BlockingCollectives(process.world()), process.world()));
    }

    @Test
    void shouldMapOneSegmentPerCommunicatorAndLeaveNothingBehind() throws IOException {
        run(LocalCluster.of(4, counting(OptionedTransportProvider.SHARED_MEMORY, -1)));
        assertThat(created).hasValue(1);
        assertThat(attached).hasValue(3);
        try (DirectoryStream<Path> names = Files.newDirectoryStream(Path.of("/dev/shm"), "gridmpj-*")) {
            for (Path name : names) {
                // between open and delete of another process there is an empty file for a moment
                assertThat(Files.exists(name) && Files.size(name) > 0)
                        .as(name.toString())
                        .isFalse();
            }
        }
    }

    @Test
    void shouldNameTheCallsWhenCountsDiffer() {
        LocalCluster.of(2, OptionedTransportProvider.SHARED_MEMORY).run(process -> {
            BlockingCollectives collectives = new BlockingCollectives(process.world());
            sumAgainAndAgain(collectives, process.world());
            int count = 1 + process.world().rank();
            assertThatExceptionOfType(MpiFailure.class)
                    .isThrownBy(() ->
                            collectives.allreduce(null, new long[2], 0, new long[2], 0, count, LONG, PredefinedOp.SUM))
                    .withMessageContaining("allreduce of 8 bytes")
                    .withMessageContaining("allreduce of 16 bytes")
                    .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.COUNT));
            assertThatExceptionOfType(MpiFailure.class)
                    .isThrownBy(() -> collectives.barrier(null))
                    .withMessageContaining("an earlier collective");
        });
    }

    @Test
    void shouldGoByMessagesWhenOneRankCannotMapTheSegment() {
        run(LocalCluster.of(4, counting(OptionedTransportProvider.SHARED_MEMORY, 2)));
        assertThat(created).hasValue(1);
        assertThat(attached).hasValue(2);
    }

    @Test
    void shouldGoByMessagesWhenLinksAreConnections() {
        run(LocalCluster.of(3, counting(new OptionedTransportProvider(Map.of("link", "tcp")), -1)));
        assertThat(created).hasValue(0);
    }

    @Test
    void shouldGoByMessagesWhenRanksAreOnSeveralHosts() {
        run(LocalCluster.of(3, counting(OptionedTransportProvider.SHARED_MEMORY, -1))
                .on(1, 1, 2));
        assertThat(created).hasValue(0);
    }

    @Test
    void shouldGoByMessagesWhenTheTableSaysSo() {
        SelectionTable table = SelectionTable.of("allreduce ring bytes 8-8\nallreduce recursive-doubling", "test");
        LocalCluster.of(3, counting(OptionedTransportProvider.SHARED_MEMORY, -1))
                .run(process -> sumAgainAndAgain(new BlockingCollectives(process.world(), table), process.world()));
        assertThat(created).hasValue(0);
    }

    /** What is in a shared segment is in nobody's image: cooperative snapshots know nothing of it. */
    @Test
    void shouldGoByMessagesWhenSnapshotsAreCooperative() {
        run(LocalCluster.of(3, counting(OptionedTransportProvider.SHARED_MEMORY, -1))
                .checkpointedBy(new Hook(false, null)));
        assertThat(created).hasValue(0);
    }

    @Test
    void shouldMapASegmentWhenSnapshotsAreTransparent() {
        run(LocalCluster.of(3, counting(OptionedTransportProvider.SHARED_MEMORY, -1))
                .checkpointedBy(new Hook(true, null)));
        assertThat(created).hasValue(1);
        assertThat(attached).hasValue(2);
    }

    /** A rank that goes back alone would find what the others have written since. */
    @Test
    void shouldGoByMessagesWhenARankMayGoBackAlone(@TempDir Path folder) {
        run(LocalCluster.of(3, counting(OptionedTransportProvider.SHARED_MEMORY, -1))
                .checkpointedBy(new Hook(true, folder)));
        assertThat(created).hasValue(0);
    }

    private record Hook(boolean isTransparent, @Nullable Path messageLogFolder) implements CheckpointHook {
        @Override
        public void attached(SnapshotEngine engine) {}

        @Override
        public void onControl(ControlMessage message) {}

        @Override
        public void detaching() {}
    }
}
