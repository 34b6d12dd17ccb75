package org.gridmpj.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;

/** PROVISIONAL raw graph. */
final class StateGraph implements AutoCloseable {
    record Copy(byte[] bytes) {
        long lengthBytes() {
            return bytes.length;
        }

        void writeTo(ImageWriter image) throws IOException {
            image.write(bytes);
        }
    }

    private static Map<String, Object> tokens(SnapshotEngine engine) {
        Map<String, Object> names = new HashMap<>();
        engine.bindTokens(names::put);
        names.put("System.out", System.out);
        names.put("System.err", System.err);
        names.put("System.in", System.in);
        return names;
    }

    Copy copy(Object root, SnapshotEngine engine) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Map<Object, String> names = new IdentityHashMap<>();
        tokens(engine).forEach((name, object) -> names.put(object, name));
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            new Writer(out, names).write(root);
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
        return new Copy(bytes.toByteArray());
    }

    static Object read(InputStream in, SnapshotEngine engine) throws IOException, ClassNotFoundException {
        try {
            Object root = new Reader(new DataInputStream(new java.io.BufferedInputStream(in)), tokens(engine)).read();
            return java.util.Objects.requireNonNull(root);
        } catch (ClassNotFoundException e) {
            throw e;
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {}

    static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers())) {
                    f.setAccessible(true);
                    fields.add(f);
                }
            }
        }
        return fields;
    }

    static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

    private static final class Writer {
        final DataOutputStream out;
        final Map<Object, String> names;
        final Map<Object, Integer> ids = new IdentityHashMap<>();

        Writer(DataOutputStream out, Map<Object, String> names) {
            this.out = out;
            this.names = names;
        }

        void write(@Nullable Object o) throws IOException, ReflectiveOperationException {
            if (o == null) {
                out.writeByte(0);
                return;
            }
            Integer id = ids.get(o);
            if (id != null) {
                out.writeByte(1);
                out.writeInt(id);
                return;
            }
            ids.put(o, ids.size());
            String token = names.get(o);
            if (token != null) {
                out.writeByte(2);
                out.writeUTF(token);
                return;
            }
            Class<?> type = o.getClass();
            if (o instanceof String s) {
                out.writeByte(3);
                byte[] b = s.getBytes(java.nio.charset.StandardCharsets.UTF_8);
                out.writeInt(b.length);
                out.write(b);
            } else if (o instanceof Class<?> c) {
                out.writeByte(4);
                out.writeUTF(c.getName());
            } else if (o instanceof Enum<?> e) {
                out.writeByte(5);
                out.writeUTF(e.getDeclaringClass().getName());
                out.writeUTF(e.name());
            } else if (type.isArray()) {
                out.writeByte(6);
                out.writeUTF(type.getName());
                int n = Array.getLength(o);
                out.writeInt(n);
                if (o instanceof byte[] b) {
                    out.write(b);
                } else {
                    for (int i = 0; i < n; i++) {
                        if (type.getComponentType().isPrimitive()) {
                            prim(Array.get(o, i));
                        } else {
                            write(Array.get(o, i));
                        }
                    }
                }
            } else {
                if (type.isHidden() || o instanceof Thread || o instanceof ClassLoader) {
                    throw new IOException("cannot write " + type);
                }
                out.writeByte(7);
                out.writeUTF(type.getName());
                for (Field f : FIELDS.computeIfAbsent(type, StateGraph::fields)) {
                    if (f.getType().isPrimitive()) {
                        prim(f.get(o));
                    } else {
                        write(f.get(o));
                    }
                }
            }
        }

        void prim(Object v) throws IOException {
            switch (v) {
                case Integer x -> out.writeInt(x);
                case Long x -> out.writeLong(x);
                case Double x -> out.writeDouble(x);
                case Float x -> out.writeFloat(x);
                case Short x -> out.writeShort(x);
                case Byte x -> out.writeByte(x);
                case Character x -> out.writeChar(x);
                case Boolean x -> out.writeBoolean(x);
                default -> throw new IOException();
            }
        }
    }

    private static final class Reader {
        final DataInputStream in;
        final Map<String, Object> names;
        final List<@Nullable Object> objects = new ArrayList<>();
        final Object unsafe;
        final Method allocate;
        final Method offset;
        final Map<Class<?>, Method> puts = new HashMap<>();

        Reader(DataInputStream in, Map<String, Object> names) throws ReflectiveOperationException {
            this.in = in;
            this.names = names;
            Class<?> u = Class.forName("jdk.internal.misc.Unsafe");
            Method get = u.getMethod("getUnsafe");
            get.setAccessible(true);
            unsafe = get.invoke(null);
            allocate = u.getMethod("allocateInstance", Class.class);
            allocate.setAccessible(true);
            offset = u.getMethod("objectFieldOffset", Field.class);
            offset.setAccessible(true);
            Object[][] kinds = {
                {int.class, "putInt"}, {long.class, "putLong"}, {double.class, "putDouble"}, {float.class, "putFloat"},
                {short.class, "putShort"}, {byte.class, "putByte"}, {char.class, "putChar"}, {boolean.class, "putBoolean"},
                {Object.class, "putReference"}
            };
            for (Object[] k : kinds) {
                Method m = u.getMethod((String) k[1], Object.class, long.class, (Class<?>) k[0]);
                m.setAccessible(true);
                puts.put((Class<?>) k[0], m);
            }
        }

        Class<?> type(String n) throws ClassNotFoundException {
            return switch (n) {
                case "int" -> int.class;
                case "long" -> long.class;
                case "double" -> double.class;
                case "byte" -> byte.class;
                case "boolean" -> boolean.class;
                case "char" -> char.class;
                case "short" -> short.class;
                case "float" -> float.class;
                case "void" -> void.class;
                default -> Class.forName(n, false, ClassLoader.getSystemClassLoader());
            };
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        @Nullable
        Object read() throws IOException, ReflectiveOperationException {
            int tag = in.readByte();
            if (tag == 0) {
                return null;
            }
            if (tag == 1) {
                return objects.get(in.readInt());
            }
            int id = objects.size();
            objects.add(null);
            Object o;
            switch (tag) {
                case 2 -> {
                    String n = in.readUTF();
                    o = names.get(n);
                    if (o == null) {
                        throw new IOException("no token " + n);
                    }
                }
                case 3 -> o = new String(in.readNBytes(in.readInt()), java.nio.charset.StandardCharsets.UTF_8);
                case 4 -> o = type(in.readUTF());
                case 5 -> o = Enum.valueOf((Class) type(in.readUTF()), in.readUTF());
                case 6 -> {
                    Class<?> t = type(in.readUTF());
                    int n = in.readInt();
                    o = Array.newInstance(t.getComponentType(), n);
                    objects.set(id, o);
                    if (o instanceof byte[] b) {
                        in.readFully(b);
                    } else {
                        for (int i = 0; i < n; i++) {
                            Array.set(o, i, t.getComponentType().isPrimitive() ? prim(t.getComponentType()) : read());
                        }
                    }
                }
                default -> {
                    Class<?> t = type(in.readUTF());
                    o = allocate.invoke(unsafe, t);
                    objects.set(id, o);
                    for (Field f : FIELDS.computeIfAbsent(t, StateGraph::fields)) {
                        Object v = f.getType().isPrimitive() ? prim(f.getType()) : read();
                        java.util.Objects.requireNonNull(
                                        puts.get(f.getType().isPrimitive() ? f.getType() : Object.class))
                                .invoke(unsafe, o, offset.invoke(unsafe, f), v);
                    }
                }
            }
            objects.set(id, o);
            return o;
        }

        Object prim(Class<?> t) throws IOException {
            if (t == int.class) return in.readInt();
            if (t == long.class) return in.readLong();
            if (t == double.class) return in.readDouble();
            if (t == float.class) return in.readFloat();
            if (t == short.class) return in.readShort();
            if (t == byte.class) return in.readByte();
            if (t == char.class) return in.readChar();
            return in.readBoolean();
        }
    }
}
