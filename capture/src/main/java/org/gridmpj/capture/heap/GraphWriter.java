package org.gridmpj.capture.heap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Copies an object graph of any classes, depth and shape to an image: each object once, in the order in which it is first
 * referred to. The walk is a loop over that order, so that a list of a million nodes needs no stack.
 *
 * <pre>
 *   image       magic (8)  version (4)  direction of immutable sets (4)  byte order (4)  root reference
 *               content of object 0, 1, 2 …  identity hash codes of object 0, 1, 2 …
 *   reference   −1: null;  n: object n, and if n is new, its head follows
 *   head        kind (1), then class, length, name or value as the kind says
 *   class       index; a new one is followed by its name and its fields, which the reader compares with its own
 *   content     STRUCTURE: fields   REFERENCES: elements   ENUM of a program: fields   PROXY, LAMBDA, REFERENCE: parts
 * </pre>
 *
 * <p>The threads that change the graph stand still meanwhile. Confined to one thread; can be used again.
 */
public final class GraphWriter {
    /** "GMPJHEAP". */
    static final long MAGIC = 0x5041_4548_4A50_4D47L;

    static final int VERSION = 2;
    static final int BYTE_ORDER_MARK = 0x01020304;
    /** Up to this length equal strings may be the JVM's one: a reader interns them. */
    static final int INTERNED_CHARACTERS = 32;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int NULL = -1;
    private static final int HASHES_AT_ONCE = 1 << 14;

    private final TokenRegistry tokens;
    private final ImageMemory out;
    private final JdkConstants constants = new JdkConstants();
    private final IdentityNumbers numbers = new IdentityNumbers();
    private final Map<Class<?>, Integer> classes = new HashMap<>();
    /** Classes all of whose objects are written field by field, with their index; void when more constants are known. */
    private final Map<Class<?>, Integer> plain = new HashMap<>();

    private int plainVersion;

    /** By number. */
    private Object[] objects = new Object[1 << 12];

    private Kind[] kinds = new Kind[1 << 12];
    /** Number of the object in which each was first found, and the field or element there. */
    private int[] parents = new int[1 << 12];

    private int[] slots = new int[1 << 12];
    private int current = NULL;
    private int slot;

    /** What replaces lambdas while their content is written. */
    private final Map<Integer, SerializedLambda> lambdas = new HashMap<>();
    /** What fields of idle pools have instead of their own while their content is written. */
    private final Map<Integer, Map<String, Object>> idles = new HashMap<>();

    public GraphWriter(TokenRegistry tokens, ImageMemory out) {
        this.tokens = tokens;
        this.out = out;
    }

    /**
     * Appends the image of everything that can be reached from a root.
     *
     * @throws UncapturableException naming the path to what no image can hold; what was appended is void
     * @throws IOException if a file's position cannot be asked for
     */
    public void write(Object root) throws UncapturableException, IOException {
        try {
            out.putLong(MAGIC);
            out.putInt(VERSION);
            out.putInt(ImmutableOrder.REVERSE ? 1 : 0);
            out.putBytes(MemorySegment.ofArray(new int[] {BYTE_ORDER_MARK}));
            current = NULL;
            reference(root);
            for (int number = 0; number < numbers.size(); number++) {
                current = number;
                slot = 0;
                content(objects[number], kinds[number]);
            }
            identityHashes();
        } finally {
            Arrays.fill(objects, 0, Math.min(objects.length, numbers.size() + 1), null);
            numbers.clear();
            classes.clear();
            plain.clear();
            lambdas.clear();
            idles.clear();
        }
    }

    private void identityHashes() {
        int[] hashes = new int[Math.min(numbers.size(), HASHES_AT_ONCE)];
        for (int first = 0; first < numbers.size(); first += hashes.length) {
            int count = Math.min(hashes.length, numbers.size() - first);
            for (int i = 0; i < count; i++) {
                hashes[i] = System.identityHashCode(objects[first + i]);
            }
            out.putBytes(MemorySegment.ofArray(hashes).asSlice(0, (long) count * Integer.BYTES));
        }
    }

