package org.gridmpj.checkpoint;

import java.util.List;
import java.util.Map;
import sun.misc.Signal;

/** Signals to this process, which a JVM answers by its end unless somebody else does. */
public final class ProcessSignals {
    /** By these, batch systems announce the end of a job some time ahead. */
    public static final List<String> ANNOUNCEMENTS = List.of("USR1", "USR2");

    /** Sent to all processes of a job when it is to end, or is interrupted. */
    private static final List<String> TO_ALL = List.of("HUP", "INT", "TERM");

    /**
     * A JVM stops threads by SIGUSR2 (JFR does), and writes of each that it has not sent itself on the program's standard output:
     * in Linux this variable of HotSpot's has it use another signal.
     */
    private static final String JVM_SIGNAL = "_JAVA_SR_SIGNUM";

    /** One of the real-time signals, behind those that the C libraries use. */
    private static final String FREE_SIGNAL = "37";

    private ProcessSignals() {}

    /**
     * From here on this process outlasts what is sent to all processes of its job: its parent gets it, too, and decides. Children
     * do not inherit that.
     */
    static void leaveToParent() {
        TO_ALL.forEach(name -> handle(name, () -> {}));
        ANNOUNCEMENTS.stream()
                .filter(name -> !name.equals("USR2") || System.getenv(JVM_SIGNAL) != null)
                .forEach(name -> handle(name, () -> {}));
    }

    /** Adds to a new process's variables what it needs for {@link #leaveToParent}. */
    public static void prepare(Map<String, String> environment) {
        if (System.getProperty("os.name").equals("Linux")) {
            environment.putIfAbsent(JVM_SIGNAL, FREE_SIGNAL);
        }
    }

    /** Has a signal run an action, in a thread named {@code SIG… handler}; where it is not to be had, it goes on as it was. */
    public static void handle(String name, Runnable action) {
        try {
            Signal.handle(new Signal(name), signal -> action.run());
        } catch (IllegalArgumentException e) {
            // this system does not know it, or the JVM has it
        }
    }
}
