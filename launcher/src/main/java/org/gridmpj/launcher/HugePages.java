package org.gridmpj.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The heap of a rank in transparent huge pages, where Linux gives them to those that ask: new objects and large arrays cost fewer
 * misses of the TLB and fewer page faults. A JVM that asks in vain says so on its output, so it is told only where there are some.
 */
final class HugePages {
    private static final Path ENABLED = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final List<String> OPTIONS = List.of("-XX:+UseTransparentHugePages");

    private HugePages() {}

    /**
     * Options for a JVM of this host.
     *
     * @param jvmOptions what else it gets from the user, who may have chosen already
     */
    static List<String> options(List<String> jvmOptions) {
        return options(ENABLED, Stream.concat(jvmOptions.stream(), ofEnvironment()));
    }

    static List<String> options(Path enabled, Stream<String> jvmOptions) {
        // ZGC's heap is shared memory, for which there is another switch
        boolean decided = jvmOptions.anyMatch(
                option -> option.contains("HugePages") || option.contains("LargePages") || option.contains("UseZGC"));
        return decided || !areGiven(enabled) ? List.of() : OPTIONS;
    }

    private static Stream<String> ofEnvironment() {
        return Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
                .map(name -> System.getenv().getOrDefault(name, ""));
    }

    private static boolean areGiven(Path enabled) {
        try {
            String states = Files.readString(enabled);
            return states.contains("[madvise]") || states.contains("[always]");
        } catch (IOException e) {
            // another system than Linux, or a kernel without them
            return false;
        }
    }
}
