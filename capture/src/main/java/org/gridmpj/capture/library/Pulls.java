package org.gridmpj.capture.library;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** Sources and intermediate operations. What each calls, and in which order, is as in the JDK's sequential streams. */
final class Pulls {
    private Pulls() {}

    /** Elements of a collection or an array's list, whose iterator is made when the first element is asked for. */
    static final class Of<T> implements Pull<T> {
        private final Iterable<T> source;
        private @Nullable Iterator<T> open;

        Of(Iterable<T> source) {
            this.source = source;
        }

        private Iterator<T> open() {
            Iterator<T> known = open;
            if (known == null) {
                known = source.iterator();
                open = known;
            }
            return known;
        }

        @Override
        public boolean more() {
            return open().hasNext();
        }

        @Override
        public T take() {
            return open().next();
        }

        @Override
        public long size() {
            return source.spliterator().getExactSizeIfKnown();
        }
    }

    /** Integers of a range, as int or long. */
    static final class Range<T extends Number> implements Pull<T> {
        private final Function<Long, T> boxed;
        private final long end;
        private long next;

        Range(long from, long end, Function<Long, T> boxed) {
            next = from;
            this.end = Math.max(from, end);
            this.boxed = boxed;
        }

        @Override
        public boolean more() {
            return next < end;
        }

        @Override
        public T take() {
            return boxed.apply(next++);
        }

        @Override
        public long size() {
            return end - next;
        }
    }

    /** Elements without an end. */
    static final class Generated<T> implements Pull<T> {
        private final Supplier<? extends T> supplier;

        Generated(Supplier<? extends T> supplier) {
            this.supplier = supplier;
        }

        @Override
        public boolean more() {
            return true;
        }

        @Override
        public T take() {
            return supplier.get();
        }
    }

    /** Each element made of the one before. */
    static final class Iterated<T> implements Pull<T> {
        private final @Nullable Predicate<? super T> goesOn;
        private final UnaryOperator<T> step;
        private T at;
        private boolean computed = true;

        Iterated(T seed, @Nullable Predicate<? super T> goesOn, UnaryOperator<T> step) {
            at = seed;
            this.goesOn = goesOn;
            this.step = step;
        }

        @Override
        public boolean more() {
            if (!computed) {
                at = step.apply(at);
                computed = true;
            }
            return goesOn == null || goesOn.test(at);
        }

        @Override
        public T take() {
            if (!computed) {
                at = step.apply(at);
            }
            computed = false;
            return at;
        }
    }

    /** An operation on the elements of another one. */
    abstract static class Stage<F, T> implements Pull<T> {
        final Pull<F> from;

        Stage(Pull<F> from) {
            this.from = from;
        }

        @Override
        public boolean more() {
            return from.more();
        }
    }

    /** An operation that looks for its next element. */
    abstract static class Search<F, T> extends Stage<F, T> {
        private @Nullable T found;
        private boolean isFound;

        Search(Pull<F> from) {
            super(from);
        }

        /** Whether there is another one, which has been handed to {@link #found}. */
        abstract boolean search();

        final boolean found(T element) {
            found = element;
            isFound = true;
            return true;
        }

        @Override
        public final boolean more() {
            return isFound || search();
        }

        @Override
        @SuppressWarnings("NullAway") // elements may be null where T may
        public final T take() {
            if (!more()) {
                throw new NoSuchElementException();
            }
            T element = found;
            found = null;
            isFound = false;
            return element;
        }
    }

    static final class Mapped<F, T> extends Stage<F, T> {
        private final Function<? super F, ? extends T> mapper;

        Mapped(Pull<F> from, Function<? super F, ? extends T> mapper) {
            super(from);
            this.mapper = mapper;
        }

        @Override
        public T take() {
            return mapper.apply(from.take());
        }

        @Override
        public long size() {
            return from.size();
        }
    }

    static final class Peeked<T> extends Stage<T, T> {
        private final Consumer<? super T> action;

        Peeked(Pull<T> from, Consumer<? super T> action) {
            super(from);
            this.action = action;
        }

        @Override
        public T take() {
            T element = from.take();
            action.accept(element);
            return element;
        }

        @Override
        public long size() {
            return from.size();
        }
    }

    static final class Filtered<T> extends Search<T, T> {
        private final Predicate<? super T> predicate;

        Filtered(Pull<T> from, Predicate<? super T> predicate) {
            super(from);
            this.predicate = predicate;
        }

