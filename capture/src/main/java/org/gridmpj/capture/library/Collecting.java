package org.gridmpj.capture.library;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collectors of {@link Collectors}, by the same names, whose functions are part of the program: an image can name them, and a
 * function of the program that they call can be captured. Those that are not here stay the JDK's.
 */
public final class Collecting {
    private Collecting() {}

    private record Plain<T, A, R>(
            Supplier<A> supplier, BiConsumer<A, T> accumulator, BinaryOperator<A> combiner, Function<A, R> finisher)
            implements Collector<T, A, R> {
        @Override
        public Set<Characteristics> characteristics() {
            return Set.of();
        }
    }

    /** One value that changes. */
    private static final class Box<V> {
        private @Nullable V value;
        private boolean present;

        void add(V other, BinaryOperator<V> operator) {
            set(present ? operator.apply(value(), other) : other);
        }

        void set(V given) {
            value = given;
            present = true;
        }

        @SuppressWarnings("NullAway") // null is a value
        V value() {
            return value;
        }

        Box<V> join(Box<V> other, BinaryOperator<V> operator) {
            if (other.present) {
                add(other.value(), operator);
            }
            return this;
        }
    }

    /** {@link Collectors#toCollection}. */
    public static <T, C extends Collection<T>> Collector<T, ?, C> toCollection(Supplier<C> factory) {
        return new Plain<T, C, C>(factory, (to, each) -> to.add(each), Collecting::joined, to -> to);
    }

    private static <T, C extends Collection<T>> C joined(C to, C more) {
        to.addAll(more);
        return to;
    }

    /** {@link Collectors#toList}. */
    public static <T> Collector<T, ?, List<T>> toList() {
        return new Plain<T, List<T>, List<T>>(ArrayList::new, List::add, Collecting::joined, to -> to);
    }

    /** {@link Collectors#toUnmodifiableList}. */
    public static <T> Collector<T, ?, List<T>> toUnmodifiableList() {
        return new Plain<T, List<T>, List<T>>(ArrayList::new, List::add, Collecting::joined, List::copyOf);
    }

    /** {@link Collectors#toSet}. */
    public static <T> Collector<T, ?, Set<T>> toSet() {
        return new Plain<T, Set<T>, Set<T>>(HashSet::new, Set::add, Collecting::joined, to -> to);
    }

    /** {@link Collectors#joining()}. */
    public static Collector<CharSequence, ?, String> joining() {
        return joining("");
    }

    /** {@link Collectors#joining(CharSequence)}. */
    public static Collector<CharSequence, ?, String> joining(CharSequence delimiter) {
        return joining(delimiter, "", "");
    }

    /** {@link Collectors#joining(CharSequence, CharSequence, CharSequence)}. */
    public static Collector<CharSequence, ?, String> joining(
            CharSequence delimiter, CharSequence prefix, CharSequence suffix) {
        return new Plain<CharSequence, StringJoiner, String>(
                () -> new StringJoiner(delimiter, prefix, suffix),
                StringJoiner::add,
                StringJoiner::merge,
                StringJoiner::toString);
    }

    /** {@link Collectors#mapping}. */
    public static <T, U, A, R> Collector<T, ?, R> mapping(
            Function<? super T, ? extends U> mapper, Collector<? super U, A, R> downstream) {
        return new Plain<T, A, R>(
                downstream.supplier(),
                (to, each) -> downstream.accumulator().accept(to, mapper.apply(each)),
                downstream.combiner(),
                downstream.finisher());
    }

    /** {@link Collectors#filtering}. */
    public static <T, A, R> Collector<T, ?, R> filtering(
            Predicate<? super T> predicate, Collector<? super T, A, R> downstream) {
        return new Plain<T, A, R>(
                downstream.supplier(),
                (to, each) -> {
                    if (predicate.test(each)) {
                        downstream.accumulator().accept(to, each);
                    }
                },
                downstream.combiner(),
                downstream.finisher());
    }

