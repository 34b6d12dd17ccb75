package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.util.Util;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.Arrays;
import org.gridmpj.datatype.DataVector;
import org.gridmpj.datatype.ObjectCodec;
import org.gridmpj.datatype.SerializationBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Graphs of plain Serializable classes (see {@link PlainClass}) and records ({@link PlainRecord}), their arrays, strings,
 * boxes, enums, ArrayLists, plain HashMaps (see {@link MapSerializer}) and other classes of the JDK ({@link JdkClass}).
 *
 * <p>Where the JVM has a serialization filter ({@code jdk.serialFilter}) this codec steps back: only java.io applies such
 * filters in full.
 */
public final class KryoObjectCodec implements ObjectCodec {
    private static final int ID = 3;
    private static final String UNSAFE = "kryo.unsafe";
    /** Instances kept; each is used by one thread at a time. */
    private static final int KEPT = 8;

    private static final int LONGEST_PAUSE = 1024;
    /** Each so many times that a class is looked up it becomes the usual one: not at once, as others may come in between. */
    private static final int BECOMES_USUAL = 16;

    static {
        // Kryo would look for sun.misc.Unsafe, which is not used here, and the JVM would warn the user of it
        if (System.getProperty(UNSAFE) == null) {
            System.setProperty(UNSAFE, "false");
            // Kryo decides now
            Util.isUnsafeAvailable();
            System.clearProperty(UNSAFE);
        }
    }

    /** What happened to graphs that begin at a class. Races cost a trial at most. */
    private final ClassValue<Experience> experiences = new ClassValue<>() {
        @Override
        protected Experience computeValue(Class<?> type) {
            return new Experience(GraphKryo.takes(type));
        }
    };

    /**
     * A class whose graphs none was refused of, most often that of the next message, too: to look it up here costs a tenth of a small one.
     * Changed by any thread at any time: whoever sees another one looks up.
     */
    private @Nullable Class<?> usual;

    private int unusual;

    /** After each refusal twice as many graphs go to java.io untried. */
    private static final class Experience {
        private final boolean taken;
        private int pause;
        private int left;

        Experience(boolean taken) {
            this.taken = taken;
        }

        boolean advises() {
            if (left > 0) {
                left--;
                return false;
            }
            return taken;
        }

        boolean wasRefused() {
            return pause > 0;
        }

        void refused() {
            pause = Math.min(LONGEST_PAUSE, pause * 2 + 1);
            left = pause;
        }
    }

    /** The others, of any thread. Replaced when it changes, in synchronized. */
    private volatile GraphKryo[] kept = {};
    /** That of the thread that came first: most programs have one that communicates, and it need not ask others. */
    private volatile @Nullable GraphKryo first;

    /** For ServiceLoader. */
    public KryoObjectCodec() {}

    @Override
    public String name() {
        return "kryo";
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public boolean handles(@Nullable Object[] elements, int from, int count) {
        Class<?> known = null;
        for (int i = from; i < from + count; i++) {
            Object element = elements[i];
            if (element == null || element.getClass() == known) {
                continue;
            }
            known = element.getClass();
            if (known != usual && !advises(known)) {
                return false;
            }
        }
        return known != null && !isFiltered();
    }

    private boolean advises(Class<?> type) {
        Experience experience = experiences.get(type);
        unusual++;
        if (unusual % BECOMES_USUAL == 0 && experience.taken && !experience.wasRefused()) {
            usual = type;
        }
        return experience.advises();
    }

    private static boolean isFiltered() {
        return ObjectInputFilter.Config.getSerialFilter() != null;
    }

    @Override
    public boolean write(@Nullable Object[] elements, int from, int count, SerializationBuffer header, DataVector data)
            throws IOException {
        GraphKryo kryo = take(Thread.currentThread().getContextClassLoader());
        boolean done = false;
        try {
            kryo.writeGraph(elements, from, count, header, data);
            done = true;
        } catch (RefusedException e) {
            for (int i = from; i < from + count; i++) {
                Object element = elements[i];
                if (element != null) {
                    experiences.get(element.getClass()).refused();
                }
            }
            if (usual != null) {
                usual = null;
            }
            return false;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            giveBack(kryo, done);
        }
        return true;
    }

    @Override
    public void read(
            byte[] header,
            int offset,
            int length,
            @Nullable Object[] elements,
            int from,
            int count,
            DataVector data,
            @Nullable ClassLoader loader)
            throws IOException, ClassNotFoundException {
        if (isFiltered()) {
            throw new InvalidClassException(
                    "this rank has a serialization filter (jdk.serialFilter), the sender has none: give it to all ranks");
        }
        GraphKryo kryo = take(loader);
        boolean done = false;
        try {
            kryo.readGraph(header, offset, length, elements, from, count, data);
            done = true;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (KryoException e) {
            if (e.getCause() instanceof ClassNotFoundException missing) {
                throw missing;
            }
            throw corrupt(e);
        } catch (IndexOutOfBoundsException
                | NegativeArraySizeException
                | ClassCastException
                | ArrayStoreException
                | DateTimeException
                | ArithmeticException
                | NumberFormatException e) {
            throw corrupt(e);
        } finally {
            giveBack(kryo, done);
        }
    }

    private static StreamCorruptedException corrupt(RuntimeException cause) {
        StreamCorruptedException corrupt = new StreamCorruptedException("not an object graph of this codec: " + cause);
        corrupt.initCause(cause);
        return corrupt;
    }

    /** Instances remember classes by name, so each belongs to a class loader. */
    @SuppressWarnings("ReferenceEquality") // loaders are the same or not
    private GraphKryo take(@Nullable ClassLoader loader) {
        ClassLoader needed = loader != null ? loader : KryoObjectCodec.class.getClassLoader();
        GraphKryo own = first;
        if (own != null && own.getClassLoader() == needed && own.takeOwn(Thread.currentThread())) {
            return own;
        }
        return own == null ? takeFirst(needed) : takeOther(needed);
    }

    private GraphKryo takeFirst(ClassLoader needed) {
        GraphKryo made = new GraphKryo(needed, Thread.currentThread());
        synchronized (this) {
            if (first == null) {
                first = made;
                return made;
            }
        }
        return takeOther(needed);
    }

    @SuppressWarnings("ReferenceEquality") // loaders are the same or not
    private GraphKryo takeOther(ClassLoader needed) {
        for (GraphKryo kryo : kept) {
            if (kryo.getClassLoader() == needed && kryo.take()) {
                return kryo;
            }
        }
        GraphKryo made = new GraphKryo(needed, null);
        keep(made);
        return made;
    }

    /** After a failure the instance is left to the collector: its tables are half filled. */
    private void giveBack(GraphKryo kryo, boolean done) {
        if (done) {
            kryo.giveBack();
        } else {
            drop(kryo);
        }
    }

    @SuppressWarnings("ReferenceEquality") // that instance and no other
    private synchronized void drop(GraphKryo kryo) {
        if (first == kryo) {
            first = null;
        }
        kept = Arrays.stream(kept).filter(each -> each != kryo).toArray(GraphKryo[]::new);
    }

    /** Instead of the one that was made first, if there are too many. */
    private synchronized void keep(GraphKryo made) {
        GraphKryo[] all = kept;
        int dropped = Math.max(0, all.length + 1 - KEPT);
        GraphKryo[] more = Arrays.copyOfRange(all, dropped, all.length + 1);
        more[more.length - 1] = made;
        kept = more;
    }
}