    private void reference(@Nullable Object object) throws UncapturableException, IOException {
        if (object == null) {
            out.putInt(NULL);
            return;
        }
        int number = numbers.number(object);
        if (number >= 0) {
            out.putInt(number);
            return;
        }
        number = ~number;
        out.putInt(number);
        if (number == objects.length) {
            objects = Arrays.copyOf(objects, number * 2);
            kinds = Arrays.copyOf(kinds, number * 2);
            parents = Arrays.copyOf(parents, number * 2);
            slots = Arrays.copyOf(slots, number * 2);
        }
        objects[number] = object;
        parents[number] = current;
        slots[number] = slot;
        kinds[number] = head(number, object);
    }

    private Kind head(int number, Object object) throws UncapturableException, IOException {
        Integer index = plain.get(object.getClass());
        if (index != null) {
            begin(Kind.STRUCTURE);
            out.putInt(index);
            return Kind.STRUCTURE;
        }
        Kind kind = anyHead(number, object);
        if (plainVersion != constants.versions()) {
            plainVersion = constants.versions();
            plain.clear();
        }
        Class<?> type = object.getClass();
        if (kind == Kind.STRUCTURE
                && !tokens.hasOneOf(type)
                && !constants.hasOneOf(type)
                && !isDecidedByState(object)) {
            plain.put(type, classes.get(type));
        }
        return kind;
    }

    /** Whether another object of the class may be refused or be written otherwise, or has to be prepared. */
    private static boolean isDecidedByState(Object object) {
        return object instanceof Number
                || object instanceof Character
                || object instanceof java.nio.Buffer
                || object instanceof FileLock
                || object instanceof Throwable
                || IdleForm.mayBeOne(object);
    }

    private Kind anyHead(int number, Object object) throws UncapturableException, IOException {
        String token = tokens.nameOf(object);
        if (token != null) {
            begin(Kind.TOKEN);
            out.putText(token);
            return Kind.TOKEN;
        }
        Class<?> type = object.getClass();
        if (type.isArray()) {
            return array(object, type);
        }
        if (object instanceof String text) {
            begin(Kind.STRING);
            string(text);
            return Kind.STRING;
        }
        if (isCachedBox(object)) {
            begin(Kind.CACHED_BOX);
            box(object);
            return Kind.CACHED_BOX;
        }
        constants.meet(type);
        Field constant = constants.of(object);
        if (constant != null) {
            begin(Kind.CONSTANT);
            out.putText(constant.getDeclaringClass().getName());
            out.putText(constant.getName());
            return Kind.CONSTANT;
        }
        return special(number, object, type);
    }

