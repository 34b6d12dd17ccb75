package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.io.InvalidClassException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How classes are written. Some are known by a tag. The others are named with a fingerprint at their first mention, so that a
 * class that differs at the receiver is an error; later mentions are numbers. Most messages of a program name the classes of the
 * one before: the receiver compares bytes first and makes a string only if they differ.
 *
 * <pre>
 *   known           tag (byte)
 *   first mention   NAMED (byte) | number (varint) | fingerprint (long) | length (varint) | name, UTF-8
 *   later           NAMED (byte) | number (varint)
 * </pre>
 */
final class FingerprintResolver extends DefaultClassResolver {
    /** In place of a tag. */
    static final int NAMED = 2;

    private static final int MOST_KNOWN = 64;
    private static final int LONGEST_NAME = 65_535;

    /** Of the message that is being written. */
    private long message = 1;

    private int written;
    private int read;
    /** By number; behind those read in this message stand those of earlier ones. */
    private @Nullable Entry[] byNumber = new Entry[8];

    private @Nullable Registration remembered;
    /** Of the class that was asked for last and is not the one that is remembered. */
    private int askedHash;

    private final @Nullable Entry[] byTag = new Entry[MOST_KNOWN];
    private final Map<String, Entry> byName = new HashMap<>();

    /** A class and how its objects are written. */
    static final class Entry extends Registration {
        /** 0 if it is named. */
        private final int tag;
        /** Not of what is one of a kind in each JVM. */
        private final boolean referenced;

        private final byte[] name;
        private final long fingerprint;
        /** The last message that named it, and its number there. */
        private long message;

        private int number;

        Entry(Class<?> type, Serializer<?> serializer, int id, int tag) {
            super(type, serializer, id);
            this.tag = tag;
            referenced = type != Class.class && !Enum.class.isAssignableFrom(type);
            name = type.getName().getBytes(StandardCharsets.UTF_8);
            PlainClass plain = PlainClass.of(type);
            PlainRecord plainRecord = PlainRecord.of(type);
            JdkClass jdkClass = JdkClass.of(type);
            fingerprint = plain != null
                    ? plain.fingerprint()
                    : plainRecord != null ? plainRecord.fingerprint() : jdkClass != null ? jdkClass.fingerprint() : 0;
        }

        /** Whether later mentions of an object are references to it. */
        boolean isReferenced() {
            return referenced;
        }

        @SuppressWarnings("unchecked") // of the class of the object that is given to it
        <T> Serializer<T> serializer() {
            return getSerializer();
        }

        @SuppressWarnings("unchecked")
        <T> Class<T> type() {
            return getType();
        }

        private boolean isNamed(byte[] buffer, int from, int end) {
            return Arrays.equals(name, 0, name.length, buffer, from, end);
        }
    }

    /** A class has a tag from now on, at both ends. */
    void know(Class<?> type, Serializer<?> serializer, int tag) {
        byTag[tag] = (Entry) kryo.register(new Entry(type, serializer, kryo.getNextRegistrationId(), tag));
    }

    Entry entry(Class<?> type) {
        return (Entry) kryo.getRegistration(type);
    }

    /**
     * Without Kryo's memory of the last class: to store references into what is old costs more than to look it up ({@link
     * WrittenObjects}). A class is remembered when it is asked for twice in a row.
     */
    @Override
    @SuppressWarnings({"rawtypes", "ReferenceEquality"}) // Kryo's signature; classes are the same or not
    public @Nullable Registration getRegistration(Class type) {
        Registration last = remembered;
        if (last != null && last.getType() == type) {
            return last;
        }
        Registration found = classToRegistration.get(type);
        int hash = System.identityHashCode(type);
        if (hash == askedHash) {
            remembered = found;
        }
        askedHash = hash;
        return found;
    }

    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    public Registration registerImplicit(Class type) {
        return register(new Entry(type, kryo.getDefaultSerializer(type), NAME, 0));
    }

    void write(Output output, Entry entry) {
        if (entry.tag != 0) {
            output.writeByte(entry.tag);
            return;
        }
        output.writeByte(NAMED);
        if (entry.message == message) {
            output.writeVarInt(entry.number, true);
            return;
        }
        entry.message = message;
        entry.number = written++;
        output.writeVarInt(entry.number, true);
        output.writeLong(entry.fingerprint);
        output.writeVarInt(entry.name.length, true);
        output.writeBytes(entry.name);
    }

    /** Reads what follows a tag, if it is that of named classes. */
    Entry read(Input input, int tag) {
        if (tag == NAMED) {
            return readNamed(input);
        }
        Entry known = tag >= 0 && tag < MOST_KNOWN ? byTag[tag] : null;
        if (known == null) {
            throw new KryoException("no class has the tag " + tag);
        }
        return known;
    }

    private Entry readNamed(Input input) {
        int number = input.readVarInt(true);
        if (number < 0 || number > read) {
            throw new KryoException("class number " + number + " after " + read + " classes");
        }
        if (number == read) {
            readFirst(input);
        }
        Entry named = byNumber[number];
        if (named == null) {
            throw new IllegalStateException("class number " + number + " was not kept");
        }
        return named;
    }

    private void readFirst(Input input) {
        long fingerprint = input.readLong();
        int length = input.readVarInt(true);
        int from = input.position();
        if (length < 0 || length > LONGEST_NAME || length > input.limit() - from) {
            throw new KryoException("a class name of " + length + " bytes");
        }
        if (read == byNumber.length) {
            byNumber = Arrays.copyOf(byNumber, read * 2);
        }
        Entry named = byNumber[read];
        if (named == null || !named.isNamed(input.getBuffer(), from, from + length)) {
            named = find(new String(input.getBuffer(), from, length, StandardCharsets.UTF_8));
        }
        if (named.fingerprint != fingerprint) {
            throw new UncheckedIOException(new InvalidClassException(
                    named.getType().getName(),
                    "the class differs between sender and receiver: give every rank the same class path"));
        }
        input.setPosition(from + length);
        byNumber[read++] = named;
    }

    private Entry find(String name) {
        Entry known = byName.get(name);
        if (known != null) {
            return known;
        }
        try {
            Class<?> type = Class.forName(name, false, kryo.getClassLoader());
            if (kryo.getRegistration(type) instanceof Entry named) {
                byName.put(name, named);
                return named;
            }
        } catch (ClassNotFoundException e) {
            throw new KryoException("class " + name + " is not on this rank", e);
        }
        throw new KryoException("class " + name + " is not written by name");
    }

    @Override
    public void reset() {
        message++;
        written = 0;
        read = 0;
    }
}
