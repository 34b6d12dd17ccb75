package org.gridmpj.capture.library;

import java.util.LongSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A sequential {@link LongStream} whose terminal operations can be captured. Its elements are boxed on the way. */
final class LongPipeline extends Pipeline<Long, LongStream> implements LongStream {
    LongPipeline(Pull<Long> elements, @Nullable Pipeline<?, ?> before) {
        super(elements, before);
    }

    @Override
    LongStream self() {
        return this;
    }

    @Override
    public LongStream parallel() {
        return StreamSupport.longStream(spliterator(), true).onClose(this::close);
    }

    @Override
    public PrimitiveIterator.OfLong iterator() {
        return new Unboxed(new HandedOut<>(use()));
    }

    @Override
    public Spliterator.OfLong spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
    }

    /** Elements for who wants no boxes. */
    private record Unboxed(HandedOut<Long> from) implements PrimitiveIterator.OfLong {
        @Override
        public boolean hasNext() {
            return from.hasNext();
        }

        @Override
        public long nextLong() {
            return from.next();
        }
    }

    @Override
    public LongStream filter(LongPredicate predicate) {
        return new LongPipeline(new Pulls.Filtered<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public LongStream map(LongUnaryOperator mapper) {
        return new LongPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsLong(each)), this);
    }

    @Override
    public <U> Stream<U> mapToObj(LongFunction<? extends U> mapper) {
        return new ObjectPipeline<>(new Pulls.Mapped<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public IntStream mapToInt(LongToIntFunction mapper) {
        return new IntPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsInt(each)), this);
    }

    @Override
    public DoubleStream mapToDouble(LongToDoubleFunction mapper) {
        return new DoublePipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsDouble(each)), this);
    }

    @Override
    public LongStream flatMap(LongFunction<? extends LongStream> mapper) {
        return new LongPipeline(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public LongStream distinct() {
        return new LongPipeline(Pulls.distinct(use()), this);
    }

    @Override
    public LongStream sorted() {
        return new LongPipeline(new Pulls.Sorted<>(use(), null), this);
    }

    @Override
    public LongStream peek(LongConsumer action) {
        return new LongPipeline(new Pulls.Peeked<>(use(), each -> action.accept(each)), this);
    }

    @Override
    public LongStream limit(long maxSize) {
        return new LongPipeline(new Pulls.Limited<>(use(), maxSize), this);
    }

    @Override
    public LongStream skip(long n) {
        return new LongPipeline(new Pulls.Skipped<>(use(), n), this);
    }

    @Override
    public LongStream takeWhile(LongPredicate predicate) {
        return new LongPipeline(new Pulls.Taken<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public LongStream dropWhile(LongPredicate predicate) {
        return new LongPipeline(new Pulls.Dropped<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public void forEach(LongConsumer action) {
        Pull<Long> all = use();
        while (all.more()) {
            action.accept(all.take());
        }
    }

    @Override
    public void forEachOrdered(LongConsumer action) {
        forEach(action);
    }

    @Override
    public long[] toArray() {
        return gathered().stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public long reduce(long identity, LongBinaryOperator op) {
        Pull<Long> all = use();
        long result = identity;
        while (all.more()) {
            result = op.applyAsLong(result, all.take());
        }
        return result;
    }

    @Override
    public OptionalLong reduce(LongBinaryOperator op) {
        Pull<Long> all = use();
        if (!all.more()) {
            return OptionalLong.empty();
        }
        long result = all.take();
        while (all.more()) {
            result = op.applyAsLong(result, all.take());
        }
        return OptionalLong.of(result);
    }

    @Override
    public <R> R collect(Supplier<R> supplier, ObjLongConsumer<R> accumulator, BiConsumer<R, R> combiner) {
        R result = supplier.get();
        Pull<Long> all = use();
        while (all.more()) {
            accumulator.accept(result, all.take());
        }
        return result;
    }

    @Override
    public LongSummaryStatistics summaryStatistics() {
        LongSummaryStatistics statistics = new LongSummaryStatistics();
        Pull<Long> all = use();
        while (all.more()) {
            statistics.accept(all.take());
        }
        return statistics;
    }

    @Override
    public long sum() {
        Pull<Long> all = use();
        long sum = 0;
        while (all.more()) {
            sum += all.take();
        }
        return sum;
    }

    @Override
    public OptionalLong min() {
        LongSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalLong.empty() : OptionalLong.of(statistics.getMin());
    }

    @Override
    public OptionalLong max() {
        LongSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalLong.empty() : OptionalLong.of(statistics.getMax());
    }

    @Override
    public OptionalDouble average() {
        LongSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(statistics.getAverage());
    }

    @Override
    public boolean anyMatch(LongPredicate predicate) {
        Pull<Long> all = use();
        while (all.more()) {
            if (predicate.test(all.take())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean allMatch(LongPredicate predicate) {
        Pull<Long> all = use();
        while (all.more()) {
            if (!predicate.test(all.take())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean noneMatch(LongPredicate predicate) {
        return !anyMatch(predicate);
    }

    @Override
    public OptionalLong findFirst() {
        Pull<Long> all = use();
        return all.more() ? OptionalLong.of(all.take()) : OptionalLong.empty();
    }

    @Override
    public OptionalLong findAny() {
        return findFirst();
    }

    @Override
    public DoubleStream asDoubleStream() {
        return new DoublePipeline(new Pulls.Mapped<>(use(), each -> (double) (long) each), this);
    }

    @Override
    public Stream<Long> boxed() {
        return new ObjectPipeline<>(use(), this);
    }
}