    /** {@link Collectors#collectingAndThen}. */
    public static <T, A, R, S> Collector<T, A, S> collectingAndThen(
            Collector<T, A, R> downstream, Function<R, S> finisher) {
        return new Plain<>(
                downstream.supplier(),
                downstream.accumulator(),
                downstream.combiner(),
                made -> finisher.apply(downstream.finisher().apply(made)));
    }

    /** {@link Collectors#counting}. */
    public static <T> Collector<T, ?, Long> counting() {
        return summingLong(each -> 1L);
    }

    /** {@link Collectors#minBy}. */
    public static <T> Collector<T, ?, Optional<T>> minBy(Comparator<? super T> comparator) {
        return reducing((a, b) -> comparator.compare(a, b) <= 0 ? a : b);
    }

    /** {@link Collectors#maxBy}. */
    public static <T> Collector<T, ?, Optional<T>> maxBy(Comparator<? super T> comparator) {
        return reducing((a, b) -> comparator.compare(a, b) >= 0 ? a : b);
    }

    /** {@link Collectors#reducing(BinaryOperator)}. */
    public static <T> Collector<T, ?, Optional<T>> reducing(BinaryOperator<T> operator) {
        return new Plain<T, Box<T>, Optional<T>>(
                Box::new,
                (box, each) -> box.add(each, operator),
                (box, other) -> box.join(other, operator),
                box -> Optional.ofNullable(box.value()));
    }

    /** {@link Collectors#reducing(Object, BinaryOperator)}. */
    public static <T> Collector<T, ?, T> reducing(T identity, BinaryOperator<T> operator) {
        return reducing(identity, each -> each, operator);
    }

    /** {@link Collectors#reducing(Object, Function, BinaryOperator)}. */
    public static <T, U> Collector<T, ?, U> reducing(
            U identity, Function<? super T, ? extends U> mapper, BinaryOperator<U> operator) {
        return new Plain<T, Box<U>, U>(
                () -> {
                    Box<U> box = new Box<>();
                    box.set(identity);
                    return box;
                },
                (box, each) -> box.add(mapper.apply(each), operator),
                (box, other) -> box.join(other, operator),
                Box::value);
    }

    private static IntSummaryStatistics combined(IntSummaryStatistics all, IntSummaryStatistics more) {
        all.combine(more);
        return all;
    }

    private static <T, R> Collector<T, ?, R> ints(
            ToIntFunction<? super T> mapper, Function<IntSummaryStatistics, R> finisher) {
        return new Plain<T, IntSummaryStatistics, R>(
                IntSummaryStatistics::new,
                (to, each) -> to.accept(mapper.applyAsInt(each)),
                Collecting::combined,
                finisher);
    }

    private static LongSummaryStatistics combined(LongSummaryStatistics all, LongSummaryStatistics more) {
        all.combine(more);
        return all;
    }

    private static <T, R> Collector<T, ?, R> longs(
            ToLongFunction<? super T> mapper, Function<LongSummaryStatistics, R> finisher) {
        return new Plain<T, LongSummaryStatistics, R>(
                LongSummaryStatistics::new,
                (to, each) -> to.accept(mapper.applyAsLong(each)),
                Collecting::combined,
                finisher);
    }

    private static DoubleSummaryStatistics combined(DoubleSummaryStatistics all, DoubleSummaryStatistics more) {
        all.combine(more);
        return all;
    }

    private static <T, R> Collector<T, ?, R> doubles(
            ToDoubleFunction<? super T> mapper, Function<DoubleSummaryStatistics, R> finisher) {
        return new Plain<T, DoubleSummaryStatistics, R>(
                DoubleSummaryStatistics::new,
                (to, each) -> to.accept(mapper.applyAsDouble(each)),
                Collecting::combined,
                finisher);
    }

    /** {@link Collectors#summingInt}. */
    public static <T> Collector<T, ?, Integer> summingInt(ToIntFunction<? super T> mapper) {
        return ints(mapper, all -> (int) all.getSum());
    }

