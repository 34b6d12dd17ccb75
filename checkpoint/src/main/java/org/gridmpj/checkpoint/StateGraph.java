package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.capture.heap.GraphReader;
import org.gridmpj.capture.heap.GraphRehearsal;
import org.gridmpj.capture.heap.GraphWriter;
import org.gridmpj.capture.heap.ImageMemory;
import org.gridmpj.capture.heap.TokenRegistry;
import org.gridmpj.capture.heap.UncapturableException;
import org.gridmpj.snapshot.SnapshotEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the one graph of program and engine. Owned by one snapshot at a time: the program's thread fills the memory,
 * hands it to the writer, and touches it again only when that one is done.
 */
final class StateGraph implements AutoCloseable {
    /** Of a heap that holds more, much may be garbage. */
    private static final long MOST_AHEAD_BYTES = 128L << 20;

    private static final long LOOK_MILLIS = 100;

    /** In half a second a short program is over and a long one is through with its start. */
    private static final int FIRST_PRACTICE = 5;

    /** Each takes some 25 ms. What one does is not all compiled by the next. */
    private static final int LAST_PRACTICE = 9;

    /** So often that the methods which write are compiled by then: 200 calls, or 2000 with loops, are what the JVM waits for. */
    private static final int WRITES_IN_A_PRACTICE = 8;

    private static final Logger LOG = LoggerFactory.getLogger(StateGraph.class);

    private final ImageMemory memory = new ImageMemory();
    private final CountDownLatch prepared = new CountDownLatch(1);

    /** A copy, in memory; valid until the next. */
    static final class Copy {
        private final ImageMemory memory;

        private Copy(ImageMemory memory) {
            this.memory = memory;
        }

        long lengthBytes() {
            return memory.lengthBytes();
        }

        /** Appends it to the section that was begun. */
        void writeTo(ImageWriter image) throws IOException {
            memory.writeTo(image::write);
        }
    }

    /**
     * Copies a graph: the time that this takes is the time that the program stands still.
     *
     * @throws IOException naming the path to what no image can hold
     */
    Copy copy(Object root, SnapshotEngine engine) throws IOException {
        prepared.countDown();
        write(root, engine, memory);
        return new Copy(memory);
    }

    /**
     * Until the first copy is made: what it uses is loaded and looked up before somebody waits for it, and so is its memory, as
     * much as the heap holds meanwhile.
     *
     * @param hasTime not while the job waits for this process to be made again of an image
     * @param practice a round of all that a snapshot does; not run before the program has had its start to itself
     */
    void prepare(BooleanSupplier hasTime, Runnable practice) {
        Runtime heap = Runtime.getRuntime();
        long bytes = 0;
        int look = 0;
        try {
            do {
                if (hasTime.getAsBoolean()) {
                    long wanted = Math.min(MOST_AHEAD_BYTES, heap.totalMemory() - heap.freeMemory());
                    while (bytes < wanted && memory.provide()) {
                        bytes += ImageMemory.PIECE_BYTES;
                    }
                    if (look >= FIRST_PRACTICE && look <= LAST_PRACTICE) {
                        practice.run();
                    }
                    look++;
                }
            } while (!prepared.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    && (bytes < MOST_AHEAD_BYTES || look <= LAST_PRACTICE));
        } catch (InterruptedException | OutOfMemoryError e) {
            // the copy asks for itself, and says so if it gets nothing
        } catch (IllegalStateException e) {
            // closed meanwhile
        }
    }

    /** Copies a few objects and the engine's state, and forgets them. */
    static void practise(SnapshotEngine engine) {
        Object program = new Object[] {
            "text",
            1,
            2L,
            new double[1],
            new int[1][1],
            new ArrayList<>(List.of("one")),
            new HashMap<>(Map.of("key", 1.5))
        };
        try (ImageMemory practice = new ImageMemory()) {
            for (int i = 0; i < WRITES_IN_A_PRACTICE; i++) {
                write(program, engine, practice);
            }
            boolean _ = engine.practise((epoch, state) -> write(new Object[] {program, state}, engine, practice));
        } catch (IOException | RuntimeException e) {
            // What the program has attached to a communicator, for instance: the first snapshot will say so.
            // Or the program, which runs, has changed it meanwhile.
            LOG.debug("the engine's state was not copied for practice", e);
        }
    }

    private static void write(Object root, SnapshotEngine engine, ImageMemory memory) throws IOException {
        memory.reset();
        try {
            new GraphWriter(tokens(engine), memory).write(root);
        } catch (UncapturableException e) {
            throw new IOException(inWordsOfTheProgram(e, root), e);
        }
    }

    /** @param root the program's state and the engine's */
    private static String inWordsOfTheProgram(UncapturableException e, Object root) {
        List<Integer> indices = e.indices();
        ProgramCapture.Place place = !indices.isEmpty() && indices.getFirst() == 0
                ? ProgramCapture.place(((Object[]) root)[0], indices.subList(1, indices.size()))
                : null;
        return place == null ? String.valueOf(e.getMessage()) : e.message(place.name(), 1 + place.indices());
    }

    /**
     * A graph that was made again.
     *
     * @param settle to be run when the program's static fields are set: its tables may ask keys for hash codes
     */
    record Made(Object root, Runnable settle) {}

    /** Makes the graph of a copy again; the engine's own objects are those of this process. */
    static Made read(InputStream section, SnapshotEngine engine) throws IOException {
        GraphReader reader = new GraphReader(tokens(engine), ClassLoader.getSystemClassLoader());
        return new Made(reader.read(section), reader::settle);
    }

    /**
     * Goes through a copy for practice, in a process that will read a later one: nothing is made of it.
     *
     * @param makesArrays whether memory is taken for it, too
     * @throws IOException if it does not fit this program
     */
    static void rehearse(InputStream section, boolean makesArrays) throws IOException {
        new GraphRehearsal(ClassLoader.getSystemClassLoader(), makesArrays).read(section);
    }

    private static TokenRegistry tokens(SnapshotEngine engine) {
        TokenRegistry tokens = new TokenRegistry().withStandardStreams();
        engine.bindTokens(tokens::bind);
        return tokens;
    }

    @Override
    public void close() {
        prepared.countDown();
        memory.close();
    }
}
