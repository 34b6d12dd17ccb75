package org.gridmpj.capture.library;

import java.util.IntSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A sequential {@link IntStream} whose terminal operations can be captured. Its elements are boxed on the way. */
final class IntPipeline extends Pipeline<Integer, IntStream> implements IntStream {
    IntPipeline(Pull<Integer> elements, @Nullable Pipeline<?, ?> before) {
        super(elements, before);
    }

    @Override
    IntStream self() {
        return this;
    }

    @Override
    public IntStream parallel() {
        return StreamSupport.intStream(spliterator(), true).onClose(this::close);
    }

    @Override
    public PrimitiveIterator.OfInt iterator() {
        return new Unboxed(new HandedOut<>(use()));
    }

    @Override
    public Spliterator.OfInt spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
    }

    /** Elements for who wants no boxes. */
    private record Unboxed(HandedOut<Integer> from) implements PrimitiveIterator.OfInt {
        @Override
        public boolean hasNext() {
            return from.hasNext();
        }

        @Override
        public int nextInt() {
            return from.next();
        }
    }

    @Override
    public IntStream filter(IntPredicate predicate) {
        return new IntPipeline(new Pulls.Filtered<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public IntStream map(IntUnaryOperator mapper) {
        return new IntPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsInt(each)), this);
    }

    @Override
    public <U> Stream<U> mapToObj(IntFunction<? extends U> mapper) {
        return new ObjectPipeline<>(new Pulls.Mapped<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public LongStream mapToLong(IntToLongFunction mapper) {
        return new LongPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsLong(each)), this);
    }

    @Override
    public DoubleStream mapToDouble(IntToDoubleFunction mapper) {
        return new DoublePipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsDouble(each)), this);
    }

    @Override
    public IntStream flatMap(IntFunction<? extends IntStream> mapper) {
        return new IntPipeline(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public IntStream distinct() {
        return new IntPipeline(Pulls.distinct(use()), this);
    }

    @Override
    public IntStream sorted() {
        return new IntPipeline(new Pulls.Sorted<>(use(), null), this);
    }

    @Override
    public IntStream peek(IntConsumer action) {
        return new IntPipeline(new Pulls.Peeked<>(use(), each -> action.accept(each)), this);
    }

    @Override
    public IntStream limit(long maxSize) {
        return new IntPipeline(new Pulls.Limited<>(use(), maxSize), this);
    }

    @Override
    public IntStream skip(long n) {
        return new IntPipeline(new Pulls.Skipped<>(use(), n), this);
    }

    @Override
    public IntStream takeWhile(IntPredicate predicate) {
        return new IntPipeline(new Pulls.Taken<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public IntStream dropWhile(IntPredicate predicate) {
        return new IntPipeline(new Pulls.Dropped<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public void forEach(IntConsumer action) {
        Pull<Integer> all = use();
        while (all.more()) {
            action.accept(all.take());
        }
    }

    @Override
    public void forEachOrdered(IntConsumer action) {
        forEach(action);
    }

    @Override
    public int[] toArray() {
        return gathered().stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public int reduce(int identity, IntBinaryOperator op) {
        Pull<Integer> all = use();
        int result = identity;
        while (all.more()) {
            result = op.applyAsInt(result, all.take());
        }
        return result;
    }

    @Override
    public OptionalInt reduce(IntBinaryOperator op) {
        Pull<Integer> all = use();
        if (!all.more()) {
            return OptionalInt.empty();
        }
        int result = all.take();
        while (all.more()) {
            result = op.applyAsInt(result, all.take());
        }
        return OptionalInt.of(result);
    }

    @Override
    public <R> R collect(Supplier<R> supplier, ObjIntConsumer<R> accumulator, BiConsumer<R, R> combiner) {
        R result = supplier.get();
        Pull<Integer> all = use();
        while (all.more()) {
            accumulator.accept(result, all.take());
        }
        return result;
    }

    @Override
    public IntSummaryStatistics summaryStatistics() {
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        Pull<Integer> all = use();
        while (all.more()) {
            statistics.accept(all.take());
        }
        return statistics;
    }

    @Override
    public int sum() {
        Pull<Integer> all = use();
        int sum = 0;
        while (all.more()) {
            sum += all.take();
        }
        return sum;
    }

    @Override
    public OptionalInt min() {
        IntSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalInt.empty() : OptionalInt.of(statistics.getMin());
    }

    @Override
    public OptionalInt max() {
        IntSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalInt.empty() : OptionalInt.of(statistics.getMax());
    }

    @Override
    public OptionalDouble average() {
        IntSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(statistics.getAverage());
    }

    @Override
    public boolean anyMatch(IntPredicate predicate) {
        Pull<Integer> all = use();
        while (all.more()) {
            if (predicate.test(all.take())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean allMatch(IntPredicate predicate) {
        Pull<Integer> all = use();
        while (all.more()) {
            if (!predicate.test(all.take())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean noneMatch(IntPredicate predicate) {
        return !anyMatch(predicate);
    }

    @Override
    public OptionalInt findFirst() {
        Pull<Integer> all = use();
        return all.more() ? OptionalInt.of(all.take()) : OptionalInt.empty();
    }

    @Override
    public OptionalInt findAny() {
        return findFirst();
    }

    @Override
    public LongStream asLongStream() {
        return new LongPipeline(new Pulls.Mapped<>(use(), each -> (long) (int) each), this);
    }

    @Override
    public DoubleStream asDoubleStream() {
        return new DoublePipeline(new Pulls.Mapped<>(use(), each -> (double) (int) each), this);
    }

    @Override
    public Stream<Integer> boxed() {
        return new ObjectPipeline<>(use(), this);
    }
}