    private Kind special(int number, Object object, Class<?> type) throws UncapturableException, IOException {
        if (object instanceof Class<?> named) {
            if (named.isHidden()) {
                throw refuse(number, "class " + named.getName() + " was made at run time and has no name elsewhere");
            }
            begin(Kind.CLASS);
            out.putText(named.getName());
            return Kind.CLASS;
        }
        if (object instanceof Enum<?> constant) {
            begin(Kind.ENUM);
            type(constant.getDeclaringClass());
            out.putText(constant.name());
            boolean fields = !JdkConstants.isOfTheProcess(type);
            out.putByte(fields ? 1 : 0);
            if (fields) {
                type(type);
            }
            return fields ? Kind.ENUM : Kind.CLASS;
        }
        if (ReferenceForm.strength(type) >= 0) {
            begin(Kind.REFERENCE);
            return Kind.REFERENCE;
        }
        if (Proxy.isProxyClass(type)) {
            begin(Kind.PROXY);
            return Kind.PROXY;
        }
        SerializedLambda lambda = type.isHidden() ? lambda(object, type) : null;
        if (lambda != null) {
            lambdas.put(number, lambda);
            begin(Kind.LAMBDA);
            return Kind.LAMBDA;
        }
        int form = TextForms.formOf(object);
        if (form >= 0) {
            begin(Kind.TEXT);
            out.putByte(form);
            out.putText(TextForms.text(form, object));
            return Kind.TEXT;
        }
        Kind file = file(number, object);
        if (file != null) {
            return file;
        }
        MemberForm member = MemberForm.of(object);
        if (member != null) {
            begin(Kind.MEMBER);
            out.putText(member.owner());
            out.putText(member.name());
            out.putText(member.descriptor());
            out.putByte(member.accessible() ? 1 : 0);
            return Kind.MEMBER;
        }
        HandleForm handle = HandleForm.of(object);
        if (handle != null) {
            begin(Kind.HANDLE);
            out.putByte(handle.kind());
            out.putText(handle.owner());
            out.putText(handle.name());
            out.putText(handle.descriptor());
            return Kind.HANDLE;
        }
        ThreadForm thread = object instanceof Thread of ? ThreadForm.of(of) : null;
        if (thread != null) {
            begin(Kind.THREAD);
            type(type);
            out.putByte(thread.state());
            out.putText(thread.name());
            out.putByte(thread.daemon() ? 1 : 0);
            out.putByte(thread.priority());
            return Kind.THREAD;
        }
        if (object instanceof ThreadGroup group
                && group.equals(Thread.currentThread().getThreadGroup())) {
            begin(Kind.GROUP);
            return Kind.GROUP;
        }
        DirectForm direct = DirectForm.of(object);
        if (direct != null) {
            begin(Kind.DIRECT);
            out.putInt(direct.bigEndian());
            out.putInt(direct.mark());
            out.putInt(direct.position());
            out.putInt(direct.limit());
            out.putInt(direct.capacity());
            return Kind.DIRECT;
        }
        String busy = IdleForm.obstacle(object);
        String reason = busy == null ? Refusals.reason(object) : busy;
        if (reason != null) {
            throw refuse(number, reason);
        }
        Map<String, Object> idle = IdleForm.values(object);
        if (idle != null) {
            idles.put(number, idle);
            begin(Kind.IDLE);
            type(type);
            return Kind.IDLE;
        }
        if (object instanceof Throwable thrown) {
            StackTraces.settle(thrown);
        }
        begin(Kind.STRUCTURE);
        type(type);
        return Kind.STRUCTURE;
    }

    private @Nullable Kind file(int number, Object object) throws UncapturableException, IOException {
        if (FileClosing.isOne(object)) {
            begin(Kind.CLOSING);
            return Kind.CLOSING;
        }
        // who asks a channel with an interrupt pending closes it
        boolean interrupted = Thread.interrupted();
        try {
            return ChannelForm.isOne(object) ? channel(number, (FileChannel) object) : stream(number, object);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Kind stream(int number, Object object) throws UncapturableException, IOException {
        FileForm file = FileForm.of(object);
        if (file == null) {
            return null;
        }
        String obstacle = FileForm.obstacle(object);
        if (obstacle != null) {
            throw refuse(number, obstacle);
        }
        begin(Kind.FILE);
        out.putByte(file.kind());
        out.putText(file.path());
        out.putLong(file.position());
        out.putLong(file.length());
        return Kind.FILE;
    }

    private Kind channel(int number, FileChannel channel) throws UncapturableException, IOException {
        String obstacle = ChannelForm.obstacle(channel);
        if (obstacle != null) {
            throw refuse(number, obstacle);
        }
        begin(Kind.CHANNEL);
        Object stream = ChannelForm.stream(channel);
        out.putByte(stream == null ? 0 : 1);
        if (stream != null) {
            reference(stream);
            return Kind.CHANNEL;
        }
        ChannelForm form = ChannelForm.of(channel);
        out.putByte(form.options());
        out.putText(form.path());
        out.putLong(form.position());
        out.putLong(form.length());
        return Kind.CHANNEL;
    }

    private Kind array(Object array, Class<?> type) {
        Class<?> component = type.getComponentType();
        if (!component.isPrimitive()) {
            begin(Kind.REFERENCES);
            type(type);
            out.putInt(((Object[]) array).length);
            return Kind.REFERENCES;
        }
        begin(Kind.PRIMITIVES);
        out.putByte(component.descriptorString().charAt(0));
        out.putInt(java.lang.reflect.Array.getLength(array));
        return Kind.PRIMITIVES;
    }

    private void begin(Kind kind) {
        out.putByte(kind.code());
    }

    private void string(String text) {
        boolean latin = true;
        for (int i = 0; i < text.length() && latin; i++) {
            latin = text.charAt(i) < 0x100;
        }
        // no charset for the others: it would replace half a surrogate pair
        MemorySegment characters = latin
                ? MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1))
                : MemorySegment.ofArray(text.toCharArray());
        out.putByte(latin ? 1 : 2);
        out.putInt(Math.toIntExact(characters.byteSize()));
        out.putBytes(characters);
    }

