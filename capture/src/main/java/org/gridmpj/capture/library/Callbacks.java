package org.gridmpj.capture.library;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.ListIterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.gridmpj.capture.frames.KnownReceivers;
import org.jspecify.annotations.Nullable;

/**
 * Loops over collections, maps, arrays, and what Optional does with its value. The first argument is the receiver of the
 * JDK's method. A receiver whose class does it in a way of its own gets the call that the program has written.
 *
 * <p>Differs from the JDK in programs that change a hash table while they are in its forEach only: the exception for that
 * comes before the next element and not behind the last.
 */
public final class Callbacks {
    private Callbacks() {}

    /** {@link Iterable#forEach}. */
    public static <T> void forEach(Iterable<T> over, Consumer<? super T> action) {
        if (!KnownReceivers.iterates(over)) {
            over.forEach(action);
            return;
        }
        Consumer<? super T> each = Objects.requireNonNull(action);
        // ArrayList looks for changes behind its last element too: as an iterator does that goes back
        ListIterator<?> back = over instanceof ArrayList<?> list ? list.listIterator(list.size()) : null;
        for (T element : over) {
            each.accept(element);
        }
        if (back != null && back.hasPrevious()) {
            back.previous();
        }
    }

    /** {@link Iterator#forEachRemaining}. */
    public static <T> void forEachRemaining(Iterator<T> over, Consumer<? super T> action) {
        if (!KnownReceivers.iterates(over)) {
            over.forEachRemaining(action);
            return;
        }
        Consumer<? super T> each = Objects.requireNonNull(action);
        while (over.hasNext()) {
            each.accept(over.next());
        }
    }

    /** {@link Map#forEach}. */
    public static <K, V> void forEach(Map<K, V> over, BiConsumer<? super K, ? super V> action) {
        if (!KnownReceivers.iterates(over)) {
            over.forEach(action);
            return;
        }
        BiConsumer<? super K, ? super V> each = Objects.requireNonNull(action);
        for (Map.Entry<K, V> entry : over.entrySet()) {
            each.accept(entry.getKey(), entry.getValue());
        }
    }

    /** {@link Map#computeIfAbsent}. */
    public static <K, V> @Nullable V computeIfAbsent(
            Map<K, V> map, K key, Function<? super K, ? extends @Nullable V> mapping) {
        if (!KnownReceivers.computesPlainly(map)) {
            return map.computeIfAbsent(key, mapping);
        }
        V there = map.get(key);
        if (there != null) {
            return there;
        }
        V made = Objects.requireNonNull(mapping).apply(key);
        if (made != null) {
            map.put(key, made);
        }
        return made;
    }

    /** {@link Optional#ifPresent}. */
    public static <T> void ifPresent(Optional<T> optional, Consumer<? super T> action) {
        if (optional.isPresent()) {
            action.accept(optional.get());
        }
    }

    /** {@link Optional#ifPresentOrElse}. */
    public static <T> void ifPresentOrElse(Optional<T> optional, Consumer<? super T> action, Runnable otherwise) {
        if (optional.isPresent()) {
            action.accept(optional.get());
        } else {
            otherwise.run();
        }
    }

    /** {@link Optional#map}. */
    public static <T, U> Optional<U> map(Optional<T> optional, Function<? super T, ? extends @Nullable U> mapper) {
        Objects.requireNonNull(mapper);
        return optional.isPresent() ? Optional.ofNullable(mapper.apply(optional.get())) : Optional.empty();
    }

    /** {@link Optional#orElseGet}. */
    public static <T> T orElseGet(Optional<T> optional, Supplier<? extends T> supplier) {
        return optional.isPresent() ? optional.get() : supplier.get();
    }

    /** {@link java.util.Arrays#setAll(Object[], IntFunction)}. */
    public static <T> void setAll(T[] array, IntFunction<? extends T> generator) {
        Objects.requireNonNull(generator);
        for (int i = 0; i < array.length; i++) {
            array[i] = generator.apply(i);
        }
    }

    /** {@link java.util.Arrays#setAll(int[], IntUnaryOperator)}. */
    public static void setAll(int[] array, IntUnaryOperator generator) {
        Objects.requireNonNull(generator);
        for (int i = 0; i < array.length; i++) {
            array[i] = generator.applyAsInt(i);
        }
    }

    /** {@link java.util.Arrays#setAll(long[], IntToLongFunction)}. */
    public static void setAll(long[] array, IntToLongFunction generator) {
        Objects.requireNonNull(generator);
        for (int i = 0; i < array.length; i++) {
            array[i] = generator.applyAsLong(i);
        }
    }

    /** {@link java.util.Arrays#setAll(double[], IntToDoubleFunction)}. */
    public static void setAll(double[] array, IntToDoubleFunction generator) {
        Objects.requireNonNull(generator);
        for (int i = 0; i < array.length; i++) {
            array[i] = generator.applyAsDouble(i);
        }
    }
}
