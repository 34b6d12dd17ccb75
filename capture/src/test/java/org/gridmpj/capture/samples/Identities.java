package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import mpj.Probe;

/** Lives by what the JVM invents: identity hash codes, the order of tables that have them as keys, the main thread's name. */
public final class Identities {
    static final StringBuilder OUT = new StringBuilder();

    private Identities() {}

    enum Field {
        U(0),
        V(1),
        PRESSURE(2),
        DENSITY(3),
        ENERGY(4);

        private final int number;

        Field(int number) {
            this.number = number;
        }
    }

    static final class Cell {
        private final int number;
        private double value;

        Cell(int number) {
            this.number = number;
        }
    }

    /** Its hash code is made of what a static field holds. */
    static final class Board {
        private static final long[] CODES = codes();

        private final int[] stones;

        Board(int... stones) {
            this.stones = stones;
        }

        private static long[] codes() {
            long[] codes = new long[100];
            for (int i = 0; i < codes.length; i++) {
                codes[i] = i * 0x9E3779B97F4A7C15L;
            }
            return codes;
        }

        @Override
        public int hashCode() {
            long hash = 0;
            for (int stone : stones) {
                hash ^= CODES[stone];
            }
            return Long.hashCode(hash);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Board board && java.util.Arrays.equals(stones, board.stones);
        }
    }

    public static void main(String[] args) {
        String before = Thread.currentThread().getName();
        Thread.currentThread().setName("renamed");
        setForAll();
        entries(new HashMap<>());
        entries(new LinkedHashMap<>());
        cells(new HashSet<>());
        boards();
        immutable();
        identities();
        say(Thread.currentThread().getName() + " " + System.getProperty("gridmpj.sample") + " "
                + String.format("%.2f", 1.5) + " " + Locale.getDefault());
        System.clearProperty("gridmpj.sample");
        Thread.currentThread().setName(before);
    }

    private static void setForAll() {
        Locale old = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        System.setProperty("gridmpj.sample", "set");
        long value = Probe.Call(1);
        say(String.format("%.1f", value / 10.0) + System.getProperty("gridmpj.sample"));
        Locale.setDefault(old);
    }

    /** Entries in hand, and iterators, go on in the table that they are of. */
    private static void entries(Map<Field, Long> fields) {
        for (Field field : Field.values()) {
            fields.put(field, (long) field.number);
        }
        for (Map.Entry<Field, Long> entry : fields.entrySet()) {
            entry.setValue(entry.getValue() + Probe.Call(entry.getKey().number));
        }
        say(new TreeMap<>(fields).toString());
    }

    /** What is packed in the order of a table is unpacked in that order. */
    private static void cells(Set<Cell> cells) {
        for (int i = 0; i < 12; i++) {
            cells.add(new Cell(i));
        }
        List<Integer> packed = new ArrayList<>();
        cells.forEach(cell -> packed.add(cell.number));
        Probe.Call(2);
        Iterator<Integer> each = packed.iterator();
        for (Cell cell : cells) {
            cell.value = each.next();
        }
        double wrong = 0;
        for (Cell cell : cells) {
            wrong += Math.abs(cell.value - cell.number);
        }
        say("wrong " + wrong);
    }

    private static void boards() {
        Map<Board, String> boards = new HashMap<>();
        boards.put(new Board(1, 2), "one two");
        boards.put(new Board(3, 4, 5), "more");
        Probe.Call(3);
        say(boards.get(new Board(3, 4, 5)) + boards.get(new Board(1, 2)));
    }

    private static void immutable() {
        Set<String> seen = new TreeSet<>();
        int steps = 0;
        for (String each : Set.of("a", "b")) {
            seen.add(each + Probe.Call(each.length()));
            steps++;
        }
        for (Integer each : Set.of(1, 2, 3, 4, 5)) {
            seen.add("n" + Probe.Call(each));
            steps++;
        }
        for (Map.Entry<Field, Integer> each :
                Map.of(Field.U, 1, Field.V, 2, Field.ENERGY, 3).entrySet()) {
            seen.add(each.getKey() + " " + Probe.Call(each.getValue()));
            steps++;
        }
        say(seen + " " + steps);
    }

    private static void identities() {
        Object object = new Object();
        String text = object.toString();
        int field = Field.V.hashCode();
        IdentityHashMap<Object, String> byIdentity = new IdentityHashMap<>();
        byIdentity.put(object, "object");
        byIdentity.put(Field.V, "V");
        Probe.Call(4);
        say("" + text.equals(object.toString()) + (field == Field.V.hashCode()) + byIdentity.get(object)
                + byIdentity.get(Field.V));
    }

    private static void say(String text) {
        OUT.append(text).append('\n');
    }
}
