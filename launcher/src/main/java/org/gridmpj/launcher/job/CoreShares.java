package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.gridmpj.runtime.MpiProcess;

/**
 * Binds each rank of a local job to its share of the cores, when there is at least one for each. Left to itself the system
 * puts two ranks that wait for each other on one core now and then, where a message takes ten times as long, and leaves
 * them there until its next balancing, tens of milliseconds later.
 *
 * <p>Shares are runs of cores in the order of packages, cores and their threads: 2 ranks on 8 cores have 4 each, and the
 * threads of a core belong to one rank if there are enough cores. A rank's JVM sees its share as its processors.
 *
 * @param cores ids of the processors that the launcher may use, in that order; empty: ranks are not bound
 * @param tool {@code taskset}
 */
public record CoreShares(List<Integer> cores, Path tool) {
    /** Variable of a job's request: {@code none} leaves the placing of ranks to the system. */
    public static final String VARIABLE = "GRIDMPJ_BIND_TO";

    public static final String NONE = "none";

    /** Ranks run where the system puts them. */
    static final CoreShares UNBOUND = new CoreShares(List.of(), Path.of(""));

    private static final List<Path> TOOLS = List.of(Path.of("/usr/bin/taskset"), Path.of("/bin/taskset"));
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path PROCESSORS = Path.of("/sys/devices/system/cpu");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** For ranks of this host; without shares where the system, or a limit of processor time, allows none. */
    static CoreShares of(int ranks) {
        if (ranks == 1 || ranks > Runtime.getRuntime().availableProcessors()) {
            return UNBOUND;
        }
        for (Path tool : TOOLS) {
            if (Files.isExecutable(tool)) {
                List<Integer> cores = allowed();
                return cores.size() < ranks ? UNBOUND : new CoreShares(cores, tool);
            }
        }
        return UNBOUND;
    }

    private static List<Integer> allowed() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(ALLOWED)) {
                    List<Integer> cores = parse(line.substring(ALLOWED.length()).strip());
                    cores.sort(Comparator.comparingLong(CoreShares::place));
                    return cores;
                }
            }
        } catch (IOException | NumberFormatException e) {
            // no such system: ranks run where it puts them
        }
        return List.of();
    }

    /** Of the kernel's notation, e.g. {@code 0-3,8}. */
    static List<Integer> parse(String list) {
        List<Integer> cores = new ArrayList<>();
        for (String range : list.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }

    /** Sorts threads of one core side by side, cores of one package too. */
    private static long place(int core) {
        return (long) topology(core, "physical_package_id") << 32 | topology(core, "core_id") << 16 | core;
    }

    private static int topology(int core, String what) {
        try {
            String text = Files.readString(PROCESSORS.resolve("cpu" + core + "/topology/" + what))
                    .strip();
            return Math.clamp(Integer.parseInt(text), 0, Short.MAX_VALUE);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** The cores of one of so many ranks. */
    List<Integer> share(int rank, int ranks) {
        int from = (int) ((long) rank * cores.size() / ranks);
        int to = (int) ((rank + 1L) * cores.size() / ranks);
        return cores.subList(from, to);
    }

    /** What stands before a rank's command. */
    List<String> prefix(int rank, int ranks) {
        return cores.isEmpty()
                ? List.of()
                : List.of(
                        tool.toString(),
                        "-c",
                        share(rank, ranks).stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    /** Options of a rank's JVM: how many processors all ranks have together, which it does not see. */
    List<String> options() {
        return cores.isEmpty() ? List.of() : List.of("-D" + MpiProcess.CORES_PROPERTY + "=" + cores.size());
    }
}