    // which boxes the JVM keeps is a matter of identity
    @SuppressWarnings({"ReferenceEquality", "BoxedPrimitiveEquality", "UnnecessaryBoxedVariable"})
    private static boolean isCachedBox(Object object) {
        return switch (object) {
            case Boolean value -> value == Boolean.valueOf(value.booleanValue());
            case Byte value -> value == Byte.valueOf(value.byteValue());
            case Character value -> value < 128 && value == Character.valueOf(value.charValue());
            case Short value -> value >= -128 && value < 128 && value == Short.valueOf(value.shortValue());
            case Integer value -> value >= -128 && value < 128 && value == Integer.valueOf(value.intValue());
            case Long value -> value >= -128 && value < 128 && value == Long.valueOf(value.longValue());
            default -> false;
        };
    }

    private void box(Object object) {
        switch (object) {
            case Boolean value -> box('Z', value ? 1 : 0);
            case Byte value -> box('B', value);
            case Character value -> box('C', value);
            case Short value -> box('S', value);
            case Integer value -> box('I', value);
            default -> box('J', (int) (long) (Long) object);
        }
    }

    private void box(char kind, int value) {
        out.putByte(kind);
        out.putInt(value);
    }

    private void type(Class<?> type) {
        Integer known = classes.get(type);
        if (known != null) {
            out.putInt(known);
            return;
        }
        int index = classes.size();
        classes.put(type, index);
        out.putInt(index);
        out.putText(type.getName());
        out.putText(type.isArray() ? "" : Shape.of(type).signature());
    }

