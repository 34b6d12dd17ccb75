package org.gridmpj.runtime;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The agent that captures a program as it is, loaded by its rank itself. A JVM that is started with an agent
 * ({@code -javaagent}) refuses a start-up cache and the JDK's own archive of linked classes, which doubles the time of its start;
 * one that gets it a moment later has both.
 */
public final class CaptureAgent {
    private static final String JAR_PROPERTY = "gridmpj.agent";
    private static final String ARGUMENT_PROPERTY = "gridmpj.agent.argument";
    /** The JDK's module that loads agents; a runtime image of one's own may be without it. */
    private static final String MODULE = "jdk.attach";

    /** Where JVMs on Linux listen for tools, whatever java.io.tmpdir says. */
    private static final String UNIX_FOLDER = "/tmp";

    private CaptureAgent() {}

    /**
     * Options of a rank's JVM by which {@link #load} loads an agent.
     *
     * @param jar of the agent
     * @param argument that it gets
     */
    public static List<String> options(String jar, String argument) {
        return List.of(
                // there from the start: else the JVM that is to load it looks for it every 100 ms
                "-XX:+StartAttachListener",
                "-XX:+EnableDynamicAgentLoading",
                "-Djdk.attach.allowAttachSelf=true",
                "-D" + JAR_PROPERTY + "=" + jar,
                "-D" + ARGUMENT_PROPERTY + "=" + argument);
    }

    /**
     * Whether a rank's JVM can load an agent by itself, if it is of this process's JDK.
     *
     * @param jvmOptions that it gets beside {@link #options}
     */
    public static boolean isLoadable(List<String> jvmOptions) {
        return ModuleLayer.boot().findModule(MODULE).isPresent()
                && jvmOptions.stream().noneMatch(option -> option.equals("-XX:+DisableAttachMechanism"));
    }

    /** Loads the agent that {@link #options} name; nothing without them. */
    static void load() throws IOException {
        String jar = System.getProperty(JAR_PROPERTY);
        if (jar == null) {
            return;
        }
        long pid = ProcessHandle.current().pid();
        try {
            VirtualMachine self = VirtualMachine.attach(String.valueOf(pid));
            try {
                self.loadAgent(jar, System.getProperty(ARGUMENT_PROPERTY, ""));
            } finally {
                self.detach();
            }
            removeSocket(pid);
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException | IOException e) {
            throw new IOException(
                    "it cannot load the agent that captures its program, " + jar + ": " + e.getMessage(), e);
        }
    }

    /** A process that is killed would leave it behind. The JVM makes another one when a tool of the JDK asks for it. */
    private static void removeSocket(long pid) throws IOException {
        for (String folder : List.of(UNIX_FOLDER, System.getProperty("java.io.tmpdir"))) {
            Files.deleteIfExists(Path.of(folder, ".java_pid" + pid));
        }
    }
}
