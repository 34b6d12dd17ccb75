package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gridmpj.datatype.DataVector;
import org.gridmpj.datatype.SerializationBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Kryo with java.io's rules: every object is referenced by identity, boxes and strings too, and only classes whose
 * result is known are written at all. Kryo's streams, registry and serializers are used, but its walk through the graph is replaced:
 * it asks several tables for each object. One thread at a time.
 *
 * <pre>
 *   header   format (byte) | 1 if anything may be SEEN, else 0 (byte) | Kryo's version (6 bytes, Latin-1) | elements
 *   object   NULL
 *            SEEN | number of the object in this message (varint)
 *            LATIN | length (varint) | a byte for each character
 *            TEXT | a string as Kryo writes it
 *            class ({@link FingerprintResolver}) | what its serializer writes
 * </pre>
 */
final class GraphKryo extends Kryo {
    private static final int FORMAT = 6;
    private static final int NULL_TAG = 0;
    private static final int SEEN = 1;
    private static final int LATIN = 3;
    private static final int TEXT = 4;
    private static final int INT = 5;
    private static final int LONG = 6;
    private static final int DOUBLE = 7;
    /** Of the others that are known. */
    private static final int FIRST_KNOWN = 8;

    private static final int LATIN_END = 0x100;
    /** To make bytes of a shorter string takes longer than to ask for its characters. */
    private static final int LONG_TEXT = 16;

    private static final byte REPLACEMENT = '?';
    private static final long LOWEST_BITS = 0x0101010101010101L;
    private static final long HIGHEST_BITS = LOWEST_BITS << 7;
    private static final long REPLACEMENTS = LOWEST_BITS * REPLACEMENT;
    private static final String VERSION = version();
    private static final int VERSION_BYTES = 6;
    /** Where a header says whether anything may be SEEN. */
    private static final int SHARES = 1;

    private static final int BEGIN_BYTES = SHARES + 1 + VERSION_BYTES;
    /** The begin of a header, which is a long. */
    private static final long SHARING = begin(true);

    private static final long NOT_SHARING = begin(false);
    private static final byte[] NOTHING = {};
    /** Of headers; what has held more is not kept until the next message. */
    private static final int KEPT_BYTES = 1 << 16;

