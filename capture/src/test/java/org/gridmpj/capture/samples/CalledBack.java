package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.function.Consumer;
import mpj.Probe;

/** Code that the JDK calls back: in loops over collections and maps, in Optional and Arrays. */
public final class CalledBack {
    static final StringBuilder OUT = new StringBuilder();

    private CalledBack() {}

    /** Iterable of the program's own, whose iterator calls too. */
    record Upto(int end) implements Iterable<Integer> {
        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < end;
                }

                @Override
                public Integer next() {
                    return (int) (Probe.Call(next++) % 100);
                }
            };
        }
    }

    /** Does forEach its own way. */
    static final class Twice extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void forEach(Consumer<? super String> action) {
            for (int i = 0; i < size(); i++) {
                action.accept(get(i));
                action.accept(get(i) + Probe.Call(i) % 7);
            }
        }
    }

    @SuppressWarnings("JdkObsolete") // a class that holds its monitor is wanted
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.forEach(each -> say("list " + Probe.Call(each)));
        Arrays.asList("a", "bb").forEach(each -> say(each + Probe.Call(each.length())));
        List.of(1L, 2L).forEach(CalledBack::called);
        Set.of("one").forEach(each -> say(each + Probe.Call(1)));
        new Upto(2).forEach(each -> say("own " + each + " " + Probe.Call(each)));
        Twice twice = new Twice();
        twice.add("t");
        twice.forEach(each -> say(each + Probe.Call(5)));
        nested();
        maps();
        Iterator<Integer> iterator = list.iterator();
        iterator.next();
        iterator.forEachRemaining(each -> say("rest " + Probe.Call(each)));
        Optional.of(4).map(Probe::Call).ifPresent(each -> say("optional " + each + Probe.Call(each)));
        say("else " + Optional.<Long>empty().orElseGet(() -> Probe.Call(8)));
        long[] longs = new long[3];
        Arrays.setAll(longs, i -> Probe.Call(i) + i);
        Object[] objects = new String[2];
        Arrays.setAll(objects, i -> "o" + Probe.Call(i));
        say(Arrays.toString(longs) + Arrays.toString(objects));
        try {
            list.forEach(each -> {
                if (each == 1) {
                    throw new IllegalStateException("thrown " + Probe.Call(each));
                }
            });
        } catch (IllegalStateException e) {
            say(e.getMessage() + Probe.Call(6));
        }
        try {
            list.forEach(each -> {
                if (Probe.Call(each) > 0 && each == 1) {
                    list.remove(/* element */ each);
                }
            });
        } catch (ConcurrentModificationException e) {
            say("modified " + list);
        }
        Vector<String> without = new Vector<>(List.of("v"));
        without.forEach(each -> say(each + each));
    }

    private static void nested() {
        List<List<Integer>> rows = List.of(List.of(1, 2), List.of(3));
        int[] sum = {0};
        rows.forEach(row -> row.forEach(each -> sum[0] += (int) (Probe.Call(each) % 13)));
        say("nested " + sum[0]);
    }

    private static void maps() {
        Map<String, Integer> sorted = new TreeMap<>(Map.of("x", 1, "y", 2));
        sorted.forEach((key, value) -> say(key + Probe.Call(value)));
        Map<String, Long> made = new LinkedHashMap<>();
        for (String key : List.of("p", "q", "p")) {
            say(key + made.computeIfAbsent(key, each -> Probe.Call(each.charAt(0))));
        }
        made.keySet().forEach(key -> say(key + Probe.Call(2)));
        new HashMap<>(made).values().forEach(value -> say("value " + Probe.Call(value)));
        made.entrySet().forEach(entry -> entry.setValue(Probe.Call(entry.getValue())));
        say(made.toString());
    }

    private static void called(long value) {
        say("called " + Probe.Call(value));
    }

    private static void say(String text) {
        OUT.append(text).append('\n');
    }
}
