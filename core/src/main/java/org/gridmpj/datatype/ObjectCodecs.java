package org.gridmpj.datatype;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/** The codecs of this process: arrays of primitives, then what the class path adds, then java.io for everything. */
final class ObjectCodecs {
    private static final ObjectCodec ARRAYS = new PrimitiveArrayCodec();
    private static final ObjectCodec JAVA = new JavaObjectCodec();

    private ObjectCodecs() {}

    /** Loaded at the first object that is no array of primitives. */
    private static final class Added {
        static final ObjectCodec[] CODECS = load();

        private static ObjectCodec[] load() {
            List<ObjectCodec> codecs = new ArrayList<>();
            ServiceLoader.load(ObjectCodec.class, ObjectCodecs.class.getClassLoader())
                    .forEach(codecs::add);
            return codecs.toArray(ObjectCodec[]::new);
        }
    }

    /** The fastest codec whose result is java.io's. */
    private static ObjectCodec choose(@Nullable Object[] elements, int from, int count) {
        if (ARRAYS.handles(elements, from, count)) {
            return ARRAYS;
        }
        for (ObjectCodec codec : Added.CODECS) {
            if (codec.handles(elements, from, count)) {
                return codec;
            }
        }
        return JAVA;
    }

    /**
     * Serializes elements[from …] behind what the header has, by the fastest codec whose result is java.io's.
     *
     * @param data has nothing yet
     * @return the codec by which it was done
     * @throws IOException a {@link java.io.NotSerializableException} names the class
     */
    static ObjectCodec write(
            @Nullable Object[] elements, int from, int count, SerializationBuffer header, DataVector data)
            throws IOException {
        ObjectCodec codec = choose(elements, from, count);
        int begin = header.length();
        if (codec.write(elements, from, count, header, data)) {
            return codec;
        }
        data.clear();
        header.setLength(begin);
        JAVA.write(elements, from, count, header, data);
        return JAVA;
    }

    /** The codec that a sender used. */
    static ObjectCodec withId(int id) throws IOException {
        if (id == PrimitiveArrayCodec.ID) {
            return ARRAYS;
        }
        if (id == JavaObjectCodec.ID) {
            return JAVA;
        }
        for (ObjectCodec codec : Added.CODECS) {
            if (codec.id() == id) {
                return codec;
            }
        }
        throw new IOException("the sender wrote the objects with codec " + id
                + ", which this rank does not have: give every rank the same gridmpj jars");
    }

    /** What a program is told when its objects cannot be written. */
    static MpiFailure writeFailure(Throwable cause) {
        return switch (cause) {
            case java.io.NotSerializableException e ->
                new MpiFailure(
                        ErrorClass.TYPE,
                        "cannot send an object: class " + e.getMessage()
                                + " is not Serializable; nothing was sent. Let it implement java.io.Serializable, or"
                                + " make the field that leads to it transient",
                        e);
            case StackOverflowError e ->
                new MpiFailure(
                        ErrorClass.OTHER,
                        "cannot send an object: its graph is too deep for the stack of thread "
                                + Thread.currentThread().getName()
                                + " (a long linked list?); nothing was sent. Give the class a writeObject that writes"
                                + " its parts in a loop, or a larger -Xss",
                        e);
            default ->
                new MpiFailure(ErrorClass.OTHER, "cannot send an object: " + cause + "; nothing was sent", cause);
        };
    }

    /** What a program is told when objects cannot be rebuilt. */
    static MpiFailure readFailure(Throwable cause) {
        return switch (cause) {
            case MpiFailure e -> e;
            case ClassNotFoundException e ->
                new MpiFailure(
                        ErrorClass.TYPE,
                        "cannot receive an object: class " + e.getMessage()
                                + " is not on the class path of this rank; the message is lost",
                        e);
            case StackOverflowError e ->
                new MpiFailure(
                        ErrorClass.OTHER,
                        "cannot receive an object: its graph is too deep for the stack of thread "
                                + Thread.currentThread().getName() + "; the message is lost. A larger -Xss helps",
                        e);
            default ->
                new MpiFailure(ErrorClass.OTHER, "cannot receive an object: " + cause + "; the message is lost", cause);
        };
    }
}
