package org.gridmpj.capture.frames;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the program's methods can be captured, as the agent has made them. Thread-safe: classes are loaded by any thread.
 */
public final class CaptureSites {
    /** The half of {@link #checksum} that is of the class's file. */
    private static final long FILE = 0xFFFF_FFFFL;

    /** Half-open ranges [from, to) of bytecode indices, by method; each holds one call. */
    private final Map<String, int[]> ranges = new ConcurrentHashMap<>();

    /** CRC-32 of the class files as they were read, by internal name. */
    private final Map<String, Long> checksums = new ConcurrentHashMap<>();

    /** What the numbers of a method's sites mean: a checksum of the calls that are sites, by method. */
    private final Map<String, Integer> callsAtSites = new ConcurrentHashMap<>();

    /** Why a method, or one of its calls, cannot be captured: by method, or by method and line. */
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    private final Predicate<String> isProgram;

    /**
     * None yet.
     *
     * @param isProgram whether a class, by its internal name, is of the program
     */
    public CaptureSites(Predicate<String> isProgram) {
        this.isProgram = isProgram;
    }

    boolean isProgram(String internalName) {
        return isProgram.test(internalName);
    }

    /**
     * A method that can be captured.
     *
     * @param method {@code pkg/Class.name(descriptor)}
     * @param callRanges from, to, from, to …
     */
    public void add(String method, int... callRanges) {
        ranges.put(method, callRanges);
    }

    /** A class of the program has been loaded. */
    public void loaded(String internalName, long checksum) {
        checksums.put(internalName, checksum);
    }

    /** The sites of a method have been found: which calls they are depends on other classes, too. */
    public void numbered(String method, int checksumOfCalls) {
        callsAtSites.put(method, checksumOfCalls);
    }

    /** Why a method cannot be captured, or, with a line above 0, the calls in that line. */
    public void refuse(String method, int line, String reason) {
        refusals.put(line > 0 ? method + ":" + line : method, reason);
    }

    /** Whether a method can be captured at some of its calls. */
    public boolean isKnown(String method) {
        return ranges.containsKey(method);
    }

    /** What {@link #refuse} was told, by method, or method:line. */
    public Map<String, String> refusals() {
        return Map.copyOf(refusals);
    }

    /**
     * What must be the same for a frame of a method to go on: in the low half the CRC-32 of its class's file, in the high half
     * what its sites are; −1 if the class is not loaded.
     */
    long checksum(FrameRecord frame) {
        Long file = checksums.get(frame.owner());
        long calls = callsAtSites.getOrDefault(frame.method(), 0) & Integer.MAX_VALUE;
        return file == null ? -1 : calls << Integer.SIZE | file;
    }

    /** The CRC-32 of the class's file in what {@link #checksum} has given; −1 if it was not loaded. */
    static long file(long checksum) {
        return checksum < 0 ? checksum : checksum & FILE;
    }

    /** Whether a thread whose frame stands at this bytecode index can be taken apart. */
    boolean capturable(String method, int bytecodeIndex) {
        int[] known = ranges.get(method);
        if (known != null) {
            for (int i = 0; i < known.length; i += 2) {
                if (known[i] <= bytecodeIndex && bytecodeIndex < known[i + 1]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Why the agent has left out a method or a line of it. */
    @Nullable
    String refusal(String method, int line) {
        String ofLine = refusals.get(method + ":" + line);
        return ofLine != null ? ofLine : refusals.get(method);
    }
}
