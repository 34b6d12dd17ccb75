package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * Output and input of all ranks of a job, over all their lives. Confined to the job's thread, but for {@link #say} and
 * {@link #flush}; the streams have locks and threads of their own, and only {@link #close} waits for who reads the output.
 */
final class JobStreams implements AutoCloseable {
    private final SharedOutput out;
    private final SharedOutput err;
    private final OutputChannel[] stdout;
    private final OutputChannel[] stderr;
    private final @Nullable PromptWatch prompts;
    private final @Nullable StdinFeed stdin;
    private final List<Map<Integer, Starts>> before;
    private long stdinOffset;

    /** Where a process' own counting of its three streams began, in the program's. */
    private record Starts(long stdout, long stderr, long stdin) {}

    /** @param whenLost called once when the job's standard output cannot be written */
    JobStreams(JobRequest request, Path folder, Surroundings around, Consumer<SharedOutput.Loss> whenLost)
            throws IOException {
        JobLaunch.Outputs outputs = around.outputs(whenLost);
        LongSupplier nanoTime = around.machine().clock();
        this.out = outputs.out();
        this.err = outputs.err();
        int size = request.size();
        this.stdout = new OutputChannel[size];
        this.stderr = new OutputChannel[size];
        this.before = Stream.generate(() -> (Map<Integer, Starts>) new HashMap<Integer, Starts>())
                .limit(size)
                .toList();
        OutputChannel.Resumption resumption = !request.checkpoints()
                ? OutputChannel.Resumption.NONE
                : request.transparent() ? OutputChannel.Resumption.CAPTURED : OutputChannel.Resumption.COOPERATIVE;
        for (int rank = 0; rank < size; rank++) {
            String tag = request.tagOutput() ? "[" + rank + "] " : "";
            String who = "rank " + rank;
            stdout[rank] = new OutputChannel(
                    out,
                    err,
                    JobFolder.log(folder, rank, false),
                    tag,
                    resumption,
                    offset -> say(who + " printed something else than before it went back (at byte " + offset
                            + " of its output): as many lines of it are not shown as had been shown already"),
                    nanoTime);
            stderr[rank] = new OutputChannel(
                    err, err, JobFolder.log(folder, rank, true), tag, resumption, offset -> {}, nanoTime);
        }
        this.prompts = outputs.showsPrompts()
                ? new PromptWatch(
                        Stream.of(stdout, stderr).flatMap(Arrays::stream).toList())
                : null;
        this.stdin = request.checkpoints() || request.hosted()
                ? new StdinFeed(around.stdin(), request.restart(), around.machine())
                : null;
    }

    /** A line of the launcher's own, on stderr. */
    void say(String text) {
        err.line(text);
    }

    /** A rank's next life begins: anew, or where its image was made. */
    void begin(int worldRank, @Nullable RankImage image) {
        before.get(worldRank).clear();
        stdout[worldRank].begin(image == null ? 0 : image.stdoutBytes(), image != null);
        stderr[worldRank].begin(image == null ? 0 : image.stderrBytes(), image != null);
    }

    /** Whether rank 0 can get what it read behind its image. */
    boolean hasInput(@Nullable RankImage image) {
        return stdin == null || stdin.has(image == null ? 0 : image.stdinBytes());
    }

    /** Whether the rank gets the job's input from behind what its program had read at its image. */
    boolean isFedFromImage(int worldRank) {
        return worldRank == 0 && stdinOffset > 0;
    }

    /** Rank 0 gets the job's input, from where its image was made. */
    void feed(Process rankZero, @Nullable RankImage image) {
        if (stdin != null) {
            stdinOffset = image == null ? 0 : image.stdinBytes();
            stdin.feed(rankZero.getOutputStream(), stdinOffset);
        }
    }

    /** Whether all is here that a process had written when its program stood still. */
    boolean isHere(int worldRank, ControlMessage.Departed at) {
        return stdout[worldRank].hasCome(at.stdoutBytes()) && stderr[worldRank].hasCome(at.stderrBytes());
    }

    /**
     * Whether all is here that a process had written at a cut.
     *
     * @param incarnation which process of the rank; where it has moved since, all of it is here
     */
    boolean isHere(int worldRank, int incarnation, ControlMessage.SnapshotWritten at) {
        return before.get(worldRank).containsKey(incarnation)
                || (stdout[worldRank].hasCome(at.stdoutBytes()) && stderr[worldRank].hasCome(at.stderrBytes()));
    }

    /**
     * A rank goes on in another process; the output of the one before is here.
     *
     * @param at where the program stood still, counted from the start of its JVM
     */
    void moved(RankSlot from, RankSlot now, ControlMessage.Departed at) {
        int rank = from.worldRank;
        Starts starts = starts(rank);
        before.get(rank).put(from.incarnation, starts);
        stdout[rank].moved(starts.stdout + at.stdoutBytes());
        stderr[rank].moved(starts.stderr + at.stderrBytes());
        if (stdin != null && rank == 0) {
            stdinOffset += at.stdinBytes();
            stdin.feed(now.process.getOutputStream(), stdinOffset);
        }
    }

    OutputChannel stdout(int worldRank) {
        return stdout[worldRank];
    }

    OutputChannel stderr(int worldRank) {
        return stderr[worldRank];
    }

    private Starts starts(int worldRank) {
        return new Starts(stdout[worldRank].offset(0), stderr[worldRank].offset(0), worldRank == 0 ? stdinOffset : 0);
    }

    /**
     * A process counts from the start of its JVM; the job counts over all lives. The process may have moved since: what it
     * says of an image is heard only when the image's copy is there. From here on the job may be resumed at that cut.
     *
     * @param incarnation which process of the rank has said so
     */
    ControlMessage.SnapshotWritten inProgramOffsets(
            RankSlot slot, int incarnation, ControlMessage.SnapshotWritten written) {
        Starts moved = before.get(slot.worldRank).get(incarnation);
        Starts from = moved == null ? starts(slot.worldRank) : moved;
        stdout[slot.worldRank].cutAt(from.stdout + written.stdoutBytes());
        stderr[slot.worldRank].cutAt(from.stderr + written.stderrBytes());
        return new ControlMessage.SnapshotWritten(
                written.epoch(),
                written.file(),
                written.bytes(),
                written.crc32c(),
                written.fullEpoch(),
                written.stallNanos(),
                from.stdout + written.stdoutBytes(),
                from.stderr + written.stderrBytes(),
                slot.worldRank == 0 ? from.stdin + written.stdinBytes() : 0);
    }

    /** No resumption will need the input before this offset. */
    void committed(long stdinBytes) {
        if (stdin != null) {
            stdin.committed(stdinBytes);
        }
    }

    /** Waits until all that was said and passed on so far is out, or nobody reads it any more; no longer than this. */
    void flush(long nanos) {
        long untilNanos = System.nanoTime() + nanos;
        try {
            boolean _ = out.flush(nanos) && err.flush(untilNanos - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all that was passed on so far is out, however slow the reader is; why standard output is not, or null. */
    SharedOutput.@Nullable Loss shown() {
        flush(Long.MAX_VALUE);
        return out.loss();
    }

    /** All is shown when this returns, however slow the reader is. */
    @Override
    public void close() {
        flush(Long.MAX_VALUE);
        if (prompts != null) {
            prompts.close();
        }
        for (int rank = 0; rank < stdout.length; rank++) {
            stdout[rank].close();
            stderr[rank].close();
        }
    }
}