        @Override
        boolean search() {
            while (from.more()) {
                T element = from.take();
                if (predicate.test(element)) {
                    return found(element);
                }
            }
            return false;
        }
    }

    /** The elements that are not equal to an earlier one. */
    static <T> Pull<T> distinct(Pull<T> from) {
        Set<T> seen = new HashSet<>();
        return new Filtered<>(from, seen::add);
    }

    /** Elements of inner streams, one stream after the other. */
    static final class Flat<F, T> extends Search<F, T> {
        private final Function<? super F, ? extends @Nullable BaseStream<? extends T, ?>> mapper;
        private @Nullable BaseStream<? extends T, ?> inner;
        private @Nullable Pull<? extends T> open;

        Flat(Pull<F> from, Function<? super F, ? extends @Nullable BaseStream<? extends T, ?>> mapper) {
            super(from);
            this.mapper = mapper;
        }

        private static <T> Pull<? extends T> elements(BaseStream<? extends T, ?> stream) {
            return stream instanceof Pipeline<? extends T, ?> own ? own.use() : new Of<>(stream::iterator);
        }

        @Override
        boolean search() {
            while (true) {
                Pull<? extends T> elements = open;
                if (elements != null && elements.more()) {
                    return found(elements.take());
                }
                open = null;
                if (inner != null) {
                    inner.close();
                    inner = null;
                }
                if (!from.more()) {
                    return false;
                }
                BaseStream<? extends T, ?> next = mapper.apply(from.take());
                inner = next;
                open = next == null ? null : elements(next);
            }
        }
    }

    static final class Taken<T> extends Search<T, T> {
        private final Predicate<? super T> predicate;
        private boolean over;

        Taken(Pull<T> from, Predicate<? super T> predicate) {
            super(from);
            this.predicate = predicate;
        }

        @Override
        boolean search() {
            if (!over && from.more()) {
                T element = from.take();
                if (predicate.test(element)) {
                    return found(element);
                }
                over = true;
            }
            return false;
        }
    }

    static final class Dropped<T> extends Search<T, T> {
        private final Predicate<? super T> predicate;
        private boolean begun;

        Dropped(Pull<T> from, Predicate<? super T> predicate) {
            super(from);
            this.predicate = predicate;
        }

        @Override
        boolean search() {
            while (from.more()) {
                T element = from.take();
                if (begun || !predicate.test(element)) {
                    begun = true;
                    return found(element);
                }
            }
            return false;
        }
    }

    static final class Limited<T> extends Stage<T, T> {
        private long left;

        Limited(Pull<T> from, long maxSize) {
            super(from);
            if (maxSize < 0) {
                throw new IllegalArgumentException(Long.toString(maxSize));
            }
            left = maxSize;
        }

        @Override
        public boolean more() {
            return left > 0 && from.more();
        }

        @Override
        public T take() {
            left--;
            return from.take();
        }

        @Override
        public long size() {
            return Math.min(left, from.size());
        }
    }

    static final class Skipped<T> extends Stage<T, T> {
        private long left;

        Skipped(Pull<T> from, long n) {
            super(from);
            if (n < 0) {
                throw new IllegalArgumentException(Long.toString(n));
            }
            left = n;
        }

        @Override
        public boolean more() {
            while (left > 0 && from.more()) {
                left--;
                T _ = from.take();
            }
            return from.more();
        }

        @Override
        public T take() {
            boolean _ = more();
            return from.take();
        }

        @Override
        public long size() {
            long before = from.size();
            return before < 0 ? -1 : Math.max(0, before - left);
        }
    }

    /** All elements are there before the first one goes on. */
    static final class Sorted<T> extends Stage<T, T> {
        private final @Nullable Comparator<? super T> order;
        private @Nullable List<T> sorted;
        private int next;

        Sorted(Pull<T> from, @Nullable Comparator<? super T> order) {
            super(from);
            this.order = order;
        }

        private List<T> sorted() {
            List<T> known = sorted;
            if (known == null) {
                List<T> all = new ArrayList<>();
                while (from.more()) {
                    all.add(from.take());
                }
                all.sort(order);
                known = all;
                sorted = all;
            }
            return known;
        }

        @Override
        public boolean more() {
            return next < sorted().size();
        }

        @Override
        public T take() {
            return sorted().get(next++);
        }

        @Override
        public long size() {
            return from.size();
        }
    }
}