    /** {@link Collectors#summingLong}. */
    public static <T> Collector<T, ?, Long> summingLong(ToLongFunction<? super T> mapper) {
        return longs(mapper, LongSummaryStatistics::getSum);
    }

    /** {@link Collectors#summingDouble}. */
    public static <T> Collector<T, ?, Double> summingDouble(ToDoubleFunction<? super T> mapper) {
        return doubles(mapper, DoubleSummaryStatistics::getSum);
    }

    /** {@link Collectors#averagingInt}. */
    public static <T> Collector<T, ?, Double> averagingInt(ToIntFunction<? super T> mapper) {
        return ints(mapper, IntSummaryStatistics::getAverage);
    }

    /** {@link Collectors#averagingLong}. */
    public static <T> Collector<T, ?, Double> averagingLong(ToLongFunction<? super T> mapper) {
        return longs(mapper, LongSummaryStatistics::getAverage);
    }

    /** {@link Collectors#averagingDouble}. */
    public static <T> Collector<T, ?, Double> averagingDouble(ToDoubleFunction<? super T> mapper) {
        return doubles(mapper, DoubleSummaryStatistics::getAverage);
    }

    /** {@link Collectors#summarizingInt}. */
    public static <T> Collector<T, ?, IntSummaryStatistics> summarizingInt(ToIntFunction<? super T> mapper) {
        return ints(mapper, all -> all);
    }

    /** {@link Collectors#summarizingLong}. */
    public static <T> Collector<T, ?, LongSummaryStatistics> summarizingLong(ToLongFunction<? super T> mapper) {
        return longs(mapper, all -> all);
    }

    /** {@link Collectors#summarizingDouble}. */
    public static <T> Collector<T, ?, DoubleSummaryStatistics> summarizingDouble(ToDoubleFunction<? super T> mapper) {
        return doubles(mapper, all -> all);
    }

    /** {@link Collectors#groupingBy(Function)}. */
    public static <T, K> Collector<T, ?, Map<K, List<T>>> groupingBy(Function<? super T, ? extends K> classifier) {
        return groupingBy(classifier, toList());
    }

    /** {@link Collectors#groupingBy(Function, Collector)}. */
    public static <T, K, A, D> Collector<T, ?, Map<K, D>> groupingBy(
            Function<? super T, ? extends K> classifier, Collector<? super T, A, D> downstream) {
        return groupingBy(classifier, HashMap::new, downstream);
    }

    /** {@link Collectors#groupingBy(Function, Supplier, Collector)}. */
    public static <T, K, D, A, M extends Map<K, D>> Collector<T, ?, M> groupingBy(
            Function<? super T, ? extends K> classifier, Supplier<M> factory, Collector<? super T, A, D> downstream) {
        return new Plain<T, Map<K, Box<A>>, M>(
                LinkedHashMap::new,
                (groups, each) -> {
                    K key = Objects.requireNonNull(classifier.apply(each), "element cannot be mapped to a null key");
                    downstream.accumulator().accept(box(groups, key, downstream), each);
                },
                (groups, others) -> {
                    others.forEach((key, box) -> {
                        Box<A> mine = groups.get(key);
                        if (mine == null) {
                            groups.put(key, box);
                        } else {
                            mine.set(downstream.combiner().apply(mine.value(), box.value()));
                        }
                    });
                    return groups;
                },
                groups -> {
                    M made = factory.get();
                    for (Map.Entry<K, Box<A>> group : groups.entrySet()) {
                        made.put(
                                group.getKey(),
                                downstream.finisher().apply(group.getValue().value()));
                    }
                    return made;
                });
    }

    private static <K, T, A, D> A box(Map<K, Box<A>> groups, K key, Collector<? super T, A, D> downstream) {
        Box<A> known = groups.get(key);
        if (known == null) {
            known = new Box<>();
            known.set(downstream.supplier().get());
            groups.put(key, known);
        }
        return known.value();
    }

