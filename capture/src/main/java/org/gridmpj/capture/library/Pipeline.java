package org.gridmpj.capture.library;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** What the streams of all four shapes have in common. */
abstract class Pipeline<T, S extends BaseStream<T, S>> implements BaseStream<T, S> {
    private final Pull<T> elements;
    private boolean used;

    /** Shared by the stages of a pipeline. */
    private final List<Runnable> closing;

    Pipeline(Pull<T> elements, @Nullable Pipeline<?, ?> before) {
        this.elements = elements;
        closing = before == null ? new ArrayList<>() : before.closing;
    }

    abstract S self();

    /** The elements, for the one operation that a stream can have. */
    final Pull<T> use() {
        if (used) {
            throw new IllegalStateException("stream has already been operated upon or closed");
        }
        used = true;
        return elements;
    }

    /** All elements, computed. */
    final List<T> gathered() {
        Pull<T> all = use();
        List<T> gathered = new ArrayList<>();
        while (all.more()) {
            gathered.add(all.take());
        }
        return gathered;
    }

    /** The number of elements; computes none where it is known, as the JDK does. */
    public long count() {
        Pull<T> all = use();
        long count = all.size();
        if (count < 0) {
            count = 0;
            while (all.more()) {
                T _ = all.take();
                count++;
            }
        }
        return count;
    }

    @Override
    public boolean isParallel() {
        return false;
    }

    @Override
    public S sequential() {
        return self();
    }

    @Override
    public S unordered() {
        return self();
    }

    @Override
    public S onClose(Runnable handler) {
        closing.add(handler);
        return self();
    }

    @Override
    public void close() {
        used = true;
        List<Runnable> handlers = new ArrayList<>(closing);
        closing.clear();
        Throwable first = null;
        for (Runnable handler : handlers) {
            try {
                handler.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof RuntimeException thrown) {
            throw thrown;
        }
        if (first instanceof Error thrown) {
            throw thrown;
        }
    }
}
