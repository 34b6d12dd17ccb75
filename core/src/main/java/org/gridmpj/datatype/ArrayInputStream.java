package org.gridmpj.datatype;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The counterpart of {@link ArrayOutputStream}: an {@link ArrayProxy} becomes an array at once filled from the data
 * vector, since a readObject of the program, or a hash table, may look into it.
 *
 * <p>Classes are found through the receiver's context class loader. A filter of the JVM ({@code jdk.serialFilter}) sees
 * the array in place of its proxy.
 */
final class ArrayInputStream extends ObjectInputStream {
    private final DataVector data;
    private final @Nullable ClassLoader loader;
    private final @Nullable ObjectInputFilter filter;

    ArrayInputStream(InputStream header, DataVector data, @Nullable ClassLoader loader) throws IOException {
        super(header);
        this.data = data;
        this.loader = loader;
        ObjectInputFilter outer = getObjectInputFilter();
        this.filter = outer;
        if (outer != null) {
            setObjectInputFilter(info ->
                    info.serialClass() == ArrayProxy.class ? ObjectInputFilter.Status.ALLOWED : outer.checkInput(info));
        }
        enableResolveObject(true);
    }

    @Override
    protected @Nullable Object resolveObject(@Nullable Object object) {
        return object instanceof ArrayProxy proxy ? proxy.array() : object;
    }

    /** Asks the filter and the data vector for an array that is to be allocated. */
    void admit(BaseType base, int length) throws IOException {
        if (filter != null) {
            ObjectInputFilter.Status status = filter.checkInput(new ArrayInfo(base.arrayClass(), length));
            if (status == null || status == ObjectInputFilter.Status.REJECTED) {
                throw new InvalidClassException("filter status: " + status + " for " + base.arrayClass() + " of "
                        + length + " (jdk.serialFilter)");
            }
        }
        data.require(base, length);
    }

    void fill(Object array) throws StreamCorruptedException {
        data.add(array);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        if (loader != null) {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                // a primitive type, or a class that only a caller's loader knows: java.io's own way
            }
        }
        return super.resolveClass(description);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
        if (loader == null) {
            return super.resolveProxyClass(interfaces);
        }
        Class<?>[] types = new Class<?>[interfaces.length];
        ClassLoader definer = loader;
        for (int i = 0; i < interfaces.length; i++) {
            types[i] = Class.forName(interfaces[i], false, loader);
            if (!Modifier.isPublic(types[i].getModifiers())) {
                definer = types[i].getClassLoader();
            }
        }
        return proxyClass(definer, types);
    }

    // Proxy.newProxyInstance would need the handler, which the stream reads later
    @SuppressWarnings("deprecation")
    private static Class<?> proxyClass(@Nullable ClassLoader definer, Class<?>[] types) throws ClassNotFoundException {
        try {
            return Proxy.getProxyClass(definer, types);
        } catch (IllegalArgumentException e) {
            throw new ClassNotFoundException(null, e);
        }
    }

    private record ArrayInfo(Class<?> serialClass, long arrayLength) implements ObjectInputFilter.FilterInfo {
        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 0;
        }

        @Override
        public long streamBytes() {
            return 0;
        }
    }
}
