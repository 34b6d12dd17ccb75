package org.gridmpj.capture.heap;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Goes through an image of {@link GraphWriter} and makes nothing of it, in a process that will read a later one of the same
 * program: loads the classes and compares their fields, so that a program that does not fit is known, and what takes long
 * when it is done for the first time is done, before somebody waits for it. Confined to one thread.
 *
 * <p>Nothing of the program begins: no class is initialized, no file is opened, no lambda made, no object asked for its hash
 * code, which would be another one than that of the image. Only arrays of numbers are made, if at all, one at a time, and
 * dropped: memory that was in use once is there sooner.
 */
public final class GraphRehearsal {
    private final ImageClasses classes;
    private final boolean makesArrays;
    private Kind[] kinds = new Kind[1 << 12];
    /** Of structures, constants with fields and threads but main. */
    private Class<?>[] types = new Class<?>[1 << 12];
    /** Of arrays. */
    private int[] lengths = new int[1 << 12];
    /** Of arrays of numbers: the first character of their elements' descriptor. */
    private char[] elements = new char[1 << 12];

    private int size;

    /** @param loader finds the program's classes */
    public GraphRehearsal(ClassLoader loader) {
        this(loader, true);
    }

    /**
     * @param loader finds the program's classes
     * @param makesArrays whether memory for arrays of numbers is taken; without, an image may be larger than the heap
     */
    public GraphRehearsal(ClassLoader loader, boolean makesArrays) {
        classes = new ImageClasses(loader);
        this.makesArrays = makesArrays;
    }

    /**
     * Goes through one image.
     *
     * @throws ImageMismatchException if it does not fit this process
     */
    public void read(InputStream stream) throws IOException {
        ImageInput in = new ImageInput(stream);
        boolean _ = GraphReader.isTurned(in);
        try {
            number(in);
            for (int number = 0; number < size; number++) {
                content(in, number);
            }
            in.getBytes(MemorySegment.ofArray(new int[size]));
        } catch (ClassNotFoundException e) {
            throw GraphReader.unknownClass(e);
        } catch (LinkageError e) {
            throw GraphReader.doesNotFit(e);
        } finally {
            classes.clear();
            Arrays.fill(types, null);
            size = 0;
        }
    }

    private void number(ImageInput in) throws IOException, ClassNotFoundException {
        int number = in.getInt();
        GraphReader.check(number, size);
        if (number == size) {
            if (size == kinds.length) {
                kinds = Arrays.copyOf(kinds, size * 2);
                types = Arrays.copyOf(types, size * 2);
                lengths = Arrays.copyOf(lengths, size * 2);
                elements = Arrays.copyOf(elements, size * 2);
            }
            size++;
            kinds[number] = head(in, number, Kind.of(in.getByte()));
        }
    }

    /** The kind by which the content is read. */
    private Kind head(ImageInput in, int number, Kind kind) throws IOException, ClassNotFoundException {
        switch (kind) {
            case STRUCTURE, IDLE -> types[number] = classes.next(in);
            case REFERENCES -> {
                Class<?> _ = classes.next(in);
                lengths[number] = in.getLength();
            }
            case PRIMITIVES -> {
                elements[number] = (char) in.getByte();
                lengths[number] = in.getLength();
            }
            case TOKEN -> texts(in, 1);
            case CONSTANT -> texts(in, 2);
            case STRING -> {
                int _ = in.getByte();
                byte[] _ = in.getBytes(in.getLength());
            }
            case CLASS -> {
                Class<?> _ = classes.named(in.getText());
            }
            case ENUM -> {
                Class<?> _ = classes.next(in);
                texts(in, 1);
                if (in.getByte() == 0) {
                    return Kind.CLASS;
                }
                types[number] = classes.next(in);
            }
            case CACHED_BOX -> {
                int _ = in.getByte();
                int _ = in.getInt();
            }
            case TEXT -> {
                int _ = in.getByte();
                texts(in, 1);
            }
            case FILE -> {
                int _ = in.getByte();
                texts(in, 1);
                long _ = in.getLong();
                long _ = in.getLong();
            }
            case MEMBER -> {
                texts(in, 3);
                int _ = in.getByte();
            }
            case HANDLE -> {
                int _ = in.getByte();
                texts(in, 3);
            }
            case THREAD -> {
                Class<?> type = classes.next(in);
                boolean isMain = in.getByte() == ThreadForm.MAIN;
                texts(in, 1);
                int _ = in.getByte();
                int _ = in.getByte();
                if (isMain) {
                    return Kind.CLASS;
                }
                types[number] = type;
            }
            case CHANNEL -> {
                if (in.getByte() != 0) {
                    number(in);
                } else {
                    int _ = in.getByte();
                    texts(in, 1);
                    long _ = in.getLong();
                    long _ = in.getLong();
                }
            }
            case DIRECT -> {
                in.skip(4L * Integer.BYTES);
                lengths[number] = in.getLength();
            }
            case LAMBDA, PROXY, REFERENCE, CLOSING, GROUP -> {
                // all of it is content
            }
        }
        return kind;
    }

    private static void texts(ImageInput in, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            String _ = in.getText();
        }
    }

    private void content(ImageInput in, int number) throws IOException, ClassNotFoundException {
        switch (kinds[number]) {
            case STRUCTURE -> {
                fields(in, types[number]);
                if (ThreadLocal.class.isAssignableFrom(types[number]) && in.getByte() != 0) {
                    number(in);
                }
            }
            case ENUM, IDLE -> fields(in, types[number]);
            case REFERENCES -> numbers(in, lengths[number]);
            case PRIMITIVES -> {
                if (makesArrays) {
                    in.getBytes(GraphWriter.bytes(GraphReader.primitives(elements[number], lengths[number])));
                } else {
                    in.skip(lengths[number]
                            * GraphWriter.bytes(GraphReader.primitives(elements[number], 1))
                                    .byteSize());
                }
            }
            case DIRECT -> in.skip(lengths[number]);
            case LAMBDA, PROXY -> numbers(in, 2);
            case CLOSING -> number(in);
            case REFERENCE -> {
                int _ = in.getByte();
                numbers(in, 3);
            }
            case THREAD -> {
                fields(in, types[number]);
                numbers(in, 2);
            }
            case TOKEN, CONSTANT, STRING, CLASS, CACHED_BOX, TEXT, FILE, CHANNEL, MEMBER, HANDLE, GROUP -> {
                // all said in the head
            }
        }
    }

    private void numbers(ImageInput in, int count) throws IOException, ClassNotFoundException {
        for (int i = 0; i < count; i++) {
            number(in);
        }
    }

    private void fields(ImageInput in, Class<?> type) throws IOException, ClassNotFoundException {
        for (char kind : Shape.of(type).kinds()) {
            switch (kind) {
                case 'L' -> number(in);
                case 'Z', 'B' -> {
                    int _ = in.getByte();
                }
                case 'C', 'S' -> {
                    int _ = in.getShort();
                }
                case 'I', 'F' -> {
                    int _ = in.getInt();
                }
                default -> {
                    long _ = in.getLong();
                }
            }
        }
    }
}
