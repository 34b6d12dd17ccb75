package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import org.gridmpj.datatype.DataVector;
import org.jspecify.annotations.Nullable;

/**
 * Kryo with java.io's rules: every object is referenced by identity, boxes and strings too, and only classes whose
 * result is known are written at all. One thread at a time.
 *
 * <pre>
 *   header   format (1 byte) | Kryo's version (string) | elements, each with its class
 * </pre>
 */
final class GraphKryo extends Kryo {
    private static final int FORMAT = 3;
    private static final String VERSION = version();
    private static final byte[] BEGIN = begin();
    private static final byte[] NOTHING = {};
    private static final int BUFFER_BYTES = 1024;
    /** Written by number instead of name. */
    private static final List<Class<?>> KNOWN = List.of(
            ArrayList.class,
            HashMap.class,
            LinkedHashMap.class,
            Object[].class,
            String[].class,
            boolean[].class,
            byte[].class,
            char[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class);

    private final Output output = new Output(BUFFER_BYTES);
    private final Input input = new Input();
    private final IdentityResolver identities;
    private final JdkObjectOutput jdkOutput;
    private final JdkObjectInput jdkInput;
    private @Nullable DataVector data;

    GraphKryo(ClassLoader loader) {
        super(new FingerprintResolver(), new IdentityResolver());
        identities = (IdentityResolver) getReferenceResolver();
        try {
            jdkOutput = new JdkObjectOutput(this, output);
            jdkInput = new JdkObjectInput(this, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        setClassLoader(loader);
        setRegistrationRequired(false);
        setAutoReset(false);
        // their numbers are part of the format: behind Kryo's own, in this order
        for (Class<?> known : KNOWN) {
            register(known);
        }
    }

    private static String version() {
        Package kryo = Kryo.class.getPackage();
        String version = kryo == null ? null : kryo.getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    private static byte[] begin() {
        try (Output begin = new Output(BUFFER_BYTES)) {
            begin.writeByte(FORMAT);
            begin.writeString(VERSION);
            return begin.toBytes();
        }
    }

    /** Whether objects of a class are written, what they refer to apart. */
    static boolean takes(Class<?> type) {
        return type.isArray()
                || type == String.class
                || type == ArrayList.class
                || type == HashMap.class
                || type == LinkedHashMap.class
                || type == Integer.class
                || type == Long.class
                || type == Double.class
                || type == Float.class
                || type == Short.class
                || type == Byte.class
                || type == Character.class
                || type == Boolean.class
                || Enum.class.isAssignableFrom(type)
                || PlainClass.of(type) != null
                || PlainRecord.of(type) != null
                || JdkClass.of(type) != null;
    }

    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    public Serializer getDefaultSerializer(Class type) {
        if (type.isPrimitive()) {
            return super.getDefaultSerializer(type);
        }
        if (type.isArray()) {
            return type.getComponentType().isPrimitive()
                    ? new PrimitiveArraySerializer(type)
                    : new ReferenceArraySerializer();
        }
        if (type == String.class) {
            return new DefaultSerializers.StringSerializer();
        }
        if (type == ArrayList.class) {
            return new ArrayListSerializer();
        }
        if (type == HashMap.class || type == LinkedHashMap.class) {
            return new MapSerializer();
        }
        PlainRecord plainRecord = PlainRecord.of(type);
        if (plainRecord != null) {
            return new PlainRecordSerializer(plainRecord);
        }
        if (Enum.class.isAssignableFrom(type)) {
            return new EnumNameSerializer();
        }
        if (type == Class.class) {
            return new EnumClassSerializer();
        }
        JdkClass jdkClass = JdkClass.of(type);
        if (jdkClass != null) {
            return new JdkClassSerializer(jdkClass);
        }
        PlainClass plain = PlainClass.of(type);
        return plain == null ? new RefusingSerializer() : new PlainClassSerializer(plain);
    }

    void writeGraph(@Nullable Object[] elements, int count, OutputStream header, DataVector vector) {
        data = vector;
        output.setOutputStream(header);
        output.writeBytes(BEGIN);
        for (int i = 0; i < count; i++) {
            writeClassAndObject(output, elements[i]);
        }
        output.flush();
        end();
    }

    void readGraph(byte[] header, int offset, int length, @Nullable Object[] elements, int count, DataVector vector)
            throws IOException {
        data = vector;
        input.setBuffer(header, offset, length);
        if (length >= BEGIN.length && Arrays.equals(header, offset, offset + BEGIN.length, BEGIN, 0, BEGIN.length)) {
            input.setPosition(offset + BEGIN.length);
        } else {
            throw otherBegin();
        }
        for (int i = 0; i < count; i++) {
            elements[i] = readClassAndObject(input);
        }
        if (input.position() != offset + length) {
            throw new StreamCorruptedException("the header is longer than its elements");
        }
        end();
    }

    private StreamCorruptedException otherBegin() {
        int format = input.readByte();
        String version = format == FORMAT ? input.readString() : "";
        return new StreamCorruptedException("the sender's object codec is of format " + format + " with Kryo "
                + version + ", this rank's of format " + FORMAT + " with Kryo " + VERSION
                + ": give every rank the same jars");
    }

    private void end() {
        reset();
        data = null;
        output.setOutputStream(null);
        input.setBuffer(NOTHING);
    }

    IdentityResolver identities() {
        return identities;
    }

    JdkObjectOutput jdkOutput() {
        return jdkOutput;
    }

    JdkObjectInput jdkInput() {
        return jdkInput;
    }

    /** The data vector of the graph that is being written or read. */
    DataVector data() {
        if (data == null) {
            throw new IllegalStateException("no graph is being written or read");
        }
        return data;
    }
}
