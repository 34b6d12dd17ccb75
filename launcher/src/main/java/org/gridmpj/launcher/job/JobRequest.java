package org.gridmpj.launcher.job;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for, checked: enough to start the job, and to start it again after its launcher was killed.
 *
 * @param program what to run
 * @param userArgs the program's own arguments
 * @param size number of ranks
 * @param checkpoint interval as written, or empty when off
 * @param checkpointDir where snapshots go, or null for the job folder
 * @param transparent whether the program is captured as it is, by the agent; otherwise it takes its snapshots itself
 * @param restart whether the job comes back from the death of a rank
 * @param jvmOptions further options of the ranks' JVMs
 * @param variables further environment variables of the ranks
 * @param workingFolder of the ranks
 * @param timeout of the whole job, or null
 * @param hosts as {@link HostWish} reads it, or empty for this host
 */
public record JobRequest(
        Program program,
        List<String> userArgs,
        int size,
        String transport,
        String link,
        String checkpoint,
        @Nullable Path checkpointDir,
        boolean transparent,
        boolean restart,
        ArgsLayout argsLayout,
        List<String> jvmOptions,
        Map<String, String> variables,
        Path workingFolder,
        boolean tagOutput,
        @Nullable Duration timeout,
        String zookeeper,
        String hosts,
        boolean verbose) {

    /** Among the variables if snapshots are to be drilled. */
    public static final String DRILL = "GRIDMPJ_DRILL";

    /** Among the variables, with the value "local", if only the failed rank is to go back. */
    public static final String FAULT_TOLERANCE = "GRIDMPJ_FT";

    /** Among the variables if the job is to end with its first snapshot. */
    public static final String TRIAL = "GRIDMPJ_TRIAL";

    public JobRequest {
        userArgs = List.copyOf(userArgs);
        jvmOptions = List.copyOf(jvmOptions);
        variables = Map.copyOf(variables);
    }

    /** The same over these hosts. */
    JobRequest over(String otherHosts) {
        return new JobRequest(
                program,
                userArgs,
                size,
                transport,
                link,
                checkpoint,
                checkpointDir,
                transparent,
                restart,
                argsLayout,
                jvmOptions,
                variables,
                workingFolder,
                tagOutput,
                timeout,
                zookeeper,
                otherHosts,
                verbose);
    }

    /** Whether the ranks run under agents. */
    public boolean hosted() {
        return !hosts.isEmpty();
    }

    /** Whether a rank that has died goes back alone where that is possible. */
    public boolean returnsAlone() {
        return "local".equals(variables.get(FAULT_TOLERANCE));
    }

    /** Whether the job only shows that a snapshot can be taken. */
    public boolean isTrial() {
        return variables.containsKey(TRIAL);
    }

    /** Whether snapshots are taken. */
    public boolean checkpoints() {
        return !checkpoint.isEmpty();
    }

    /** As a document of the job folder, and for agents. */
    public Map<String, @Nullable Object> toJson() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("mainClass", program.mainClass());
        json.put("classPath", program.classPath().stream().map(Path::toString).toList());
        json.put("display", program.display());
        json.put("args", userArgs);
        json.put("size", size);
        json.put("transport", transport);
        json.put("link", link);
        json.put("checkpoint", checkpoint);
        json.put("checkpointDir", checkpointDir == null ? null : checkpointDir.toString());
        json.put("transparent", transparent);
        json.put("restart", restart);
        json.put("argsLayout", argsLayout.word());
        json.put("jvmOptions", jvmOptions);
        json.put("variables", variables);
        json.put("workingFolder", workingFolder.toString());
        json.put("tagOutput", tagOutput);
        json.put("timeoutMillis", timeout == null ? null : timeout.toMillis());
        json.put("zookeeper", zookeeper);
        json.put("hosts", hosts);
        json.put("verbose", verbose);
        return json;
    }

    /** Reads what {@link #toJson} wrote; throws IllegalArgumentException for a damaged document. */
    @SuppressWarnings("unchecked") // lists and maps of strings, as toJson wrote them
    public static JobRequest fromJson(Map<String, @Nullable Object> json) {
        List<String> classPath = required(json, "classPath", List.class);
        Object checkpointDir = json.get("checkpointDir");
        Object timeoutMillis = json.get("timeoutMillis");
        return new JobRequest(
                new Program(
                        required(json, "mainClass", String.class),
                        classPath.stream().map(Path::of).toList(),
                        required(json, "display", String.class)),
                required(json, "args", List.class),
                required(json, "size", Long.class).intValue(),
                required(json, "transport", String.class),
                required(json, "link", String.class),
                required(json, "checkpoint", String.class),
                checkpointDir == null ? null : Path.of(checkpointDir.toString()),
                required(json, "transparent", Boolean.class),
                required(json, "restart", Boolean.class),
                ArgsLayout.of(required(json, "argsLayout", String.class)),
                required(json, "jvmOptions", List.class),
                required(json, "variables", Map.class),
                Path.of(required(json, "workingFolder", String.class)),
                required(json, "tagOutput", Boolean.class),
                timeoutMillis instanceof Long millis ? Duration.ofMillis(millis) : null,
                required(json, "zookeeper", String.class),
                required(json, "hosts", String.class),
                required(json, "verbose", Boolean.class));
    }

    private static <T> T required(Map<String, @Nullable Object> json, String key, Class<T> type) {
        Object value = json.get(key);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("member " + key + " is " + value);
        }
        return type.cast(value);
    }
}
