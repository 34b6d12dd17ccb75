package org.gridmpj.codec.kryo;

/** The constructor of a record refused what was received. */
final class RefusedRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedRecordException(Class<?> type, Throwable cause) {
        super("the constructor of " + type.getName() + " refused it: " + cause, cause);
    }
}
