package org.gridmpj.capture.frames;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.gridmpj.capture.heap.GraphReader;
import org.gridmpj.capture.heap.GraphRehearsal;
import org.gridmpj.capture.heap.GraphWriter;
import org.gridmpj.capture.heap.ImageMemory;
import org.gridmpj.capture.heap.TokenRegistry;
import org.gridmpj.capture.heap.UncapturableException;

/** Takes the graph of a captured program to classes that another loader has defined, by an image. */
final class GraphTransfer {
    private GraphTransfer() {}

    /** In the thread that runs main, while the others are unwound. */
    static byte[] image(Object state) throws IOException, UncapturableException {
        try (ImageMemory memory = new ImageMemory()) {
            new GraphWriter(new TokenRegistry().withStandardStreams(), memory).write(state);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            memory.writeTo(part -> {
                ByteBuffer copy = part.duplicate();
                byte[] array = new byte[copy.remaining()];
                copy.get(array);
                bytes.write(array);
            });
            return bytes.toByteArray();
        }
    }

    /** In the thread that is to run main; tables may ask keys for hash codes, which need static fields. */
    static void restore(byte[] image, ProgramUnderTest target) throws IOException {
        // as a process does that takes a rank over
        new GraphRehearsal(target).read(new ByteArrayInputStream(image));
        GraphReader reader = new GraphReader(new TokenRegistry().withStandardStreams(), target);
        target.capture().restore(reader.read(new ByteArrayInputStream(image)), target);
        reader.settle();
    }
}
