package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;

/**
 * How this rank leaves its process for another one, while the other ranks run on (docs/design/0014).
 *
 * <pre>
 *   CopyAhead ─▶ no epoch begun here ─▶ threads unwind ─▶ copy, goes on ─▶ image in the background, CopiedAhead   (again)
 *   Depart ─▶ no epoch begun here ─▶ threads unwind ─▶ stands still: image, Departed ─▶ killed
 *      └──────────── Stay, or it cannot be captured ──────────┴─▶ goes on
 * </pre>
 *
 * <p>Guarded by its monitor, which is never held while anything is waited for; the program's thread writes the image and
 * waits, under the engine's lock, the thread that reads the control connection tells what is wanted.
 */
final class RankDeparture {
    private static final long PATIENCE_NANOS = 15_000_000_000L;

    private final SnapshotEngine engine;
    private final ImageScribe scribe;
    private final StateGraph graph = new StateGraph();
    private final Supplier<StreamPositions> streams;
    private final LongSupplier wallClockMillis;
    private final Supplier<String[]> initializedClasses;
    private final @Nullable EpochCoordinator coordinator;
    private @Nullable Path wantedFile;
    private boolean wantedAhead;
    /** What was written ahead, of the move under way. */
    private @Nullable ImageLineage ahead;
    /** Moves that were given up: what such a one still writes is not of the one under way. */
    private int givenUp;

    private CountDownLatch stays = new CountDownLatch(1);

    /**
     * How the rank of an engine leaves.
     *
     * @param scribe writes images of epochs: one that is under way has to be reported first
     * @param coordinator rank 0's
     */
    RankDeparture(
            SnapshotEngine engine,
            ImageScribe scribe,
            Supplier<StreamPositions> streams,
            LongSupplier wallClockMillis,
            Supplier<String[]> initializedClasses,
            @Nullable EpochCoordinator coordinator) {
        this.engine = engine;
        this.scribe = scribe;
        this.streams = streams;
        this.wallClockMillis = wallClockMillis;
        this.initializedClasses = initializedClasses;
        this.coordinator = coordinator;
    }

    /**
     * An image of the state is to be made before the rank leaves, so that the one of the departure need not repeat what has
     * not changed, and nothing on its way is done for the first time. A second one and those that follow have what has changed
     * since the one before (iterative pre-copy; Clark et al., Live Migration of Virtual Machines, NSDI 2005). Does not block.
     */
    void copyAhead(Path file) {
        want(file, true);
    }

    /** This rank is to leave. Does not block. */
    void depart(Path file) {
        want(file, false);
    }

    private void want(Path file, boolean isAhead) {
        CountDownLatch standing = new CountDownLatch(1);
        synchronized (this) {
            wantedFile = file;
            wantedAhead = isAhead;
            stays = standing;
        }
        // an epoch under way may take its time
        Thread.ofVirtual().start(() -> prepare(file, standing));
    }

