package org.gridmpj.runtime;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * What a launched rank learns from its environment variables before it has a connection to its parent. The secret is not
 * among them: it stands in the owner-only file {@value #SECRET_FILE} of the job folder.
 *
 * <table>
 *   <caption>Variables</caption>
 *   <tr><td>GRIDMPJ_CONTROL</td><td>host:port of the parent's control connection; without it the JVM is no launched rank</td></tr>
 *   <tr><td>GRIDMPJ_RANK</td><td>world rank</td></tr>
 *   <tr><td>GRIDMPJ_SIZE</td><td>number of ranks</td></tr>
 *   <tr><td>GRIDMPJ_INCARNATION</td><td>how often this rank was started before</td></tr>
 *   <tr><td>GRIDMPJ_JOB_DIR</td><td>the job folder</td></tr>
 *   <tr><td>GRIDMPJ_BIND</td><td>address that the transport binds; default 127.0.0.1</td></tr>
 *   <tr><td>GRIDMPJ_TRANSPORT</td><td>gridtcp or java</td></tr>
 *   <tr><td>GRIDMPJ_LINK</td><td>auto, shm or tcp</td></tr>
 *   <tr><td>GRIDMPJ_CHECKPOINT</td><td>interval such as 1s, or auto; empty when off</td></tr>
 *   <tr><td>GRIDMPJ_CHECKPOINT_DIR</td><td>folder of this job's snapshots; empty when off</td></tr>
 *   <tr><td>GRIDMPJ_ARGS</td><td>layout of main's arguments: mpjexpress, mpijava or clean</td></tr>
 *   <tr><td>GRIDMPJ_STACK</td><td>bytes of stack of the program's main thread; 0 leaves it to the JVM's -Xss</td></tr>
 *   <tr><td>GRIDMPJ_SPARE</td><td>set if this process waits until its rank needs another one; it prepares for that</td></tr>
 *   <tr><td>GRIDMPJ_TRANSPORT_OPTIONS</td><td>further settings of the transport, as name=value,name=value; mpjrun hands on its
 *   own</td></tr>
 * </table>
 *
 * @param control where the parent listens
 * @param checkpoint interval as the user wrote it, or empty
 * @param checkpointDir folder of the job's snapshots, or null when checkpoints are off
 * @param stackBytes stack of the thread that runs the program's main
 */
public record RankEnvironment(
        InetSocketAddress control,
        int worldRank,
        int size,
        int incarnation,
        Path jobDir,
        String bindHost,
        String transport,
        String link,
        String checkpoint,
        @Nullable Path checkpointDir,
        ArgsLayout argsLayout,
        long stackBytes) {

    /** Name of the file with the job's secret, in the job folder. */
    public static final String SECRET_FILE = "secret";

    /** Variable with further settings of the transport. */
    public static final String TRANSPORT_OPTIONS = "GRIDMPJ_TRANSPORT_OPTIONS";

    /** Variable of a process that waits until its rank needs another one. */
    public static final String SPARE = "GRIDMPJ_SPARE";

    /** The default stack of a program's main thread: deep recursion is common in programs of 1999. */
    public static final long DEFAULT_STACK_BYTES = 64L << 20;

    /** The rank that these variables describe, or empty if they name no parent. */
    public static Optional<RankEnvironment> of(Map<String, String> variables) {
        String control = variables.get("GRIDMPJ_CONTROL");
        if (control == null || control.isEmpty()) {
            return Optional.empty();
        }
        int colon = control.lastIndexOf(':');
        if (colon < 1) {
            throw wrong("GRIDMPJ_CONTROL", control, null);
        }
        String checkpointDir = variables.getOrDefault("GRIDMPJ_CHECKPOINT_DIR", "");
        try {
            return Optional.of(new RankEnvironment(
                    new InetSocketAddress(control.substring(0, colon), Integer.parseInt(control.substring(colon + 1))),
                    number(variables, "GRIDMPJ_RANK"),
                    number(variables, "GRIDMPJ_SIZE"),
                    number(variables, "GRIDMPJ_INCARNATION"),
                    Path.of(variables.getOrDefault("GRIDMPJ_JOB_DIR", ".")),
                    variables.getOrDefault("GRIDMPJ_BIND", "127.0.0.1"),
                    variables.getOrDefault("GRIDMPJ_TRANSPORT", "gridtcp"),
                    variables.getOrDefault("GRIDMPJ_LINK", "auto"),
                    variables.getOrDefault("GRIDMPJ_CHECKPOINT", ""),
                    checkpointDir.isEmpty() ? null : Path.of(checkpointDir),
                    ArgsLayout.of(variables.getOrDefault("GRIDMPJ_ARGS", ArgsLayout.CLEAN.word())),
                    Long.parseLong(variables.getOrDefault("GRIDMPJ_STACK", Long.toString(DEFAULT_STACK_BYTES)))));
        } catch (IllegalArgumentException e) {
            throw wrong("GRIDMPJ_…", String.valueOf(e.getMessage()), e);
        }
    }

    /** @throws MpiFailure if the text is not of the form name=value,name=value */
    public static void checkTransportOptions(String text) {
        Map<String, String> _ = transportOptions("", Map.of(TRANSPORT_OPTIONS, text));
    }

    /**
     * The settings that a transport is given.
     *
     * @throws MpiFailure if GRIDMPJ_TRANSPORT_OPTIONS is not of the form name=value,name=value
     */
    static Map<String, String> transportOptions(String link, Map<String, String> variables) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("link", link);
        String text = variables.getOrDefault(TRANSPORT_OPTIONS, "");
        for (String option : text.split(",", 0)) {
            int equals = option.indexOf('=');
            if (equals > 0) {
                options.put(
                        option.substring(0, equals).strip(),
                        option.substring(equals + 1).strip());
            } else if (!option.isBlank()) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "the environment variable GRIDMPJ_TRANSPORT_OPTIONS wants name=value,name=value, not \"" + text
                                + "\"");
            }
        }
        return options;
    }

    private static int number(Map<String, String> variables, String name) {
        String value = variables.getOrDefault(name, "");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw wrong(name, value, e);
        }
    }

    private static MpiFailure wrong(String name, String value, @Nullable Exception cause) {
        return new MpiFailure(
                ErrorClass.ARG,
                "the environment variable " + name + " of this process is wrong (\"" + value
                        + "\"): these variables are set by mpjrun and by nobody else",
                cause);
    }

    /** The variables that {@link #of} reads back. */
    public Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("GRIDMPJ_CONTROL", control.getHostString() + ":" + control.getPort());
        variables.put("GRIDMPJ_RANK", Integer.toString(worldRank));
        variables.put("GRIDMPJ_SIZE", Integer.toString(size));
        variables.put("GRIDMPJ_INCARNATION", Integer.toString(incarnation));
        variables.put("GRIDMPJ_JOB_DIR", jobDir.toString());
        variables.put("GRIDMPJ_BIND", bindHost);
        variables.put("GRIDMPJ_TRANSPORT", transport);
        variables.put("GRIDMPJ_LINK", link);
        variables.put("GRIDMPJ_CHECKPOINT", checkpoint);
        variables.put("GRIDMPJ_CHECKPOINT_DIR", checkpointDir == null ? "" : checkpointDir.toString());
        variables.put("GRIDMPJ_ARGS", argsLayout.word());
        variables.put("GRIDMPJ_STACK", Long.toString(stackBytes));
        return variables;
    }
}
