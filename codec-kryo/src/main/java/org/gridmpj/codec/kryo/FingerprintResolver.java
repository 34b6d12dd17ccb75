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
 * Class names with a fingerprint at their first mention, so that a class that differs at the receiver is an error. Later
 * mentions are numbers. Most messages of a program name the classes of the one before: the receiver compares bytes first
 * and makes a string only if they differ.
 *
 * <pre>
 *   first mention   1 (byte) | number (varint) | fingerprint (long) | length (varint) | name, UTF-8
 *   later           1 (byte) | number (varint)
 * </pre>
 */
final class FingerprintResolver extends DefaultClassResolver {
    /** Kryo's own: 0 is null, the numbers of known classes begin at 2. */
    private static final int NAMED = NAME + 2;

    private static final int LONGEST_NAME = 65_535;

    /** Of the message that is being written. */
    private long message = 1;

    private int written;
    private int read;
    /** By number; behind those read in this message stand those of earlier ones. */
    private @Nullable Named[] byNumber = new Named[8];

    private final Map<String, Named> byName = new HashMap<>();

    /** A class that is written by name. */
    private static final class Named extends Registration {
        private final byte[] name;
        private final long fingerprint;
        /** The last message that mentioned it, and its number there. */
        private long message;

        private int number;

        Named(Class<?> type, Serializer<?> serializer) {
            super(type, serializer, NAME);
            name = type.getName().getBytes(StandardCharsets.UTF_8);
            PlainClass plain = PlainClass.of(type);
            PlainRecord plainRecord = PlainRecord.of(type);
            JdkClass jdkClass = JdkClass.of(type);
            fingerprint = plain != null
                    ? plain.fingerprint()
                    : plainRecord != null ? plainRecord.fingerprint() : jdkClass != null ? jdkClass.fingerprint() : 0;
        }

        boolean isNamed(byte[] buffer, int from, int end) {
            return Arrays.equals(name, 0, name.length, buffer, from, end);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    public Registration registerImplicit(Class type) {
        return register(new Named(type, kryo.getDefaultSerializer(type)));
    }

    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    protected void writeName(Output output, Class type, Registration registration) {
        Named named = (Named) registration;
        output.writeByte(NAMED);
        if (named.message == message) {
            output.writeVarInt(named.number, true);
            return;
        }
        named.message = message;
        named.number = written++;
        output.writeVarInt(named.number, true);
        output.writeLong(named.fingerprint);
        output.writeVarInt(named.name.length, true);
        output.writeBytes(named.name);
    }

    @Override
    protected Registration readName(Input input) {
        int number = input.readVarInt(true);
        if (number < 0 || number > read) {
            throw new KryoException("class number " + number + " after " + read + " classes");
        }
        if (number == read) {
            readFirst(input);
        }
        Named named = byNumber[number];
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
        Named named = byNumber[read];
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

    private Named find(String name) {
        Named known = byName.get(name);
        if (known != null) {
            return known;
        }
        try {
            Class<?> type = Class.forName(name, false, kryo.getClassLoader());
            if (kryo.getRegistration(type) instanceof Named named) {
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
