package org.gridmpj.codec.kryo;

/** An object was met whose class only java.io can write. A signal within this codec, without a stack trace. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(Class<?> type) {
        super(type.getName() + " is left to java.io", null, false, false);
    }
}