    private static final int FEW = 16;
    /** Boxes that Kryo registers by the primitive type. */
    private static final List<Class<?>> BOXES =
            List.of(Float.class, Short.class, Byte.class, Character.class, Boolean.class);
    /** Written by tag instead of name. */
    private static final List<Class<?>> KNOWN_ARRAYS = List.of(
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

    private final GraphInput input = new GraphInput();
    private final FingerprintResolver classes;
    /** Of a graph of many objects. */
    private final ObjectIds ids = new ObjectIds();

    private final JdkObjectOutput jdkOutput;
    private final JdkObjectInput jdkInput;
    private @Nullable DataVector data;
    /** Whether anything is SEEN in this graph: else what is read need not be kept. */
    private boolean shares;

    /** By number, in an array of its own for each graph that refers to any: see {@link WrittenObjects}. */
    private @Nullable Object @Nullable [] read;

    private int readCount;
    /** Numbers of objects that are being read and not known yet, the innermost last. */
    private int[] pending = new int[FEW];

    private int pendingCount;
    /** False while it is in use, unless it has an owner. */
    private final AtomicBoolean free = new AtomicBoolean();
    /** Null if any thread may take it. */
    private final @Nullable Thread owner;
    /** Whether its owner is in a graph, perhaps in one within another. */
    private boolean usedByOwner = true;

    /**
     * An instance in use.
     *
     * @param owner the only thread that ever takes it, without asking others; null if any may
     */
    GraphKryo(ClassLoader loader, @Nullable Thread owner) {
        super(new FingerprintResolver(), null);
        this.owner = owner;
        classes = (FingerprintResolver) getClassResolver();
        try {
            jdkOutput = new JdkObjectOutput(this);
            jdkInput = new JdkObjectInput(this, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        setClassLoader(loader);
        setRegistrationRequired(false);
        setAutoReset(false);
        // their tags are part of the format
        int tag = FIRST_KNOWN;
        for (Class<?> box : BOXES) {
            classes.know(box, getRegistration(box).getSerializer(), tag++);
        }
        for (Collection<Class<?>> known : List.of(KNOWN_ARRAYS, JdkCollections.classes(), JdkValues.classes())) {
            for (Class<?> one : known) {
                classes.know(one, getDefaultSerializer(one), tag++);
            }
        }
    }

    private static String version() {
        Package kryo = Kryo.class.getPackage();
        String version = kryo == null ? null : kryo.getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    private static long begin(boolean shares) {
        byte[] begin = new byte[BEGIN_BYTES];
        begin[0] = FORMAT;
        begin[SHARES] = (byte) (shares ? 1 : 0);
        byte[] version = VERSION.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(version, 0, begin, SHARES + 1, Math.min(version.length, VERSION_BYTES));
        return (long) GraphInput.LONG.get(begin, 0);
    }

    /** Takes it for a graph, if it is free and has no owner. */
    boolean take() {
        return free.compareAndSet(true, false);
    }

    /** Takes it for a graph, if this thread owns it and is in none. */
    @SuppressWarnings("ReferenceEquality") // that thread and no other
    boolean takeOwn(Thread thread) {
        if (owner != thread || usedByOwner) {
            return false;
        }
        usedByOwner = true;
        return true;
    }

    void giveBack() {
        if (owner == null) {
            free.setRelease(true);
        } else {
            usedByOwner = false;
        }
    }

    /** Whether objects of a class are written, what they refer to apart. */
    static boolean takes(Class<?> type) {
        return type.isArray()
                || type == String.class
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
                || JdkValues.serializer(type) != null
                || JdkCollections.classes().contains(type)
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
        Serializer<?> collection = JdkCollections.serializer(type);
        if (collection != null) {
            return collection;
        }
        PlainRecord plainRecord = PlainRecord.of(type);
        if (plainRecord != null) {
            return new PlainSerializer(plainRecord);
        }
        if (Enum.class.isAssignableFrom(type)) {
            return new EnumNameSerializer();
        }
        if (type == Class.class) {
            return new EnumClassSerializer();
        }
        Serializer<?> value = JdkValues.serializer(type);
        if (value != null) {
            return value;
        }
        JdkClass jdkClass = JdkClass.of(type);
        if (jdkClass != null) {
            return new JdkClassSerializer(jdkClass);
        }
        PlainClass plain = PlainClass.of(type);
        return plain == null ? new RefusingSerializer() : new PlainSerializer(plain);
    }

    /** Most messages have the vector of the one before: see {@link WrittenObjects} for what it costs to store it again. */
    @SuppressWarnings("ReferenceEquality") // the same as before or not
    private void use(DataVector vector) {
        if (data != vector) {
            data = vector;
        }
    }

    void writeGraph(@Nullable Object[] elements, int from, int count, SerializationBuffer header, DataVector vector) {
        use(vector);
        shares = false;
        int begin = header.length();
        GraphOutput output = new GraphOutput(header, new WrittenObjects(ids));
        output.writeLong(SHARING);
        for (int i = from; i < from + count; i++) {
            writeClassAndObject(output, elements[i]);
        }
        output.end();
        if (!shares) {
            header.bytes()[begin + SHARES] = 0;
        }
        jdkOutput.clear();
        classes.reset();
    }

    @Override
    public void writeClassAndObject(Output out, @Nullable Object object) {
        if (object == null) {
            out.writeByte(NULL_TAG);
        } else if (object instanceof String text) {
            writeText(out, text);
        } else if (object instanceof Integer number) {
            if (isNew(out, number)) {
                out.writeByte(INT);
                out.writeVarInt(number, false);
            }
        } else {
            writeOther(out, object);
        }
    }

    /** Whether an object has to be written; if not, a reference was. */
    private boolean isNew(Output out, Object object) {
        int id = ((GraphOutput) out).written().meet(object);
        if (id == WrittenObjects.NEW) {
            return true;
        }
        shares = true;
        out.writeByte(SEEN);
        out.writeVarInt(id, true);
        return false;
    }

    private void writeOther(Output out, Object object) {
        if (object instanceof Long number) {
            if (isNew(out, number)) {
                out.writeByte(LONG);
                out.writeVarLong(number, false);
            }
        } else if (object instanceof Double number) {
            if (isNew(out, number)) {
                out.writeByte(DOUBLE);
                out.writeDouble(number);
            }
        } else {
            FingerprintResolver.Entry entry = classes.entry(object.getClass());
            if (!entry.isReferenced() || isNew(out, object)) {
                classes.write(out, entry);
                entry.<Object>serializer().write(this, out, object);
            }
        }
    }

    /** As {@link #writeClassAndObject}, of what is a string or null. */
    void writeText(Output out, @Nullable String text) {
        if (text == null) {
            out.writeByte(NULL_TAG);
            return;
        }
        if (!isNew(out, text)) {
            return;
        }
        int length = text.length();
        if (length > LONG_TEXT) {
            writeLongText(out, text);
        } else if (isLatin(text)) {
            beginLatin(out, length);
            int position = out.position();
            if (out.getBuffer().length - position >= length) {
                lowBytes(text, out.getBuffer(), position);
                out.setPosition(position + length);
            } else {
                out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
            }
        } else {
            out.writeByte(TEXT);
            out.writeString(text);
        }
    }

    private static void beginLatin(Output out, int length) {
        out.writeByte(LATIN);
        out.writeVarInt(length, true);
    }

    /** Taken as bytes at once, which the JDK does as fast as it copies: how a string is stored only the JDK sees. */
    private static void writeLongText(Output out, String text) {
        byte[] latin = text.getBytes(StandardCharsets.ISO_8859_1);
        if (mayHaveReplaced(latin) && !isLatin(text)) {
            out.writeByte(TEXT);
            out.writeString(text);
        } else {
            beginLatin(out, latin.length);
            out.writeBytes(latin);
        }
    }

    private static boolean isLatin(String text) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            bits |= text.charAt(i);
        }
        return bits < LATIN_END;
    }

    /** Whether any byte is that which the JDK puts in place of a character that has none. */
    private static boolean mayHaveReplaced(byte[] latin) {
        long found = 0;
        int i = 0;
        for (; i <= latin.length - Long.BYTES; i += Long.BYTES) {
            long others = (long) GraphInput.LONG.get(latin, i) ^ REPLACEMENTS;
            // the highest bit of a byte that is 0, which those of the others cannot be without one
            found |= (others - LOWEST_BITS) & ~others & HIGHEST_BITS;
        }
        boolean may = found != 0;
        for (; i < latin.length; i++) {
            may |= latin[i] == REPLACEMENT;
        }
        return may;
    }

    @SuppressWarnings("deprecation") // exactly what is wanted: the low bytes, which are all, without an array between
    private static void lowBytes(String text, byte[] to, int at) {
        text.getBytes(0, text.length(), to, at);
    }

    @SuppressWarnings("ReferenceEquality") // the same array as before or not
    void readGraph(
            byte[] header, int offset, int length, @Nullable Object[] elements, int from, int count, DataVector vector)
            throws IOException {
        use(vector);
        if (input.getBuffer() == header) {
            input.setPosition(offset);
            input.setLimit(offset + length);
        } else {
            input.setBuffer(header, offset, length);
        }
        long begin = length < BEGIN_BYTES ? 0 : (long) GraphInput.LONG.get(header, offset);
        shares = begin != NOT_SHARING;
        if (shares && begin != SHARING) {
            throw otherBegin();
        }
        input.setPosition(offset + BEGIN_BYTES);
        for (int i = from; i < from + count; i++) {
            elements[i] = readClassAndObject(input);
        }
        if (input.position() != offset + length) {
            throw new StreamCorruptedException("the header is longer than its elements");
        }
        classes.reset();
        if (read != null) {
            read = null;
        }
        readCount = 0;
        if (header.length > KEPT_BYTES) {
            input.setBuffer(NOTHING);
        }
    }

    @Override
    public @Nullable Object readClassAndObject(Input in) {
        int tag = in.readByte();
        return switch (tag) {
            case NULL_TAG -> null;
            case SEEN -> seen(in.readVarInt(true));
            case LATIN -> keep(readLatin(in));
            case TEXT -> keep(Objects.requireNonNull(in.readString()));
            case INT -> keep(in.readVarInt(false));
            case LONG -> keep(in.readVarLong(false));
            case DOUBLE -> keep(in.readDouble());
            default -> readOther(in, tag);
        };
    }

    private @Nullable Object seen(int id) {
        if (id < 0 || id >= readCount) {
            throw new KryoException("object number " + id + " after " + readCount);
        }
        return read == null || id >= read.length ? null : read[id];
    }

    private static String readLatin(Input in) {
        int length = in.readVarInt(true);
        int position = in.position();
        if (length < 0 || length > in.limit() - position) {
            throw new KryoException("a string of " + length);
        }
        in.setPosition(position + length);
        return new String(in.getBuffer(), position, length, StandardCharsets.ISO_8859_1);
    }

    /** What is read has the next number. */
    private Object keep(Object object) {
        if (shares) {
            store(readCount++, object);
        }
        return object;
    }

    private void store(int id, Object object) {
        @Nullable Object[] known = read;
        if (known == null) {
            known = new Object[Math.max(FEW, id + 1)];
            read = known;
        } else if (id >= known.length) {
            known = Arrays.copyOf(known, Math.max(id + 1, known.length * 2));
            read = known;
        }
        known[id] = object;
    }

    private @Nullable Object readOther(Input in, int tag) {
        FingerprintResolver.Entry entry = classes.read(in, tag);
        if (!shares || !entry.isReferenced()) {
            return entry.<Object>serializer().read(this, in, entry.<Object>type());
        }
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, pendingCount * 2);
        }
        pending[pendingCount++] = readCount++;
        int outer = pendingCount;
        Object object = entry.<Object>serializer().read(this, in, entry.<Object>type());
        if (pendingCount == outer) {
            reference(object);
        }
        return object;
    }

    /** The innermost object that is being read is known from now on: what follows may refer to it. */
    @Override
    public void reference(Object object) {
        if (shares) {
            store(pending[--pendingCount], object);
        }
    }

    private StreamCorruptedException otherBegin() {
        int format = input.readByte();
        boolean isWhole = format == FORMAT && input.limit() - input.position() >= 1 + VERSION_BYTES;
        String version = isWhole
                ? new String(input.readBytes(1 + VERSION_BYTES), 1, VERSION_BYTES, StandardCharsets.ISO_8859_1)
                : "";
        return new StreamCorruptedException("the sender's object codec is of format " + format + " with Kryo "
                + version.trim() + ", this rank's of format " + FORMAT + " with Kryo " + VERSION
                + ": give every rank the same jars");
    }

    FingerprintResolver classes() {
        return classes;
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
