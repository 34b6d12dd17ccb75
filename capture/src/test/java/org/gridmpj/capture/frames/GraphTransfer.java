package org.gridmpj.capture.frames;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.gridmpj.capture.heap.GraphReader;
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

    static Object read(byte[] image, ClassLoader target) throws IOException {
        GraphReader reader = new GraphReader(new TokenRegistry().withStandardStreams(), target);
        Object root = reader.read(new ByteArrayInputStream(image));
        reader.settle();
        return root;
    }
}
