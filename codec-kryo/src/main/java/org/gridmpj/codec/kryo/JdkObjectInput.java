package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.UncheckedIOException;
import java.util.Hashtable;
import org.jspecify.annotations.Nullable;

/** What a {@link JdkClass} reads from, for java.io's stream. Of one GraphKryo. */
final class JdkObjectInput extends ObjectInputStream {
    /** Some lists write one more than they have, and room for none. */
    private static final int SLACK = 16;

    private final GraphKryo kryo;
    private final Input input;

    /** What is being read; each object that is read within it keeps these aside. */
    private @Nullable JdkClass type;

    private @Nullable Object object;
    private JdkClass.@Nullable Level level;
    private int objects;
    private int ints;

    JdkObjectInput(GraphKryo kryo, Input input) throws IOException {
        this.kryo = kryo;
        this.input = input;
    }

    /** Fills an object of the class's form. */
    void read(JdkClass jdkClass, Object form) {
        JdkClass outerType = type;
        Object outerObject = object;
        JdkClass.Level outerLevel = level;
        int outerObjects = objects;
        int outerInts = ints;
        type = jdkClass;
        object = form;
        objects = 0;
        ints = 0;
        try {
            if (form instanceof Externalizable external) {
                external.readExternal(this);
            }
            for (JdkClass.Level one : jdkClass.levels()) {
                level = one;
                one.reader().invokeExact(form, (ObjectInputStream) this);
            }
        } catch (KryoException | UncheckedIOException | Error e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Throwable e) {
            throw new KryoException("no " + jdkClass.type().getName() + ": " + e, e);
        }
        type = outerType;
        object = outerObject;
        level = outerLevel;
        objects = outerObjects;
        ints = outerInts;
    }

    private JdkClass type() {
        if (type == null) {
            throw new IllegalStateException("nothing is being read");
        }
        return type;
    }

    private JdkClass.Level level() {
        if (level == null) {
            throw new IllegalStateException("nothing is being read");
        }
        return level;
    }

    @Override
    protected @Nullable Object readObjectOverride() {
        boolean key = switch (type().content()) {
            case KEYS -> true;
            case ENTRIES, ENTRIES_WITHOUT_FIELDS -> objects % 2 == 0;
            case VALUE, REFERENCES -> false;
        };
        objects++;
        Object read = kryo.readClassAndObject(input);
        if (key) {
            Keys.require(read, type().type());
        }
        return read;
    }

    @Override
    public void defaultReadObject() throws IOException, ClassNotFoundException {
        if (type().content() == JdkClass.Content.ENTRIES_WITHOUT_FIELDS) {
            return;
        }
        try {
            level().fieldReader().invokeExact(object, (ObjectInputStream) this);
        } catch (RuntimeException | Error | IOException | ClassNotFoundException e) {
            throw e;
        } catch (Throwable e) {
            throw new KryoException(e);
        }
    }

    @Override
    public GetField readFields() {
        return new JdkGetFields(type(), level().fields(), kryo, input);
    }

    @Override
    public boolean readBoolean() {
        return input.readBoolean();
    }

    @Override
    public byte readByte() {
        return input.readByte();
    }

    @Override
    public short readShort() {
        return input.readShort();
    }

    /** Of a collection, a number of its objects, for which it may make room at once: each takes a byte at least. */
    @Override
    public int readInt() {
        int value = input.readInt();
        // a Hashtable's first is its capacity, and it makes no more room than its elements need, whatever that is
        if (type().content() == JdkClass.Content.VALUE || (ints++ == 0 && type().form() == Hashtable.class)) {
            return value;
        }
        if (value < 0 || value > input.limit() - input.position() + SLACK) {
            throw new KryoException("a " + type().type().getName() + " of " + value);
        }
        return value;
    }

    @Override
    public long readLong() {
        return input.readLong();
    }

    @Override
    public float readFloat() {
        return input.readFloat();
    }

    @Override
    public String readUTF() {
        return input.readString();
    }
}
