package org.gridmpj.capture.library;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Elements of a stream that somebody else takes out of it, the JDK most often. Not captured while one is computed. */
record HandedOut<T>(Pull<T> from) implements Iterator<T> {
    @Override
    public boolean hasNext() {
        return from.more();
    }

    @Override
    public T next() {
        if (!from.more()) {
            throw new NoSuchElementException();
        }
        return from.take();
    }
}
