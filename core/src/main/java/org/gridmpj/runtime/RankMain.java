package org.gridmpj.runtime;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.snapshot.CheckpointHook;
import org.gridmpj.snapshot.ProgramRunners;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of a launched rank: {@code java … org.gridmpj.runtime.RankMain Program userArgs…}.
 *
 * <p>The control connection comes first, so that from its first moment this process can be no orphan and its end has a
 * reason. The program's main then runs in a thread named "main" with a large stack. As with {@code java}, the process
 * ends when main and all threads that are no daemons have; an exception that main throws ends it, and the job, at once.
 */
public final class RankMain {
    private static final int UNCAUGHT_EXIT_CODE = 1;
    private static final int WRONG_START_EXIT_CODE = 2;

    /** Why this process ends has been reported: its exit is no decision of the program's beside that. */
    private static volatile boolean failed;

    private static volatile Runnable beforeExit = () -> {};

    private RankMain() {}

    /** What is done before a process ends whose program has not called MPI.Finalize; not if a signal ends it. */
    static void beforeExit(Runnable action) {
        beforeExit = action;
    }

    public static void main(String[] argv) {
        try {
            CaptureAgent.load();
        } catch (IOException e) {
            System.err.println("this rank cannot be captured: " + e.getMessage());
            System.exit(UNCAUGHT_EXIT_CODE);
        }
        RankEnvironment environment;
        ParentConnection parent;
        JobSecret secret;
        try {
            environment = RankEnvironment.of(System.getenv()).orElse(null);
            if (environment == null || argv.length == 0) {
                System.err.println("RankMain is started by mpjrun: mpjrun -np 4 Program arguments…");
                System.exit(WRONG_START_EXIT_CODE);
                return;
            }
            if (System.getenv(RankEnvironment.SPARE) != null) {
                int worldRank = environment.worldRank();
                ServiceLoader.load(CheckpointHook.class).findFirst().ifPresent(hook -> hook.rehearse(worldRank));
            }
            secret = JobSecret.read(environment.jobDir().resolve(RankEnvironment.SECRET_FILE));
            parent = ParentConnection.open(
                    environment.control(),
                    secret,
                    environment.worldRank(),
                    environment.incarnation(),
                    code -> Runtime.getRuntime().halt(code),
                    false);
        } catch (IOException | MpiFailure e) {
            System.err.println("this rank cannot reach its launcher: " + e.getMessage());
            System.exit(UNCAUGHT_EXIT_CODE);
            return;
        }
        ProgramOutput.install();
        String program = argv[0];
        List<String> userArgs = Arrays.asList(argv).subList(1, argv.length);
        Bootstrap.launched(
                new RankContext(
                        parent,
                        environment.worldRank(),
                        environment.incarnation(),
                        secret,
                        environment.transport(),
                        environment.bindHost(),
                        RankEnvironment.transportOptions(environment.link(), System.getenv()),
                        environment.checkpoint(),
                        environment.checkpointDir()),
                userArgs);
        String[] args = environment
                .argsLayout()
                .arrange(program, environment.worldRank(), environment.size(), environment.transport(), userArgs);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> reportExit(parent), "gridmpj-exit"));
        new Thread(null, () -> run(program, args, parent), "main", environment.stackBytes()).start();
    }

    /**
     * System.exit or the end of the last thread: the process status carries the code, this message that the program
     * wanted it. A signal runs the same hooks, but in a thread that the JVM names after it.
     */
    private static void reportExit(Parent parent) {
        boolean signal = Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().matches("SIG[A-Z]+ handler"));
        if (!signal) {
            // first: what the program has printed may wait for the same
            beforeExit.run();
        }
        ProgramOutput.flush();
        if (!signal && !failed) {
            parent.report(new ControlMessage.Ending(ControlMessage.EndKind.EXIT, -1, ""));
        }
    }

    private static void run(String program, String[] args, Parent parent) {
        try {
            entry(program, args);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause() == null ? e : e.getCause();
            System.err.print("Exception in thread \"main\" ");
            thrown.printStackTrace();
            fail(parent, headline(thrown));
        } catch (MpiFailure e) {
            // main has not begun: its snapshot cannot be taken back
            fail(parent, String.valueOf(e.getMessage()));
        } catch (ReflectiveOperationException | LinkageError e) {
            fail(parent, "the program cannot start: " + e);
        }
    }

    private static void fail(Parent parent, String why) {
        ProgramOutput.flush();
        failed = true;
        parent.report(new ControlMessage.Ending(ControlMessage.EndKind.UNCAUGHT, UNCAUGHT_EXIT_CODE, why));
        System.exit(UNCAUGHT_EXIT_CODE);
    }

    /** Exception, message and the first line of the program's own that is on the stack. */
    static String headline(Throwable thrown) {
        String where = Arrays.stream(thrown.getStackTrace())
                .filter(frame -> !frame.getClassName().matches("(java|jdk|javax|sun|mpi|mpj|org\\.gridmpj)\\..*"))
                .findFirst()
                .map(frame -> " at " + frame)
                .orElse("");
        return thrown + where;
    }

    /** Runs main as {@code java} finds it: static or not, with or without arguments (JLS 12.1.4). */
    private static void entry(String program, String[] args) throws ReflectiveOperationException {
        Class<?> type = Class.forName(program, false, ClassLoader.getSystemClassLoader());
        Method withArgs = find(type, String[].class);
        Method main = withArgs != null ? withArgs : find(type);
        if (main == null) {
            throw new NoSuchMethodException("class " + program + " has no method main(String[] args)");
        }
        main.setAccessible(true);
        boolean isStatic = Modifier.isStatic(main.getModifiers());
        Object[] arguments = withArgs != null ? new Object[] {args} : new Object[0];
        ProgramRunners.current().run(main, () -> isStatic ? null : instance(type), arguments);
    }

    private static Object instance(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static @Nullable Method find(Class<?> type, Class<?>... parameters) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            try {
                Method method = declaring.getDeclaredMethod("main", parameters);
                if (!Modifier.isPrivate(method.getModifiers())) {
                    return method;
                }
            } catch (NoSuchMethodException e) {
                // the superclass may have it
            }
        }
        return null;
    }
}
