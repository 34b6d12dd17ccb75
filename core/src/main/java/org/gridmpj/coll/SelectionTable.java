package org.gridmpj.coll;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.comm.Placement;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Which algorithm a collective is done by, by the number of ranks and the bytes. A text; the first line that fits a call
 * is taken:
 *
 * <pre>
 *   # operation  algorithm           [ranks FROM-TO]  [bytes FROM-TO]      either bound may be left out; K and M are 2¹⁰, 2²⁰
 *   bcast        scatter-allgather   ranks 8-         bytes 512K-
 *   bcast        binomial
 *   bcast        segment             snapshots no        behind any range, of segment only: in jobs with snapshots, or without
 * </pre>
 *
 * Bytes are those of the whole vector of Bcast, Reduce, Allreduce, Reduce_scatter and Scan, of one block of the others, of Allgatherv the longest; 0 of
 * objects. A line whose algorithm cannot do a call (objects, operations that are not commutative, fewer items than ranks, no
 * two levels of hosts and ranks or a reduction whose bits they would change, no memory shared by all ranks) is passed over.
 *
 * <p>The table of a job is the default one (a resource beside this class) behind the lines that the job was given: the
 * system property {@value #PROPERTY}, a text in which ';' too ends a line. All ranks have the same, and a choice depends
 * only on what all ranks of a call know alike; so all choose the same, and a sum has the same bits in each run, wherever
 * the ranks are.
 */
public final class SelectionTable {
    /** System property of a rank: lines before those of the default table. */
    public static final String PROPERTY = "gridmpj.collectives";

    private static final String RESOURCE = "collectives.table";

    private static volatile @Nullable SelectionTable ofJob;

    private final Map<Choosable, List<Line>> lines;

    private SelectionTable(Map<Choosable, List<Line>> lines) {
        this.lines = lines;
    }

    /** One line: the algorithm of calls within both ranges, bounds included. */
    private record Line(
            Choosable operation,
            Algorithm algorithm,
            Range ranks,
            Range bytes,
            @Nullable Boolean snapshots) {
        boolean isFor(boolean withSnapshots) {
            return snapshots == null || snapshots == withSnapshots;
        }
    }

    private record Range(long from, long to) {
        static final Range ALL = new Range(0, Long.MAX_VALUE);

        boolean has(long value) {
            return from <= value && value <= to;
        }
    }

    /**
     * What all ranks know alike of a call.
     *
     * @param nested whether there are several hosts, and one of them has several ranks ({@link Placement#isNested})
     */
    record Call(int ranks, boolean nested, long bytes, boolean objects, Order order, boolean itemForEachRank) {
        static Call of(int ranks, boolean nested, Region data, Order order) {
            return new Call(ranks, nested, data.bytes(), data.isObjects(), order, data.count() >= ranks);
        }
    }

    /** The orders in which a call may combine the terms of an item. */
    enum Order {
        /** All, since none shows in the result; also of calls that combine nothing. */
        ANY,
        /** One that the number of ranks decides; operands may change places. */
        COMMUTATIVE,
        /** The lower ranks on the left. */
        OF_RANKS;

        static Order of(Reducer op, Region data) {
            // without items a rank may have no array, and so no type to ask
            if (data.count() > 0 && op instanceof PredefinedOp predefined && predefined.isExactOn(data.type())) {
                return ANY;
            }
            return op.commutative() ? COMMUTATIVE : OF_RANKS;
        }
    }

    /** The table of this process's job, read once; throws as {@link #of}. */
    public static SelectionTable ofJob() {
        SelectionTable table = ofJob;
        if (table == null) {
            table = of(System.getProperty(PROPERTY, ""), PROPERTY);
            ofJob = table;
        }
        return table;
    }

    /**
     * A text's lines, then those of the default table.
     *
     * @param name of the text, for messages
     * @throws MpiFailure of class ARG if the text is wrong; it names the line and what is allowed
     */
    public static SelectionTable of(String text, String name) {
        Map<Choosable, List<Line>> lines = new EnumMap<>(Choosable.class);
        List<Line> all = parse(text, name);
        all.addAll(parse(defaults(), RESOURCE));
        for (Line line : all) {
            lines.computeIfAbsent(line.operation(), _ -> new ArrayList<>()).add(line);
        }
        return new SelectionTable(lines);
    }

    /** A text as one line without comments, as the property takes it; throws as {@link #of}. */
    public static String compact(String text, String name) {
        SelectionTable _ = of(text, name);
        return text.lines()
                .map(line -> String.join(" ", words(line)))
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(";"));
    }

    private static String defaults() {
        try (InputStream resource = SelectionTable.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new MpiFailure(ErrorClass.INTERN, "gridmpj.jar is damaged: it has no " + RESOURCE);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The algorithm for a call. */
    Algorithm choose(Choosable operation, Call call) {
        for (Line line : lines.getOrDefault(operation, List.of())) {
            if (line.ranks().has(call.ranks()) && line.bytes().has(call.bytes()) && can(line, call)) {
                return line.algorithm();
            }
        }
        return operation.general();
    }

    /**
     * Whether a call of primitives goes by a {@link Board}, that can do it and of which there is one. The messages'
     * algorithms are chosen as if there were none.
     *
     * @param snapshots whether the job takes any
     */
    boolean takesSegment(Choosable operation, int ranks, long bytes, boolean snapshots) {
        Call call = ofBoard(ranks, bytes);
        for (Line line : lines.getOrDefault(operation, List.of())) {
            boolean segment = line.algorithm() == Algorithm.SEGMENT;
            boolean fits = line.ranks().has(ranks) && line.bytes().has(bytes) && line.isFor(snapshots);
            if (fits && (segment || can(line, call))) {
                return segment;
            }
        }
        return false;
    }

    /** How a call of primitives that could go by a segment goes by messages. */
    Algorithm withoutSegment(Choosable operation, int ranks, long bytes) {
        return choose(operation, ofBoard(ranks, bytes));
    }

    /** A reduction that a board can do has a commutative operation; the items are those of the shortest type. */
    private static Call ofBoard(int ranks, long bytes) {
        return new Call(ranks, false, bytes, false, Order.COMMUTATIVE, bytes >= ranks);
    }

    private static boolean can(Line line, Call call) {
        if (line.algorithm() == Algorithm.SEGMENT) {
            return false;
        }
        if (line.algorithm() == Algorithm.HIERARCHICAL) {
            return call.nested() && call.order() == Order.ANY;
        }
        if (call.objects()) {
            return line.algorithm() == line.operation().general();
        }
        return switch (line.operation()) {
            case ALLREDUCE ->
                switch (line.algorithm()) {
                    case RABENSEIFNER -> call.itemForEachRank();
                    case RING -> call.itemForEachRank() && call.order() != Order.OF_RANKS;
                    default -> true;
                };
            case REDUCE_SCATTER -> call.order() != Order.OF_RANKS || line.algorithm() == Algorithm.BY_REDUCE;
            case BARRIER, BCAST, GATHER, SCATTER, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, REDUCE, SCAN -> true;
        };
    }

    // ---- the text

    // without patterns and streams: each rank reads the default table at its start, when nothing is compiled yet

    private static List<Line> parse(String text, String name) {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        StringTokenizer tokens = new StringTokenizer(text, "\n;", true);
        boolean inComment = false;
        while (tokens.hasMoreTokens()) {
            String line = tokens.nextToken();
            if (line.equals("\n") || (line.equals(";") && !inComment)) {
                inComment = false;
                number++;
            } else if (!inComment) {
                String[] words = words(line);
                if (words.length > 0) {
                    lines.add(new Parser(name, number + 1, line.strip()).line(words));
                }
                inComment = line.indexOf('#') >= 0;
            }
        }
        return lines;
    }

    private static String[] words(String line) {
        int comment = line.indexOf('#');
        StringTokenizer tokens = new StringTokenizer(comment < 0 ? line : line.substring(0, comment));
        String[] words = new String[tokens.countTokens()];
        for (int i = 0; i < words.length; i++) {
            words[i] = tokens.nextToken();
        }
        return words;
    }

    /** Reads one line. */
    private record Parser(String name, int number, String text) {
        Line line(String[] words) {
            Choosable operation = operation(words[0]);
            if (words.length < 2) {
                throw wrong("which algorithm? " + operation.word() + " has " + algorithms(operation));
            }
            Algorithm algorithm = algorithm(operation, words[1]);
            Range ranks = Range.ALL;
            Range bytes = Range.ALL;
            Boolean snapshots = null;
            for (int at = 2; at < words.length; at += 2) {
                if (at + 1 == words.length) {
                    throw wrong("something is missing after \"" + words[at] + "\", as in ranks 8- or snapshots no");
                }
                switch (words[at]) {
                    case "ranks" -> ranks = range(words[at + 1]);
                    case "bytes" -> bytes = range(words[at + 1]);
                    case "snapshots" -> snapshots = snapshots(algorithm, words[at + 1]);
                    default -> throw wrong("\"" + words[at] + "\" is neither ranks nor bytes nor snapshots");
                }
            }
            return new Line(operation, algorithm, ranks, bytes, snapshots);
        }

        private boolean snapshots(Algorithm algorithm, String word) {
            if (algorithm != Algorithm.SEGMENT) {
                throw wrong("snapshots make a difference to segment only");
            }
            return switch (word) {
                case "yes" -> true;
                case "no" -> false;
                default -> throw wrong("snapshots are yes or no, not \"" + word + "\"");
            };
        }

        private Choosable operation(String word) {
            for (Choosable each : Choosable.values()) {
                if (each.word().equals(word)) {
                    return each;
                }
            }
            throw wrong("there is no choice for \"" + word + "\"; there is for "
                    + join(Arrays.stream(Choosable.values()).map(Choosable::word)));
        }

        private Algorithm algorithm(Choosable operation, String word) {
            for (Algorithm each : operation.algorithms()) {
                if (each.word().equals(word)) {
                    return each;
                }
            }
            throw wrong(operation.word() + " has no \"" + word + "\"; it has " + algorithms(operation));
        }

        private static String algorithms(Choosable operation) {
            return join(operation.algorithms().stream().map(Algorithm::word));
        }

        private Range range(String word) {
            int dash = word.indexOf('-');
            if (dash < 0 || word.length() == 1 || !isBound(word, 0, dash) || !isBound(word, dash + 1, word.length())) {
                throw wrong("\"" + word + "\" is no range; ranges are FROM-TO, FROM- and -TO, e.g. 4-16, 64K-, -1M");
            }
            String from = word.substring(0, dash);
            String to = word.substring(dash + 1);
            Range range = new Range(from.isEmpty() ? 0 : number(from), to.isEmpty() ? Long.MAX_VALUE : number(to));
            if (range.from() > range.to()) {
                throw wrong("\"" + word + "\" is an empty range");
            }
            return range;
        }

        /** Nothing, or up to 15 digits and perhaps a K or M. */
        private static boolean isBound(String word, int from, int to) {
            int digits = 0;
            while (from + digits < to && word.charAt(from + digits) >= '0' && word.charAt(from + digits) <= '9') {
                digits++;
            }
            boolean unit = from + digits == to - 1 && "kKmM".indexOf(word.charAt(to - 1)) >= 0;
            return from == to || (digits > 0 && digits <= 15 && (unit || from + digits == to));
        }

        private static long number(String word) {
            String lower = word.toLowerCase(Locale.ROOT);
            long unit = lower.endsWith("k") ? 1L << 10 : lower.endsWith("m") ? 1L << 20 : 1;
            return Long.parseLong(unit == 1 ? lower : lower.substring(0, lower.length() - 1)) * unit;
        }

        private static String join(Stream<String> words) {
            return words.collect(Collectors.joining(", "));
        }

        private MpiFailure wrong(String what) {
            return new MpiFailure(
                    ErrorClass.ARG, name + ", line " + number + ": " + what + " (the line is \"" + text + "\")");
        }
    }
}
