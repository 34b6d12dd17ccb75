package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Entries in order that are read when they are asked for, once: what {@code TreeMap.putAll} takes without a comparison. It asks for
 * size, comparator and entries, and for nothing else.
 */
@SuppressWarnings("JdkObsolete") // this is what TreeMap and TreeSet look for
final class ArrivingMap extends AbstractMap<Object, Object> implements SortedMap<Object, Object> {
    private final ArrivingKeys keys;

    ArrivingMap(Kryo kryo, Input input, @Nullable Comparator<Object> comparator, int size) {
        keys = new ArrivingKeys(kryo, input, comparator, size);
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public @Nullable Comparator<Object> comparator() {
        return keys.comparator();
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return keys.size();
            }

            @Override
            public Iterator<Map.Entry<Object, Object>> iterator() {
                Iterator<Object> each = keys.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return each.hasNext();
                    }

                    @Override
                    public Map.Entry<Object, Object> next() {
                        return new SimpleImmutableEntry<>(each.next(), keys.read());
                    }
                };
            }
        };
    }

    @Override
    public SortedMap<Object, Object> subMap(Object from, Object to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SortedMap<Object, Object> headMap(Object to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SortedMap<Object, Object> tailMap(Object from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object firstKey() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object lastKey() {
        throw new UnsupportedOperationException();
    }

    /** The same for {@code TreeSet.addAll}. */
    @SuppressWarnings("JdkObsolete")
    static final class ArrivingKeys extends AbstractSet<Object> implements SortedSet<Object> {
        private final Kryo kryo;
        private final Input input;
        private final @Nullable Comparator<Object> comparator;
        private final int size;

        ArrivingKeys(Kryo kryo, Input input, @Nullable Comparator<Object> comparator, int size) {
            this.kryo = kryo;
            this.input = input;
            this.comparator = comparator;
            this.size = size;
        }

        /** May be null; the JDK's types do not say so. */
        private Object read() {
            return kryo.readClassAndObject(input);
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public @Nullable Comparator<Object> comparator() {
            return comparator;
        }

        @Override
        public Iterator<Object> iterator() {
            return new Iterator<>() {
                private int left = size;

                @Override
                public boolean hasNext() {
                    return left > 0;
                }

                @Override
                public Object next() {
                    if (left == 0) {
                        throw new NoSuchElementException();
                    }
                    left--;
                    return read();
                }
            };
        }

        @Override
        public SortedSet<Object> subSet(Object from, Object to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedSet<Object> headSet(Object to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedSet<Object> tailSet(Object from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object first() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object last() {
            throw new UnsupportedOperationException();
        }
    }
}
