package org.gridmpj.capture.library;

import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A sequential {@link Stream} whose terminal operations can be captured. */
final class ObjectPipeline<T> extends Pipeline<T, Stream<T>> implements Stream<T> {
    ObjectPipeline(Pull<T> elements, @Nullable Pipeline<?, ?> before) {
        super(elements, before);
    }

    @Override
    Stream<T> self() {
        return this;
    }

    @Override
    public Stream<T> parallel() {
        return StreamSupport.stream(spliterator(), true).onClose(this::close);
    }

    @Override
    public Iterator<T> iterator() {
        return new HandedOut<>(use());
    }

    @Override
    public Spliterator<T> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
    }

    @Override
    public Stream<T> filter(Predicate<? super T> predicate) {
        return new ObjectPipeline<>(new Pulls.Filtered<>(use(), Objects.requireNonNull(predicate)), this);
    }

    @Override
    public <R> Stream<R> map(Function<? super T, ? extends R> mapper) {
        return new ObjectPipeline<R>(new Pulls.Mapped<>(use(), Objects.requireNonNull(mapper)), this);
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super T> mapper) {
        return new IntPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsInt(each)), this);
    }

    @Override
    public LongStream mapToLong(ToLongFunction<? super T> mapper) {
        return new LongPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsLong(each)), this);
    }

    @Override
    public DoubleStream mapToDouble(ToDoubleFunction<? super T> mapper) {
        return new DoublePipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsDouble(each)), this);
    }

    @Override
    public <R> Stream<R> flatMap(Function<? super T, ? extends Stream<? extends R>> mapper) {
        return new ObjectPipeline<R>(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public IntStream flatMapToInt(Function<? super T, ? extends IntStream> mapper) {
        return new IntPipeline(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public LongStream flatMapToLong(Function<? super T, ? extends LongStream> mapper) {
        return new LongPipeline(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public DoubleStream flatMapToDouble(Function<? super T, ? extends DoubleStream> mapper) {
        return new DoublePipeline(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public Stream<T> distinct() {
        return new ObjectPipeline<>(Pulls.distinct(use()), this);
    }

    @Override
    public Stream<T> sorted() {
        return new ObjectPipeline<>(new Pulls.Sorted<>(use(), null), this);
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        return new ObjectPipeline<>(new Pulls.Sorted<>(use(), comparator), this);
    }

    @Override
    public Stream<T> peek(Consumer<? super T> action) {
        return new ObjectPipeline<>(new Pulls.Peeked<>(use(), Objects.requireNonNull(action)), this);
    }

    @Override
    public Stream<T> limit(long maxSize) {
        return new ObjectPipeline<>(new Pulls.Limited<>(use(), maxSize), this);
    }

    @Override
    public Stream<T> skip(long n) {
        return new ObjectPipeline<>(new Pulls.Skipped<>(use(), n), this);
    }

    @Override
    public Stream<T> takeWhile(Predicate<? super T> predicate) {
        return new ObjectPipeline<>(new Pulls.Taken<>(use(), Objects.requireNonNull(predicate)), this);
    }

    @Override
    public Stream<T> dropWhile(Predicate<? super T> predicate) {
        return new ObjectPipeline<>(new Pulls.Dropped<>(use(), Objects.requireNonNull(predicate)), this);
    }

    @Override
    public void forEach(Consumer<? super T> action) {
        Objects.requireNonNull(action);
        Pull<T> all = use();
        while (all.more()) {
            action.accept(all.take());
        }
    }

    @Override
    public void forEachOrdered(Consumer<? super T> action) {
        forEach(action);
    }

    @Override
    public Object[] toArray() {
        return gathered().toArray();
    }

    @Override
    public <A> A[] toArray(IntFunction<A[]> generator) {
        return gathered().toArray(generator);
    }

    @Override
    @SuppressWarnings("NullAway") // a list that may hold null
    public List<T> toList() {
        return Collections.unmodifiableList(gathered());
    }

    @Override
    public T reduce(T identity, BinaryOperator<T> accumulator) {
        Pull<T> all = use();
        T result = identity;
        while (all.more()) {
            result = accumulator.apply(result, all.take());
        }
        return result;
    }

    @Override
    public Optional<T> reduce(BinaryOperator<T> accumulator) {
        Pull<T> all = use();
        if (!all.more()) {
            return Optional.empty();
        }
        T result = all.take();
        while (all.more()) {
            result = accumulator.apply(result, all.take());
        }
        return Optional.of(result);
    }

    @Override
    public <U> U reduce(U identity, BiFunction<U, ? super T, U> accumulator, BinaryOperator<U> combiner) {
        Pull<T> all = use();
        U result = identity;
        while (all.more()) {
            result = accumulator.apply(result, all.take());
        }
        return result;
    }

    @Override
    public <R> R collect(Supplier<R> supplier, BiConsumer<R, ? super T> accumulator, BiConsumer<R, R> combiner) {
        R result = supplier.get();
        Pull<T> all = use();
        while (all.more()) {
            accumulator.accept(result, all.take());
        }
        return result;
    }

    /** A collector of the JDK's that is none of {@link Collecting}'s cannot be part of an image: it is deferred or refused. */
    @Override
    public <R, A> R collect(Collector<? super T, A, R> collector) {
        A container = collector.supplier().get();
        BiConsumer<A, ? super T> accumulator = collector.accumulator();
        Pull<T> all = use();
        while (all.more()) {
            accumulator.accept(container, all.take());
        }
        return collector.finisher().apply(container);
    }

    @Override
    public Optional<T> min(Comparator<? super T> comparator) {
        return gathered().stream().min(comparator);
    }

    @Override
    public Optional<T> max(Comparator<? super T> comparator) {
        return gathered().stream().max(comparator);
    }

    @Override
    public boolean anyMatch(Predicate<? super T> predicate) {
        Pull<T> all = use();
        while (all.more()) {
            if (predicate.test(all.take())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean allMatch(Predicate<? super T> predicate) {
        Pull<T> all = use();
        while (all.more()) {
            if (!predicate.test(all.take())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean noneMatch(Predicate<? super T> predicate) {
        return !anyMatch(predicate);
    }

    @Override
    public Optional<T> findFirst() {
        Pull<T> all = use();
        return all.more() ? Optional.of(all.take()) : Optional.empty();
    }

    @Override
    public Optional<T> findAny() {
        return findFirst();
    }
}
