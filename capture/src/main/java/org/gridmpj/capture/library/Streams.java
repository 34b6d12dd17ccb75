package org.gridmpj.capture.library;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.gridmpj.capture.frames.KnownReceivers;

/** Where streams come from. A collection whose class makes streams in a way of its own is asked for one. */
public final class Streams {
    private Streams() {}

    /** {@link Collection#stream}. */
    public static <T> Stream<T> stream(Collection<T> source) {
        return KnownReceivers.streamsPlainly(source)
                ? new ObjectPipeline<>(new Pulls.Of<>(source), null)
                : source.stream();
    }

    /** {@link Arrays#stream(Object[])}. */
    public static <T> Stream<T> stream(T[] source) {
        return new ObjectPipeline<>(new Pulls.Of<>(Arrays.asList(source)), null);
    }

    /** {@link Stream#of(Object[])}. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T> Stream<T> of(T... source) {
        return stream(source);
    }

    /** {@link Stream#generate}. */
    public static <T> Stream<T> generate(Supplier<? extends T> supplier) {
        return new ObjectPipeline<>(new Pulls.Generated<T>(supplier), null);
    }

    /** {@link Stream#iterate(Object, UnaryOperator)}. */
    public static <T> Stream<T> iterate(T seed, UnaryOperator<T> step) {
        return new ObjectPipeline<>(new Pulls.Iterated<>(seed, null, step), null);
    }

    /** {@link Stream#iterate(Object, Predicate, UnaryOperator)}. */
    public static <T> Stream<T> iterate(T seed, Predicate<? super T> goesOn, UnaryOperator<T> step) {
        return new ObjectPipeline<>(new Pulls.Iterated<>(seed, goesOn, step), null);
    }

    /** {@link IntStream#range}. */
    public static IntStream range(int from, int to) {
        return new IntPipeline(new Pulls.Range<>(from, to, Long::intValue), null);
    }

    /** {@link IntStream#rangeClosed}. */
    public static IntStream rangeClosed(int from, int to) {
        return new IntPipeline(new Pulls.Range<>(from, to + 1L, Long::intValue), null);
    }

    /** {@link LongStream#range}. */
    public static LongStream range(long from, long to) {
        return new LongPipeline(new Pulls.Range<>(from, to, each -> each), null);
    }

    /** {@link Arrays#stream(int[])}. */
    public static IntStream stream(int[] source) {
        return range(0, source.length).map(i -> source[i]);
    }

    /** {@link Arrays#stream(long[])}. */
    public static LongStream stream(long[] source) {
        return range(0, source.length).mapToLong(i -> source[i]);
    }

    /** {@link Arrays#stream(double[])}. */
    public static DoubleStream stream(double[] source) {
        return range(0, source.length).mapToDouble(i -> source[i]);
    }

    /** {@link IntStream#of(int...)}. */
    public static IntStream of(int... source) {
        return stream(source);
    }

    /** {@link LongStream#of(long...)}. */
    public static LongStream of(long... source) {
        return stream(source);
    }

    /** {@link DoubleStream#of(double...)}. */
    public static DoubleStream of(double... source) {
        return stream(source);
    }
}
