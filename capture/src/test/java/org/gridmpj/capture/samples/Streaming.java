package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import mpj.Probe;

/** Calls in the stages of sequential streams. */
public final class Streaming {
    static final StringBuilder OUT = new StringBuilder();

    private Streaming() {}

    public static void main(String[] args) {
        IntStream.range(0, 3).forEach(i -> say("range " + i + " " + Probe.Call(i)));
        IntStream.rangeClosed(1, 2).forEach(Streaming::row);
        say("sum " + IntStream.range(0, 4).mapToLong(Probe::Call).sum());
        say("doubles "
                + IntStream.range(0, 5).mapToDouble(i -> Probe.Call(i) / 3.0).sum());
        List<Integer> list = List.of(4, 1, 3, 1);
        list.stream()
                .map(Probe::Call)
                .filter(x -> Probe.Call(x) % 2 == 0)
                .forEach(x -> say("each " + x + Probe.Call(x)));
        say("reduced " + list.stream().reduce(0, (a, b) -> (int) (a + Probe.Call(b) % 10)));
        say("list " + list.stream().map(x -> Probe.Call(x) + x).toList());
        say("sorted "
                + list.stream().map(x -> Probe.Call(x) % 5).sorted().distinct().toList());
        say("count " + list.stream().map(Probe::Call).count() + " "
                + list.stream().filter(x -> Probe.Call(x) > 100).count());
        say("any " + list.stream().anyMatch(x -> Probe.Call(x) % 3 == 1)
                + list.stream().limit(2).allMatch(x -> Probe.Call(x) > 0));
        say("flat "
                + Stream.of(1, 2)
                        .flatMap(x -> IntStream.range(0, x).mapToObj(i -> Probe.Call(i + x)))
                        .toList());
        say("iterated " + Stream.iterate(1L, x -> Probe.Call(x) % 1000).limit(3).toList());
        say("first "
                + Arrays.stream(new String[] {"a", "bb"})
                        .map(x -> x + Probe.Call(x.length()))
                        .findFirst());
        say("max " + LongStream.of(3, 9, 5).map(Probe::Call).max()
                + DoubleStream.of(1, 2).map(x -> x * Probe.Call(1)).average());
        say("skipped " + list.stream().peek(x -> Probe.Call(x)).skip(2).toList());
        say("while "
                + list.stream()
                        .takeWhile(x -> Probe.Call(x) > 50)
                        .dropWhile(x -> Probe.Call(x) > 100)
                        .toList());
        Map<Integer, Long> map = new TreeMap<>();
        list.stream().forEach(x -> map.merge(x, Probe.Call(x), Long::sum));
        map.entrySet().stream().forEach(entry -> say(entry.getKey() + "=" + entry.getValue() + Probe.Call(1)));
        say("array "
                + Arrays.toString(
                        list.stream().mapToInt(x -> (int) Probe.Call(x)).toArray()));
        say("into " + list.stream().collect(ArrayList<Long>::new, (to, x) -> to.add(Probe.Call(x)), ArrayList::addAll));
        collected(list);
        say("statistics " + IntStream.range(0, 3).map(i -> (int) Probe.Call(i)).summaryStatistics());
    }

    private static void collected(List<Integer> list) {
        say("to list " + list.stream().map(Probe::Call).collect(Collectors.toList()));
        say("to set " + list.stream().map(x -> Probe.Call(x) % 3).collect(Collectors.toCollection(TreeSet::new)));
        say("joined " + list.stream().map(x -> "" + Probe.Call(x)).collect(Collectors.joining(", ", "<", ">")));
        say("grouped " + list.stream().collect(Collectors.groupingBy(x -> Probe.Call(x) % 3)));
        say("counted "
                + list.stream()
                        .collect(Collectors.groupingBy(x -> Probe.Call(x) % 2, TreeMap::new, Collectors.counting())));
        say("parts "
                + list.stream()
                        .collect(Collectors.partitioningBy(
                                x -> Probe.Call(x) % 2 == 0,
                                Collectors.mapping(x -> Probe.Call(x) + 1, Collectors.toUnmodifiableList()))));
        say("mapped " + list.stream().distinct().collect(Collectors.toMap(x -> x, x -> Probe.Call(x))));
        say("merged "
                + list.stream()
                        .collect(Collectors.toMap(x -> x, x -> Probe.Call(x), (a, b) -> a + Probe.Call(b) % 10)));
        try {
            Map<Integer, Long> _ = list.stream().collect(Collectors.toMap(x -> x, x -> Probe.Call(x)));
        } catch (IllegalStateException e) {
            say("" + e.getMessage());
        }
        say("summed " + list.stream().collect(Collectors.summingDouble(x -> Probe.Call(x) / 7.0))
                + list.stream().collect(Collectors.averagingInt(x -> (int) Probe.Call(x))));
        say("reduced "
                + list.stream().collect(Collectors.reducing(1L, x -> Probe.Call(x), (a, b) -> a * 3 + Probe.Call(b)))
                + list.stream().collect(Collectors.maxBy((a, b) -> Long.compare(Probe.Call(b), Probe.Call(a)))));
        say("then "
                + list.stream()
                        .collect(Collectors.collectingAndThen(
                                Collectors.filtering(x -> Probe.Call(x) > 50, Collectors.toList()),
                                all -> all.size() + Probe.Call(all.size()))));
    }

    private static void row(int i) {
        say("row " + Probe.Call(i));
    }

    private static void say(String text) {
        OUT.append(text).append('\n');
    }
}