    private void prepare(Path file, CountDownLatch standing) {
        try {
            if (coordinator != null && !coordinator.pause(PATIENCE_NANOS)) {
                giveUp(file, "a snapshot under way does not end");
                return;
            }
            engine.leave(true);
            if (!standing.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS) && isWanted(file)) {
                String obstacle = engine.departureObstacle();
                engine.leave(false);
                giveUp(file, "it cannot be captured: " + obstacle);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void giveUp(Path file, String reason) {
        synchronized (this) {
            if (!file.equals(wantedFile)) {
                return;
            }
            wantedFile = null;
        }
        engine.report(new ControlMessage.NotMoved(name(file), reason));
    }

    private synchronized boolean isWanted(Path file) {
        return file.equals(wantedFile);
    }

    /** This rank stays in this process. Does not block. */
    void stay() {
        CountDownLatch standing;
        synchronized (this) {
            wantedFile = null;
            ahead = null;
            givenUp++;
            standing = stays;
        }
        standing.countDown();
        Thread.ofVirtual().start(() -> {
            engine.leave(false);
            if (coordinator != null) {
                coordinator.goOn();
            }
        });
    }

    /**
     * The program is unwound: leaves, if that is wanted.
     *
     * @return whether it was; if so the rank stays after all, and the frames are to be entered again
     */
    boolean leave(Object programState) {
        boolean[] again = {false};
        do {
            if (again[0]) {
                // an image of the epoch before was handed to the scribe in the last moment: it has to be reported first
                scribe.awaitIdle();
                engine.leave(true);
            }
            again[0] = false;
            boolean left = engine.depart((engineState, channels) -> {
                if (!scribe.isBusy()) {
                    standStill(programState, engineState, channels);
                } else {
                    again[0] = true;
                }
            });
            if (!left) {
                return false;
            }
        } while (again[0]);
        return true;
    }

    private void standStill(Object programState, Supplier<Object> engineState, Supplier<Map<String, byte[]>> channels) {
        long startNanos = System.nanoTime();
        Path file;
        boolean isAhead;
        int move;
        CountDownLatch standing;
        synchronized (this) {
            move = givenUp;
            file = wantedFile;
            isAhead = wantedAhead;
            standing = stays;
            wantedFile = null;
        }
        if (file == null) {
            return;
        }
        try {
            CrashPoint.hit(isAhead ? "ahead.standing" : "depart.standing");
            StateGraph.Copy state = graph.copy(new Object[] {programState, engineState.get()}, engine);
            if (isAhead) {
                standing.countDown();
                long stallNanos = System.nanoTime() - startNanos;
                // the desk is free, and this image is at it until the next one may need the memory
                scribe.submit(() -> writeAhead(file, state, stallNanos, move));
                return;
            }
            StreamPositions positions = streams.get();
            long bytes = write(file, state, channels.get());
            engine.report(new ControlMessage.Departed(
                    name(file),
                    bytes,
                    System.nanoTime() - startNanos,
                    positions.stdout(),
                    positions.stderr(),
                    positions.stdin()));
            CrashPoint.hit("depart.written");
            standing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            engine.report(new ControlMessage.NotMoved(name(file), "its state cannot be copied: " + e.getMessage()));
        }
    }

    /** Gives the memory back. */
    void close() {
        graph.close();
    }

    private void writeAhead(Path file, StateGraph.Copy state, long stallNanos, int move) {
        int nextEpoch = nextEpoch();
        try (FileChannel channel = create(file)) {
            ImageWriter image = ImageWriter.ofPassage(channel, header(nextEpoch), ahead());
            image.section(TransparentImage.STATE_SECTION);
            state.writeTo(image);
            ImageSummary summary = image.finish();
            ImageBase base = new ImageBase(name(file), summary);
            synchronized (this) {
                if (move == givenUp) {
                    ahead = ImageLineage.of(base, nextEpoch, image.blocks());
                }
            }
            engine.report(new ControlMessage.CopiedAhead(name(file), summary.bytes(), stallNanos));
        } catch (IOException | RuntimeException e) {
            engine.report(new ControlMessage.NotMoved(name(file), "its state cannot be written: " + e.getMessage()));
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private int nextEpoch() {
        return coordinator == null ? 0 : coordinator.nextEpoch();
    }

    private ImageHeader header(int nextEpoch) {
        return ImageHeader.of(engine, nextEpoch, ImageKind.SOLITARY, nextEpoch, wallClockMillis.getAsLong());
    }

    /** Not forced to disk later: nobody needs it after a power cut, which ends both processes. */
    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.file(file));
    }

    private synchronized @Nullable ImageLineage ahead() {
        return ahead;
    }

    private long write(Path file, StateGraph.Copy state, Map<String, byte[]> channels) throws IOException {
        int nextEpoch = nextEpoch();
        try (FileChannel channel = create(file)) {
            ImageWriter image = ImageWriter.ofPassage(channel, header(nextEpoch), ahead());
            image.section(TransparentImage.CLASSES_SECTION)
                    .write(String.join("\n", initializedClasses.get()).getBytes(StandardCharsets.UTF_8));
            image.section(TransparentImage.STATE_SECTION);
            state.writeTo(image);
            image.section(TransparentImage.NEXT_EPOCH_SECTION)
                    .write(ByteBuffer.allocate(Integer.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(nextEpoch)
                            .flip());
            for (Map.Entry<String, byte[]> each : channels.entrySet()) {
                image.section(TransparentImage.CHANNEL_SECTIONS + each.getKey()).write(each.getValue());
            }
            return image.finish().bytes();
        }
    }
}
