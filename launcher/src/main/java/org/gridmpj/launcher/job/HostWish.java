package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.hosts.AgentRegistration;

/**
 * What the user wrote behind {@code --hosts}: names, in the order in which they are filled, each with a number of slots or
 * 0 for as many as its agent offers.
 */
public record HostWish(SequencedMap<String, Integer> slots) {
    /** Stands for all hosts that are registered. */
    public static final String ALL = "*";

    /**
     * Reads {@code a:4,b:4}, {@code a,b}, or {@value #ALL}.
     *
     * @param option named in the message when the text is wrong
     */
    public static HostWish of(String option, String text) {
        SequencedMap<String, Integer> slots = new LinkedHashMap<>();
        for (String host : text.equals(ALL) ? List.<String>of() : List.of(text.split(",", -1))) {
            String[] parts = host.strip().split(":", -1);
            boolean numbered = parts.length == 2 && parts[1].matches("[1-9]\\d{0,5}");
            if (parts[0].isEmpty() || (!numbered && parts.length != 1)) {
                throw UserError.usage(option + " wants NAME:SLOTS,NAME:SLOTS, not \"" + text + "\"");
            }
            slots.merge(parts[0], numbered ? Integer.parseInt(parts[1]) : 0, Integer::sum);
        }
        return new HostWish(slots);
    }

    /**
     * Reads a host file as other MPI systems have it: a line for each host, {@code name}, {@code name:4} or {@code name
     * slots=4}; empty lines and what follows a # do not count.
     *
     * @return the same as for --hosts
     */
    public static String ofFile(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw UserError.usage("--hostfile " + file + " cannot be read: " + e.getMessage());
        }
        List<String> hosts = lines.stream()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .map(line -> line.replaceFirst("\\s+slots\\s*=\\s*", ":"))
                .toList();
        if (hosts.isEmpty()) {
            throw UserError.usage("--hostfile " + file + " names no host");
        }
        return String.join(",", hosts);
    }

    /** Whether a host is wished for. */
    boolean includes(String host) {
        return slots.isEmpty() || slots.containsKey(host);
    }

    /** Ranks that may be placed on a host. */
    int slots(AgentRegistration agent) {
        int wished = slots.getOrDefault(agent.host(), 0);
        return wished > 0 ? wished : agent.slots();
    }
}
