package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Output;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** What a {@link JdkClass} writes to, for java.io's stream: objects go to Kryo, numbers into its buffer. Of one GraphKryo. */
final class JdkObjectOutput extends ObjectOutputStream {
    private static final String NOTHING = "nothing is being written";

    private final GraphKryo kryo;
    /** That of the graph that is being written. */
    private @Nullable Output output;

    /** What is being written; each object that is written within it keeps these aside. */
    private @Nullable JdkClass type;

    private @Nullable Object object;
    private JdkClass.@Nullable Level level;
    private int objects;
    private @Nullable JdkPutFields fields;

    JdkObjectOutput(GraphKryo kryo) throws IOException {
        this.kryo = kryo;
    }

    /** Writes an object of the class's form. */
    @SuppressWarnings("ReferenceEquality") // the same graph or not
    void write(JdkClass jdkClass, Object form, Output to) {
        if (output != to) {
            output = to;
        }
        JdkClass outerType = type;
        Object outerObject = object;
        JdkClass.Level outerLevel = level;
        int outerObjects = objects;
        type = jdkClass;
        object = form;
        objects = 0;
        try {
            if (form instanceof Externalizable external) {
                external.writeExternal(this);
            }
            for (JdkClass.Level one : jdkClass.levels()) {
                level = one;
                one.writer().invokeExact(form, (ObjectOutputStream) this);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Throwable e) {
            throw new KryoException(e);
        }
        type = outerType;
        object = outerObject;
        level = outerLevel;
        objects = outerObjects;
    }

    /** Lets go of the graph. */
    void clear() {
        output = null;
    }

    private Output output() {
        if (output == null) {
            throw new IllegalStateException(NOTHING);
        }
        return output;
    }

    private JdkClass type() {
        if (type == null) {
            throw new IllegalStateException(NOTHING);
        }
        return type;
    }

    private JdkClass.Level level() {
        if (level == null) {
            throw new IllegalStateException(NOTHING);
        }
        return level;
    }

    @Override
    protected void writeObjectOverride(@Nullable Object written) {
        boolean key = switch (type().content()) {
            case KEYS -> true;
            case ENTRIES, ENTRIES_WITHOUT_FIELDS -> objects % 2 == 0;
            case VALUE, REFERENCES -> false;
        };
        objects++;
        if (key && !Keys.include(written)) {
            throw new RefusedException(type().type());
        }
        kryo.writeClassAndObject(output(), written);
    }

    @Override
    public void defaultWriteObject() throws IOException {
        try {
            level().fieldWriter().invokeExact(object, (ObjectOutputStream) this);
        } catch (RuntimeException | Error | IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new KryoException(e);
        }
    }

    @Override
    public PutField putFields() {
        fields = new JdkPutFields(level().fields());
        return fields;
    }

    @Override
    public void writeFields() {
        JdkPutFields put = fields;
        if (put == null) {
            throw new IllegalStateException("no fields were put");
        }
        if (type().content() != JdkClass.Content.ENTRIES_WITHOUT_FIELDS) {
            put.write(kryo, output(), type().content() == JdkClass.Content.VALUE);
        }
    }

    @Override
    public void writeBoolean(boolean value) {
        output().writeBoolean(value);
    }

    @Override
    public void writeByte(int value) {
        output().writeByte(value);
    }

    @Override
    public void writeShort(int value) {
        output().writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        output().writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        output().writeLong(value);
    }

    @Override
    public void writeFloat(float value) {
        output().writeFloat(value);
    }

    @Override
    public void writeUTF(String value) {
        output().writeString(value);
    }
}
