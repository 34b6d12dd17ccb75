package org.gridmpj.capture.heap;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects of an image of {@link GraphWriter} again, in the classes of this process. Confined to one thread: the
 * one that will run the program, since thread locals get their values in it.
 *
 * <p>Objects are made when they are first referred to and filled later, in the order of their numbers. Lambdas, proxies
 * and references cannot be made before what they hold: who refers to them is remembered, and gets them at the end. All get
 * the identity hash codes that they had, so that tables stay as they were; those with keys that have another already are
 * built anew by {@link #settle}.
 */
public final class GraphReader {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final TokenRegistry tokens;
    private final ClassLoader loader;
    private final LambdaFactory lambdaFactory;
    private final ImageClasses classes;
    private final List<LateValue> late = new ArrayList<>();
    private final List<Fixup> fixups = new ArrayList<>();
    private final List<Runnable> last = new ArrayList<>();
    /** Whose keys may hash otherwise here. */
    private final List<Object> tables = new ArrayList<>();

    private Object[] objects = new Object[1 << 12];
    private Kind[] kinds = new Kind[1 << 12];
    private Class<?>[] enumTypes = new Class<?>[0];
    private int size;

    /** What is to hold a late value. */
    private record Fixup(Object holder, long offset, int number) {}

    /** A lambda, proxy or reference that is not made yet; after a reference the next one in its queue. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record LateValue(int number, Kind kind, int strength, int[] parts, int next) {}

    /**
     * A reader.
     *
     * @param loader finds the program's classes
     */
    public GraphReader(TokenRegistry tokens, ClassLoader loader) {
        this.tokens = tokens;
        this.loader = loader;
        classes = new ImageClasses(loader);
        lambdaFactory = new LambdaFactory(loader);
    }

    /**
     * Reads one image and gives its root, whose tables are not to be used before {@link #settle}.
     *
     * @throws ImageMismatchException if it does not fit this process; nothing of the program has been changed but enum
     *     constants' fields
     */
    public Object read(InputStream stream) throws IOException {
        ImageInput in = new ImageInput(stream);
        boolean turned = isTurned(in);
        try {
            Holder holder = new Holder();
            reference(in, holder, Holder.OFFSET);
            for (int number = 0; number < size; number++) {
                content(in, number);
            }
            int[] hashes = new int[size];
            in.getBytes(MemorySegment.ofArray(hashes));
            makeLateValues();
            adapt(hashes, turned);
            last.forEach(Runnable::run);
            Object root = holder.value;
            if (root == null) {
                throw new ImageMismatchException("the image is empty");
            }
            return root;
        } catch (ClassNotFoundException e) {
            throw unknownClass(e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw doesNotFit(e);
        } finally {
            classes.clear();
            late.clear();
            fixups.clear();
            last.clear();
            Arrays.fill(objects, null);
            size = 0;
        }
    }

    /** Reads what an image begins with; whether its immutable sets have the other direction. */
    static boolean isTurned(ImageInput in) throws IOException {
        if (in.getLong() != GraphWriter.MAGIC) {
            throw new ImageMismatchException("this is no image of a program's objects");
        }
        int version = in.getInt();
        if (version != GraphWriter.VERSION) {
            throw ImageMismatchException.ofAnotherProgram(
                    "the image has version " + version + ", this GridMPJ reads version " + GraphWriter.VERSION
                            + ": use the version that wrote it",
                    null);
        }
        boolean turned = in.getInt() != 0 != ImmutableOrder.REVERSE;
        int[] mark = new int[1];
        in.getBytes(MemorySegment.ofArray(mark));
        if (mark[0] != GraphWriter.BYTE_ORDER_MARK) {
            throw ImageMismatchException.ofAnotherProgram("the image comes from a host of the other byte order", null);
        }
        return turned;
    }

    static ImageMismatchException unknownClass(ClassNotFoundException cause) {
        return ImageMismatchException.ofAnotherProgram(
                "class " + cause.getMessage() + " of the image is not on this program's class path", cause);
    }

    static ImageMismatchException doesNotFit(Throwable cause) {
        String message = "the image does not fit this program: " + cause;
        // an initialiser of the program that throws does so in the same program, too
        return cause instanceof ExceptionInInitializerError
                ? new ImageMismatchException(message, cause)
                : ImageMismatchException.ofAnotherProgram(message, cause);
    }

    /** Whether a number can be that of an object, the next one being {@code size}. */
    static void check(int number, int size) throws ImageMismatchException {
        if (number < -1 || number > size) {
            throw new ImageMismatchException(
                    "the image refers to object " + number + " of " + size + ": it is corrupt");
        }
    }

    /** Where the root goes. */
    private static final class Holder {
        static final long OFFSET = UNSAFE.objectFieldOffset(Holder.class, "value");

        @Nullable
        Object value;
    }

    private void reference(ImageInput in, Object holder, long offset) throws IOException, ReflectiveOperationException {
        int number = number(in);
        if (number < 0) {
            UNSAFE.putReference(holder, offset, null);
            return;
        }
        Object value = objects[number];
        if (value == null) {
            fixups.add(new Fixup(holder, offset, number));
        } else {
            UNSAFE.putReference(holder, offset, value);
        }
    }

    /** Number of the object that is referred to, −1 for null; makes it if it is new. */
    private int number(ImageInput in) throws IOException, ReflectiveOperationException {
        int number = in.getInt();
        check(number, size);
        if (number == size) {
            if (size == objects.length) {
                objects = Arrays.copyOf(objects, size * 2);
                kinds = Arrays.copyOf(kinds, size * 2);
            }
            size++;
            Kind kind = Kind.of(in.getByte());
            kinds[number] = kind;
            Object made = head(in, number, kind);
            if (made != null) {
                objects[number] = made;
            }
        }
        return number;
    }

    private @Nullable Object head(ImageInput in, int number, Kind kind)
            throws IOException, ReflectiveOperationException {
        return switch (kind) {
            case STRUCTURE, IDLE -> UNSAFE.allocateInstance(classes.next(in));
            case REFERENCES -> {
                Class<?> type = classes.next(in);
                yield Array.newInstance(type.getComponentType(), in.getLength());
            }
            case PRIMITIVES -> primitives((char) in.getByte(), in.getLength());
            case TOKEN -> token(in.getText());
            case CONSTANT -> JdkConstants.value(in.getText(), in.getText(), loader);
            case STRING -> string(in);
            case CLASS -> classes.named(in.getText());
            case ENUM -> constant(in, number);
            case CACHED_BOX -> box((char) in.getByte(), in.getInt());
            case TEXT -> {
                int form = in.getByte();
                Object value = TextForms.value(form, in.getText());
                if (value == null) {
                    throw new ImageMismatchException("the image has a value of the unknown form " + form);
                }
                yield value;
            }
            case FILE -> new FileForm(in.getByte(), in.getText(), in.getLong(), in.getLong()).open();
            case MEMBER -> new MemberForm(in.getText(), in.getText(), in.getText(), in.getByte() != 0).find(loader);
            case HANDLE -> new HandleForm(in.getByte(), in.getText(), in.getText(), in.getText()).find(loader);
            case THREAD -> {
                Class<?> type = classes.next(in);
                yield new ThreadForm(in.getByte(), in.getText(), in.getByte() != 0, in.getByte()).make(type);
            }
            case CHANNEL ->
                in.getByte() != 0
                        ? ChannelForm.of(stream(in))
                        : new ChannelForm(in.getByte(), in.getText(), in.getLong(), in.getLong()).open();
            case CLOSING -> new FileClosing();
            case GROUP -> Thread.currentThread().getThreadGroup();
            case DIRECT -> new DirectForm(in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getLength()).make();
            case LAMBDA, PROXY, REFERENCE -> null;
        };
    }

    /** The stream that a channel belongs to: it is made whole, in the channel's own head if it is new. */
    private @Nullable Object stream(ImageInput in) throws IOException, ReflectiveOperationException {
        int number = number(in);
        return number < 0 ? null : objects[number];
    }

    private Object token(String name) throws ImageMismatchException {
        Object live = tokens.named(name);
        if (live == null) {
            throw ImageMismatchException.ofAnotherProgram(
                    "the image refers to '" + name + "', which this process does not have: it is"
                            + " of another version of GridMPJ, or of another kind of job",
                    null);
        }
        return live;
    }

    static Object primitives(char kind, int length) throws ImageMismatchException {
        return switch (kind) {
            case 'Z' -> new boolean[length];
            case 'B' -> new byte[length];
            case 'C' -> new char[length];
            case 'S' -> new short[length];
            case 'I' -> new int[length];
            case 'J' -> new long[length];
            case 'F' -> new float[length];
            case 'D' -> new double[length];
            default -> throw new ImageMismatchException("the image has an array of the unknown type " + kind);
        };
    }

    private static String string(ImageInput in) throws IOException {
        int coder = in.getByte();
        int length = in.getLength();
        String text =
                coder == 1 ? new String(in.getBytes(length), StandardCharsets.ISO_8859_1) : in.getCharacters(length);
        return text.length() <= GraphWriter.INTERNED_CHARACTERS ? text.intern() : text;
    }

    private static Object box(char kind, int value) throws ImageMismatchException {
        return switch (kind) {
            case 'Z' -> value != 0;
            case 'B' -> (byte) value;
            case 'C' -> (char) value;
            case 'S' -> (short) value;
            case 'I' -> value;
            case 'J' -> (long) value;
            default -> throw new ImageMismatchException("the image has a boxed value of the unknown type " + kind);
        };
    }

    private Object constant(ImageInput in, int number) throws IOException, ReflectiveOperationException {
        Class<?> type = classes.next(in);
        String name = in.getText();
        if (in.getByte() != 0) {
            Class<?> own = classes.next(in);
            if (number >= enumTypes.length) {
                enumTypes = Arrays.copyOf(enumTypes, Math.max(number + 1, enumTypes.length * 2));
            }
            enumTypes[number] = own;
        } else {
            kinds[number] = Kind.CLASS;
        }
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw ImageMismatchException.ofAnotherProgram(
                "enum " + type.getName() + " has no constant " + name
                        + " in this process: run the program that the snapshot was taken of",
                null);
    }

    private void content(ImageInput in, int number) throws IOException, ReflectiveOperationException {
        Object object = objects[number];
        switch (kinds[number]) {
            case STRUCTURE -> {
                fields(in, made(object), false);
                if (object instanceof ThreadLocal<?> local) {
                    threadLocal(in, local);
                }
            }
            case IDLE -> {
                fields(in, made(object), false);
                last.add(() -> IdleForm.settle(made(object)));
            }
            case ENUM -> fields(in, made(object), true);
            case REFERENCES -> {
                Object[] elements = (Object[]) made(object);
                long base = UNSAFE.arrayBaseOffset(elements.getClass());
                long scale = UNSAFE.arrayIndexScale(elements.getClass());
                for (int i = 0; i < elements.length; i++) {
                    reference(in, elements, base + i * scale);
                }
            }
            case PRIMITIVES -> {
                if (object instanceof boolean[] booleans) {
                    byte[] bytes = in.getBytes(booleans.length);
                    for (int i = 0; i < bytes.length; i++) {
                        booleans[i] = bytes[i] != 0;
                    }
                } else {
                    in.getBytes(GraphWriter.bytes(made(object)));
                }
            }
            case DIRECT -> in.getBytes(DirectForm.memory(made(object)));
            case LAMBDA, PROXY ->
                late.add(new LateValue(number, kinds[number], 0, new int[] {number(in), number(in)}, -1));
            case REFERENCE ->
                late.add(new LateValue(
                        number, Kind.REFERENCE, in.getByte(), new int[] {number(in), number(in)}, number(in)));
            case THREAD -> {
                Thread thread = (Thread) made(object);
                if (!ThreadForm.isMain(thread)) {
                    fields(in, thread, false);
                    Object holder = ThreadForm.holder(thread);
                    reference(in, holder, ThreadForm.taskOffset(holder));
                    reference(in, thread, ThreadForm.handlerOffset());
                }
            }
            case CLOSING -> reference(in, made(object), FileClosing.CLOSED);
            case TOKEN, CONSTANT, STRING, CLASS, CACHED_BOX, TEXT, FILE, CHANNEL, MEMBER, HANDLE, GROUP -> {
                // made whole
            }
        }
    }

    private static Object made(@Nullable Object object) {
        if (object == null) {
            throw new IllegalStateException("an object of the image was not made");
        }
        return object;
    }

    private void fields(ImageInput in, Object object, boolean enumConstant)
            throws IOException, ReflectiveOperationException {
        Shape shape = Shape.of(object.getClass());
        char[] fieldKinds = shape.kinds();
        long[] offsets = shape.offsets();
        for (int i = 0; i < fieldKinds.length; i++) {
            long offset = offsets[i];
            // name, ordinal and hash code are those of this process
            if (enumConstant && shape.names()[i].startsWith("Enum.")) {
                if (fieldKinds[i] == 'L') {
                    number(in);
                } else {
                    in.getInt();
                }
                continue;
            }
            switch (fieldKinds[i]) {
                case 'L' -> reference(in, object, offset);
                case 'Z' -> UNSAFE.putBoolean(object, offset, in.getByte() != 0);
                case 'B' -> UNSAFE.putByte(object, offset, (byte) in.getByte());
                case 'C' -> UNSAFE.putChar(object, offset, (char) in.getShort());
                case 'S' -> UNSAFE.putShort(object, offset, (short) in.getShort());
                case 'I', 'F' -> UNSAFE.putInt(object, offset, in.getInt());
                case 'A' -> UNSAFE.putLong(object, offset, in.getLong() + ArrayOffsets.base(object.getClass()));
                default -> UNSAFE.putLong(object, offset, in.getLong());
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void threadLocal(ImageInput in, ThreadLocal<?> local) throws IOException, ReflectiveOperationException {
        if (in.getByte() != 0) {
            Holder holder = new Holder();
            reference(in, holder, Holder.OFFSET);
            last.add(() -> ((ThreadLocal<Object>) local).set(holder.value));
        }
    }

    /** A lambda may have captured another: each is made when its parts are. */
    private void makeLateValues() throws IOException, ReflectiveOperationException {
        List<LateValue> left = new ArrayList<>(late);
        while (!left.isEmpty()) {
            List<LateValue> next = new ArrayList<>();
            for (LateValue value : left) {
                if (isReady(value)) {
                    objects[value.number()] = make(value);
                } else {
                    next.add(value);
                }
            }
            if (next.size() == left.size()) {
                throw new ImageMismatchException("lambdas of the image hold each other: that is not possible");
            }
            left = next;
        }
        for (Fixup fixup : fixups) {
            UNSAFE.putReference(fixup.holder(), fixup.offset(), objects[fixup.number()]);
        }
    }

    private boolean isReady(LateValue value) {
        for (int part : value.parts()) {
            if (part >= 0 && objects[part] == null) {
                return false;
            }
        }
        if (value.kind() != Kind.LAMBDA) {
            return true;
        }
        // an array of captured values is there, but not what is fixed up in it
        Object captured = objects[value.parts()[1]];
        for (Fixup fixup : fixups) {
            if (same(fixup.holder(), captured)) {
                Object part = objects[fixup.number()];
                if (part == null) {
                    return false;
                }
                UNSAFE.putReference(fixup.holder(), fixup.offset(), part);
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // the very array
    private static boolean same(Object a, @Nullable Object b) {
        return a == b;
    }

    private Object make(LateValue value) throws ReflectiveOperationException {
        Object first = value.parts()[0] < 0 ? null : objects[value.parts()[0]];
        return switch (value.kind()) {
            case LAMBDA -> lambdaFactory.make((String[]) made(first), (Object[]) made(objects[value.parts()[1]]));
            case PROXY ->
                Proxy.newProxyInstance(
                        loader, (Class<?>[]) made(first), (InvocationHandler) made(objects[value.parts()[1]]));
            default -> {
                Object queue = value.parts()[1] < 0 ? null : objects[value.parts()[1]];
                Reference<?> made = ReferenceForm.make(value.strength(), first, queue, value.next() >= 0);
                if (value.next() >= 0) {
                    fixups.add(new Fixup(made, ReferenceForm.NEXT, value.next()));
                }
                yield made;
            }
        };
    }

    private void adapt(int[] hashes, boolean turned) {
        boolean others = false;
        for (int number = 0; number < size; number++) {
            Object object = made(objects[number]);
            boolean same = IdentityHashes.install(object, hashes[number]);
            // texts and numbers have hash codes of their own
            others |= !same && !(object instanceof String) && kinds[number] != Kind.CACHED_BOX;
            if (turned && kinds[number] == Kind.STRUCTURE) {
                ImmutableOrder.turn(object);
            }
        }
        // what is in a key was found after the key: the later tables first
        for (int number = size - 1; number >= 0 && others; number--) {
            if (kinds[number] == Kind.STRUCTURE && HashTables.isTable(made(objects[number]))) {
                tables.add(made(objects[number]));
            }
        }
    }

    /**
     * Builds tables anew that have keys with other hash codes here. It asks keys for theirs: the program's static fields are to
     * be set before.
     */
    public void settle() {
        tables.forEach(HashTables::rebuildIfNeeded);
        tables.clear();
    }
}
