package org.gridmpj.codec.kryo;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.gridmpj.datatype.DataVector;
import org.gridmpj.datatype.ObjectCodec;
import org.jspecify.annotations.Nullable;

/**
 * Graphs of plain Serializable classes (see {@link PlainClass}) and records, their arrays, strings, boxes, enums,
 * ArrayLists, and HashMaps whose keys are strings or boxes. It does what {@link KryoObjectCodec} does, in a format of its
 * own, without the cost of Kryo's tables, and comes before it.
 *
 * <p>Steps back like that one where the JVM has a serialization filter.
 */
public final class PlainGraphCodec implements ObjectCodec {
    static final int FORMAT = 1;

    private static final int ID = 4;

    private final Refusals refusals = new Refusals();
    /** The instance that nobody uses; a second thread makes one of its own. */
    private final AtomicReference<@Nullable GraphWriter> freeWriter = new AtomicReference<>();

    private final AtomicReference<@Nullable GraphReader> freeReader = new AtomicReference<>();

    /** For ServiceLoader. */
    public PlainGraphCodec() {}

    @Override
    public String name() {
        return "plain";
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public boolean handles(@Nullable Object[] elements, int count) {
        Class<?> known = null;
        for (int i = 0; i < count; i++) {
            Object element = elements[i];
            if (element == null || element.getClass() == known) {
                continue;
            }
            known = element.getClass();
            if (ClassShape.of(known).kind == ClassShape.Kind.REFUSED || !refusals.advise(known)) {
                return false;
            }
        }
        return known != null && !isFiltered();
    }

    private static boolean isFiltered() {
        return ObjectInputFilter.Config.getSerialFilter() != null;
    }

    @Override
    public boolean write(@Nullable Object[] elements, int count, OutputStream header, DataVector data)
            throws IOException {
        GraphWriter writer = freeWriter.getAndSet(null);
        if (writer == null) {
            writer = new GraphWriter();
        }
        try {
            writer.write(elements, count, header, data);
        } catch (RefusedException e) {
            refusals.refused(elements, count);
            return false;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        // after a failure the instance is left to the collector: its tables are half filled
        freeWriter.setRelease(writer);
        return true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // loaders are the same or not
    public void read(
            byte[] header,
            int offset,
            int length,
            @Nullable Object[] elements,
            int count,
            DataVector data,
            @Nullable ClassLoader loader)
            throws IOException, ClassNotFoundException {
        if (isFiltered()) {
            throw new InvalidClassException(
                    "this rank has a serialization filter (jdk.serialFilter), the sender has none: give it to all ranks");
        }
        ClassLoader needed = loader != null ? loader : PlainGraphCodec.class.getClassLoader();
        GraphReader reader = freeReader.getAndSet(null);
        if (reader == null || reader.loader != needed) {
            reader = new GraphReader(needed);
        }
        try {
            reader.read(header, offset, length, elements, count, data);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (TypeNotPresentException e) {
            throw new ClassNotFoundException(e.typeName(), e);
        } catch (RefusedRecordException e) {
            InvalidObjectException refused = new InvalidObjectException(e.getMessage());
            refused.initCause(e.getCause());
            throw refused;
        } catch (IndexOutOfBoundsException | NegativeArraySizeException | ClassCastException | ArrayStoreException e) {
            StreamCorruptedException corrupt = new StreamCorruptedException("not an object graph of this codec: " + e);
            corrupt.initCause(e);
            throw corrupt;
        }
        freeReader.setRelease(reader);
    }
}
