package org.gridmpj.capture.library;

import java.util.DoubleSummaryStatistics;
import java.util.OptionalDouble;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A sequential {@link DoubleStream} whose terminal operations can be captured. Its elements are boxed on the way. */
final class DoublePipeline extends Pipeline<Double, DoubleStream> implements DoubleStream {
    DoublePipeline(Pull<Double> elements, @Nullable Pipeline<?, ?> before) {
        super(elements, before);
    }

    @Override
    DoubleStream self() {
        return this;
    }

    @Override
    public DoubleStream parallel() {
        return StreamSupport.doubleStream(spliterator(), true).onClose(this::close);
    }

    @Override
    public PrimitiveIterator.OfDouble iterator() {
        return new Unboxed(new HandedOut<>(use()));
    }

    @Override
    public Spliterator.OfDouble spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
    }

    /** Elements for who wants no boxes. */
    private record Unboxed(HandedOut<Double> from) implements PrimitiveIterator.OfDouble {
        @Override
        public boolean hasNext() {
            return from.hasNext();
        }

        @Override
        public double nextDouble() {
            return from.next();
        }
    }

    @Override
    public DoubleStream filter(DoublePredicate predicate) {
        return new DoublePipeline(new Pulls.Filtered<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public DoubleStream map(DoubleUnaryOperator mapper) {
        return new DoublePipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsDouble(each)), this);
    }

    @Override
    public <U> Stream<U> mapToObj(DoubleFunction<? extends U> mapper) {
        return new ObjectPipeline<>(new Pulls.Mapped<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public IntStream mapToInt(DoubleToIntFunction mapper) {
        return new IntPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsInt(each)), this);
    }

    @Override
    public LongStream mapToLong(DoubleToLongFunction mapper) {
        return new LongPipeline(new Pulls.Mapped<>(use(), each -> mapper.applyAsLong(each)), this);
    }

    @Override
    public DoubleStream flatMap(DoubleFunction<? extends DoubleStream> mapper) {
        return new DoublePipeline(new Pulls.Flat<>(use(), each -> mapper.apply(each)), this);
    }

    @Override
    public DoubleStream distinct() {
        return new DoublePipeline(Pulls.distinct(use()), this);
    }

    @Override
    public DoubleStream sorted() {
        return new DoublePipeline(new Pulls.Sorted<>(use(), null), this);
    }

    @Override
    public DoubleStream peek(DoubleConsumer action) {
        return new DoublePipeline(new Pulls.Peeked<>(use(), each -> action.accept(each)), this);
    }

    @Override
    public DoubleStream limit(long maxSize) {
        return new DoublePipeline(new Pulls.Limited<>(use(), maxSize), this);
    }

    @Override
    public DoubleStream skip(long n) {
        return new DoublePipeline(new Pulls.Skipped<>(use(), n), this);
    }

    @Override
    public DoubleStream takeWhile(DoublePredicate predicate) {
        return new DoublePipeline(new Pulls.Taken<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public DoubleStream dropWhile(DoublePredicate predicate) {
        return new DoublePipeline(new Pulls.Dropped<>(use(), each -> predicate.test(each)), this);
    }

    @Override
    public void forEach(DoubleConsumer action) {
        Pull<Double> all = use();
        while (all.more()) {
            action.accept(all.take());
        }
    }

    @Override
    public void forEachOrdered(DoubleConsumer action) {
        forEach(action);
    }

    @Override
    public double[] toArray() {
        return gathered().stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public double reduce(double identity, DoubleBinaryOperator op) {
        Pull<Double> all = use();
        double result = identity;
        while (all.more()) {
            result = op.applyAsDouble(result, all.take());
        }
        return result;
    }

    @Override
    public OptionalDouble reduce(DoubleBinaryOperator op) {
        Pull<Double> all = use();
        if (!all.more()) {
            return OptionalDouble.empty();
        }
        double result = all.take();
        while (all.more()) {
            result = op.applyAsDouble(result, all.take());
        }
        return OptionalDouble.of(result);
    }

    @Override
    public <R> R collect(Supplier<R> supplier, ObjDoubleConsumer<R> accumulator, BiConsumer<R, R> combiner) {
        R result = supplier.get();
        Pull<Double> all = use();
        while (all.more()) {
            accumulator.accept(result, all.take());
        }
        return result;
    }

    @Override
    public DoubleSummaryStatistics summaryStatistics() {
        DoubleSummaryStatistics statistics = new DoubleSummaryStatistics();
        Pull<Double> all = use();
        while (all.more()) {
            statistics.accept(all.take());
        }
        return statistics;
    }

    @Override
    public double sum() {
        // with the compensation that the JDK's sum has
        return summaryStatistics().getSum();
    }

    @Override
    public OptionalDouble min() {
        DoubleSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(statistics.getMin());
    }

    @Override
    public OptionalDouble max() {
        DoubleSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(statistics.getMax());
    }

    @Override
    public OptionalDouble average() {
        DoubleSummaryStatistics statistics = summaryStatistics();
        return statistics.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(statistics.getAverage());
    }

    @Override
    public boolean anyMatch(DoublePredicate predicate) {
        Pull<Double> all = use();
        while (all.more()) {
            if (predicate.test(all.take())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean allMatch(DoublePredicate predicate) {
        Pull<Double> all = use();
        while (all.more()) {
            if (!predicate.test(all.take())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean noneMatch(DoublePredicate predicate) {
        return !anyMatch(predicate);
    }

    @Override
    public OptionalDouble findFirst() {
        Pull<Double> all = use();
        return all.more() ? OptionalDouble.of(all.take()) : OptionalDouble.empty();
    }

    @Override
    public OptionalDouble findAny() {
        return findFirst();
    }

    @Override
    public Stream<Double> boxed() {
        return new ObjectPipeline<>(use(), this);
    }
}
