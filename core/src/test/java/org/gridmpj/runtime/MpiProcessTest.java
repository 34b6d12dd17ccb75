package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.SerializationBuffers;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.snapshot.CaptureSignal;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.InFlightFrames;
import org.gridmpj.snapshot.StackCapture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job of one rank, as a program has that is started without a launcher. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class MpiProcessTest {
    private static final TypeMap INT = TypeMap.of(BaseType.INT);

    private static final StackCapture NO_STACK = new StackCapture() {
        @Override
        public @Nullable String obstacle() {
            return "there is no program";
        }

        @Override
        public CaptureSignal unwind() {
            throw new UnsupportedOperationException();
        }
    };
    private static final CutListener NO_EPOCHS = new CutListener() {
        @Override
        public void complete(int epoch, InFlightFrames inFlight) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void abandoned(int epoch, String reason, boolean here) {
            throw new UnsupportedOperationException();
        }
    };

    private static RankContext context(int size, String transport) {
        List<Integer> halts = new ArrayList<>();
        return new RankContext(
                new SoloParent(new JobSpec("test", size, 0), halts::add),
                0,
                0,
                JobSecret.random(),
                transport,
                "127.0.0.1",
                Map.of(),
                "",
                null);
    }

    @Test
    void shouldRunAloneWithoutATransport() {
        MpiProcess process = MpiProcess.start(context(1, ""));
        assertThat(process.world().size()).isEqualTo(1);
        assertThat(process.self().rank()).isZero();
        PointToPoint p = process.pointToPoint();
        int[] in = new int[1];
        MessageStatus status = new MessageStatus();
        p.send(SendMode.STANDARD, new int[] {5}, 0, 1, INT, 0, process.world().pointToPointContext(), 1);
        p.receive(in, 0, 1, INT, 0, process.world().pointToPointContext(), 1, false, status);
        assertThat(in[0]).isEqualTo(5);
        assertThat(process.snapshots().agree(9)).isEqualTo(9);
        process.shutdown();
        process.shutdown();
        process.close();
    }

    @Test
    void shouldKeepTheSizeOfTheSerializationBuffersInASnapshot() {
        try (MpiProcess process = MpiProcess.start(context(1, ""))) {
            int before = process.serializationBufferBytes();
            try {
                process.setSerializationBufferBytes(12_345);
                Map<String, byte[]> sections = process.snapshots().freeze();
                assertThat(sections).containsKey("engine/serialization-buffers");
                process.setSerializationBufferBytes(777);
                process.snapshots().thaw(sections);
                assertThat(SerializationBuffers.sizeBytes()).isEqualTo(12_345);
                assertThat(process.serializationBufferBytes()).isEqualTo(12_345);
            } finally {
                process.setSerializationBufferBytes(before);
            }
        }
    }

    @Test
    void shouldPractiseWhileTheProgramIsInACallThatHasALockOfItsOwn() throws Exception {
        try (MpiProcess process = MpiProcess.start(context(1, ""))) {
            ReentrantLock ofACall = new ReentrantLock();
            CountDownLatch inCall = new CountDownLatch(1);
            CountDownLatch copying = new CountDownLatch(1);
            Thread program = Thread.ofPlatform().start(() -> {
                ofACall.lock();
                try {
                    inCall.countDown();
                    copying.await();
                    process.pointToPoint().attachBuffer(100); // takes the engine's lock
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    ofACall.unlock();
                }
            });
            inCall.await();
            List<Boolean> got = new ArrayList<>();
            boolean copied = process.snapshots().practise((epoch, state) -> {
                copying.countDown();
                try {
                    got.add(ofACall.tryLock(10, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(got).containsExactly(true);
            assertThat(copied).isTrue();
            program.join();
            process.pointToPoint().detachBuffer();
        }
    }

    @Test
    void shouldKeepTheSizeOfTheSerializationBuffersWhenTheRankGoesOnInAnotherProcess() {
        try (MpiProcess old = MpiProcess.start(context(1, ""));
                MpiProcess fresh = MpiProcess.start(context(1, ""))) {
            int before = old.serializationBufferBytes();
            try {
                old.pointToPoint().captureWith(NO_STACK, NO_EPOCHS);
                old.setSerializationBufferBytes(12_345);
                List<Object> state = new ArrayList<>();
                old.pointToPoint().leave(true);
                assertThat(old.pointToPoint().depart((engineState, channels) -> state.add(engineState.get())))
                        .isTrue();
                old.setSerializationBufferBytes(777);
                fresh.pointToPoint().adopt(state.getFirst(), new byte[0]);
                assertThat(fresh.serializationBufferBytes()).isEqualTo(12_345);
            } finally {
                old.setSerializationBufferBytes(before);
            }
        }
    }

    @Test
    void shouldFailAWaitWhenTheProcessIsClosed() throws InterruptedException {
        MpiProcess process = MpiProcess.start(context(1, ""));
        PointToPoint p = process.pointToPoint();
        List<Throwable> thrown = new ArrayList<>();
        Thread waiting = new Thread(() -> {
            try {
                p.receive(new int[1], 0, 1, INT, 0, 7, 1, false, new MessageStatus());
            } catch (MpiFailure failure) {
                thrown.add(failure);
            }
        });
        waiting.start();
        process.close();
        waiting.join();
        assertThat(thrown).singleElement().asString().contains("closed");
    }

    @Test
    void shouldSayWhichTransportIsMissing() {
        assertThatThrownBy(() -> MpiProcess.start(context(1, "pigeon")))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("pigeon")
                .hasMessageContaining("class path");
        assertThatThrownBy(() -> MpiProcess.findTransport("", 2))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("gridmpj.jar");
    }
}