    private static @Nullable SerializedLambda lambda(Object object, Class<?> type) {
        try {
            Method replace = type.getDeclaredMethod("writeReplace");
            replace.setAccessible(true);
            return replace.invoke(object) instanceof SerializedLambda lambda ? lambda : null;
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }

    private void content(Object object, Kind kind) throws UncapturableException, IOException {
        switch (kind) {
            case STRUCTURE -> {
                fields(object, Shape.of(object.getClass()));
                if (object instanceof ThreadLocal<?> local) {
                    threadLocal(local);
                }
            }
            case ENUM -> fields(object, Shape.of(object.getClass()));
            case THREAD -> thread((Thread) object);
            case REFERENCES -> {
                Object[] elements = (Object[]) object;
                for (int i = 0; i < elements.length; i++) {
                    slot = i;
                    reference(elements[i]);
                }
            }
            case PRIMITIVES -> out.putBytes(bytes(object));
            case DIRECT -> out.putBytes(DirectForm.memory(object));
            case LAMBDA -> parts(lambdaParts(lambdas.get(current), object.getClass()));
            case PROXY -> {
                reference(object.getClass().getInterfaces());
                slot = 1;
                reference(Proxy.getInvocationHandler(object));
            }
            case REFERENCE -> {
                out.putByte(ReferenceForm.strength(object.getClass()));
                parts(ReferenceForm.parts(object));
            }
            case IDLE -> fieldsOr(Objects.requireNonNull(idles.get(current)), object);
            case CLOSING -> reference(FileClosing.closed(object));
            case TOKEN, CONSTANT, STRING, CLASS, CACHED_BOX, TEXT, FILE, CHANNEL, MEMBER, HANDLE, GROUP -> {
                // all said in the head
            }
        }
    }

    private void parts(@Nullable Object... parts) throws UncapturableException, IOException {
        for (int i = 0; i < parts.length; i++) {
            slot = i;
            reference(parts[i]);
        }
    }

    private static Object[] lambdaParts(@Nullable SerializedLambda lambda, Class<?> type) {
        if (lambda == null) {
            throw new IllegalStateException("a lambda's parts are lost");
        }
        Object[] captured = new Object[lambda.getCapturedArgCount()];
        for (int i = 0; i < captured.length; i++) {
            captured[i] = lambda.getCapturedArg(i);
        }
        return new Object[] {LambdaFactory.names(lambda, type), captured};
    }

    private void fields(Object object, Shape shape) throws UncapturableException, IOException {
        char[] fieldKinds = shape.kinds();
        long[] offsets = shape.offsets();
        for (int i = 0; i < fieldKinds.length; i++) {
            field(object, i, fieldKinds[i], offsets[i]);
        }
    }

    private void field(Object object, int number, char kind, long offset) throws UncapturableException, IOException {
        switch (kind) {
            case 'L' -> {
                slot = number;
                reference(UNSAFE.getReference(object, offset));
            }
            case 'Z' -> out.putByte(UNSAFE.getBoolean(object, offset) ? 1 : 0);
            case 'B' -> out.putByte(UNSAFE.getByte(object, offset));
            case 'C' -> out.putShort(UNSAFE.getChar(object, offset));
            case 'S' -> out.putShort(UNSAFE.getShort(object, offset));
            case 'I' -> out.putInt(UNSAFE.getInt(object, offset));
            case 'J' -> out.putLong(UNSAFE.getLong(object, offset));
            case 'F' -> out.putInt(UNSAFE.getInt(object, offset));
            case 'A' -> out.putLong(UNSAFE.getLong(object, offset) - ArrayOffsets.base(object.getClass()));
            default -> out.putLong(UNSAFE.getLong(object, offset));
        }
    }

    /** Fields, some with other values than their own. */
    private void fieldsOr(Map<String, Object> values, Object object) throws UncapturableException, IOException {
        Shape shape = Shape.of(object.getClass());
        for (int i = 0; i < shape.names().length; i++) {
            Object value = values.get(shape.names()[i]);
            if (value == null) {
                field(object, i, shape.kinds()[i], shape.offsets()[i]);
            } else if (value instanceof Long number) {
                out.putLong(number);
            } else {
                slot = i;
                reference(value.equals(IdleForm.NOTHING) ? null : value);
            }
        }
    }

    private void thread(Thread thread) throws UncapturableException, IOException {
        if (ThreadForm.isMain(thread)) {
            return;
        }
        fields(thread, Shape.of(thread.getClass()));
        slot = -1;
        Object holder = ThreadForm.holder(thread);
        reference(UNSAFE.getReference(holder, ThreadForm.taskOffset(holder)));
        reference(UNSAFE.getReference(thread, ThreadForm.handlerOffset()));
    }

    /** The value that the copying thread, which is the program's, has of a thread local. */
    private void threadLocal(ThreadLocal<?> local) throws UncapturableException, IOException {
        boolean present = ThreadLocals.isPresent(local);
        out.putByte(present ? 1 : 0);
        if (present) {
            slot = -1;
            reference(local.get());
        }
    }

    static MemorySegment bytes(Object array) {
        return switch (array) {
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case char[] chars -> MemorySegment.ofArray(chars);
            case short[] shorts -> MemorySegment.ofArray(shorts);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            case boolean[] booleans -> MemorySegment.ofArray(asBytes(booleans));
            default -> throw new IllegalArgumentException(array.getClass().getName());
        };
    }

    private static byte[] asBytes(boolean[] booleans) {
        byte[] bytes = new byte[booleans.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (booleans[i] ? 1 : 0);
        }
        return bytes;
    }

    private UncapturableException refuse(int number, String reason) {
        StringBuilder path = new StringBuilder();
        List<Integer> indices = new ArrayList<>();
        for (int child = number; parents[child] != NULL; child = parents[child]) {
            int parent = parents[child];
            Object holder = objects[parent];
            if (kinds[parent] == Kind.REFERENCES) {
                indices.addFirst(slots[child]);
                continue;
            }
            String step;
            if (kinds[parent] == Kind.STRUCTURE || kinds[parent] == Kind.ENUM || kinds[parent] == Kind.IDLE) {
                String name =
                        slots[child] < 0 ? "value" : Shape.of(holder.getClass()).names()[slots[child]];
                step = " → " + name;
            } else {
                step = " → captured by " + holder.getClass().getSimpleName();
            }
            path.insert(0, UncapturableException.path(step, indices));
            indices.clear();
        }
        return new UncapturableException(
                indices, path + " (" + objects[number].getClass().getName() + ")", reason);
    }
}