    /** {@link Collectors#toMap(Function, Function)}. */
    public static <T, K, U> Collector<T, ?, Map<K, U>> toMap(
            Function<? super T, ? extends K> keys, Function<? super T, ? extends U> values) {
        return new Plain<T, Map<K, U>, Map<K, U>>(
                HashMap::new,
                (to, each) -> {
                    K key = keys.apply(each);
                    put(to, key, Objects.requireNonNull(values.apply(each)));
                },
                (to, more) -> {
                    more.forEach((key, value) -> put(to, key, value));
                    return to;
                },
                to -> to);
    }

    private static <K, U> void put(Map<K, U> to, K key, U value) {
        U before = to.putIfAbsent(key, value);
        if (before != null) {
            throw new IllegalStateException(
                    "Duplicate key " + key + " (attempted merging values " + before + " and " + value + ")");
        }
    }

    /** {@link Collectors#toMap(Function, Function, BinaryOperator)}. */
    public static <T, K, U> Collector<T, ?, Map<K, U>> toMap(
            Function<? super T, ? extends K> keys, Function<? super T, ? extends U> values, BinaryOperator<U> merging) {
        return toMap(keys, values, merging, HashMap::new);
    }

    /** {@link Collectors#toMap(Function, Function, BinaryOperator, Supplier)}. */
    public static <T, K, U, M extends Map<K, U>> Collector<T, ?, M> toMap(
            Function<? super T, ? extends K> keys,
            Function<? super T, ? extends U> values,
            BinaryOperator<U> merging,
            Supplier<M> factory) {
        return new Plain<T, M, M>(
                factory,
                (to, each) -> {
                    K key = keys.apply(each);
                    merge(to, key, Objects.requireNonNull(values.apply(each)), merging);
                },
                (to, more) -> {
                    for (Map.Entry<K, U> each : more.entrySet()) {
                        merge(to, each.getKey(), each.getValue(), merging);
                    }
                    return to;
                },
                to -> to);
    }

    private static <K, U> void merge(Map<K, U> to, K key, U value, BinaryOperator<U> merging) {
        U before = to.get(key);
        U now = before == null ? value : merging.apply(before, value);
        if (now == null) {
            to.remove(key);
        } else {
            to.put(key, now);
        }
    }

    /** {@link Collectors#partitioningBy(Predicate)}. */
    public static <T> Collector<T, ?, Map<Boolean, List<T>>> partitioningBy(Predicate<? super T> predicate) {
        return partitioningBy(predicate, toList());
    }

    /** {@link Collectors#partitioningBy(Predicate, Collector)}: both keys are there, false before true. */
    public static <T, D, A> Collector<T, ?, Map<Boolean, D>> partitioningBy(
            Predicate<? super T> predicate, Collector<? super T, A, D> downstream) {
        return new Plain<T, List<Box<A>>, Map<Boolean, D>>(
                () -> {
                    List<Box<A>> both = new ArrayList<>();
                    for (int i = 0; i < 2; i++) {
                        Box<A> box = new Box<>();
                        box.set(downstream.supplier().get());
                        both.add(box);
                    }
                    return both;
                },
                (both, each) -> downstream
                        .accumulator()
                        .accept(both.get(predicate.test(each) ? 1 : 0).value(), each),
                (both, others) -> {
                    for (int i = 0; i < 2; i++) {
                        Box<A> box = both.get(i);
                        box.set(downstream
                                .combiner()
                                .apply(box.value(), others.get(i).value()));
                    }
                    return both;
                },
                both -> {
                    Map<Boolean, D> made = new LinkedHashMap<>();
                    made.put(false, downstream.finisher().apply(both.get(0).value()));
                    made.put(true, downstream.finisher().apply(both.get(1).value()));
                    return Collections.unmodifiableMap(made);
                });
    }
}
