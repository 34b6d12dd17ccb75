package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Objects of a {@link JdkClass}. One that is only made when all it refers to is there is refused if that refers back to it:
 * with java.io such a reference is to what was written in its place.
 */
final class JdkClassSerializer extends Serializer<Object> {
    private final JdkClass type;

    JdkClassSerializer(JdkClass type) {
        this.type = type;
    }

    private static Object call(MethodHandle method, Object object) {
        try {
            return (Object) method.invokeExact(object);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new KryoException(e);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // classes are the same or not
    public void write(Kryo kryo, Output output, Object object) {
        GraphKryo graph = (GraphKryo) kryo;
        MethodHandle replace = type.writeReplace();
        Object form = replace == null ? object : call(replace, object);
        if (form.getClass() != type.form()) {
            throw new RefusedException(object.getClass());
        }
        if (!type.isResolved()) {
            graph.jdkOutput().write(type, form, output);
            return;
        }
        WrittenObjects written = ((GraphOutput) output).written();
        written.begin();
        graph.jdkOutput().write(type, form, output);
        written.end();
    }

    @Override
    public @Nullable Object read(Kryo kryo, Input input, Class<? extends Object> ignored) {
        Object form;
        try {
            form = type.constructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new KryoException(e);
        }
        MethodHandle resolve = type.readResolve();
        if (resolve == null) {
            kryo.reference(form);
            ((GraphKryo) kryo).jdkInput().read(type, form);
            return form;
        }
        ((GraphKryo) kryo).jdkInput().read(type, form);
        try {
            return call(resolve, form);
        } catch (KryoException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new KryoException("no " + type.type().getName() + ": " + e, e);
        }
    }
}
