package org.gridmpj.capture.instrument;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.gridmpj.capture.frames.CaptureSites;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.Lambda;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.objectweb.asm.Type;

/**
 * What of a program can be captured, found without running it.
 *
 * @param captured methods that can be on the stack of a captured program: {@code pkg.Class.name(types)}
 * @param obstacles frames that can never be captured; a snapshot waits until none of them is on the stack
 */
public record CaptureCheck(List<String> captured, List<Obstacle> obstacles) {
    /**
     * A frame that cannot be captured.
     *
     * @param place method and line
     * @param reason why, and what to do about it
     */
    public record Obstacle(String place, String reason) {}

    public CaptureCheck {
        captured = List.copyOf(captured);
        obstacles = List.copyOf(obstacles);
    }

    /** Analyses the program on a class path, as the agent does when it runs. */
    public static CaptureCheck of(List<Path> classPath) {
        ClassHierarchy hierarchy = new ClassHierarchy(null);
        Map<String, byte[]> files = new HashMap<>();
        new ProgramPath(classPath).forEach((name, file) -> {
            if (hierarchy.addProgram(name, file)) {
                files.put(name, file);
            }
        });
        Substitutions.addLibrary(hierarchy);
        CallGraph graph = CallGraph.of(hierarchy);
        CaptureSites sites = new CaptureSites(hierarchy::isProgram);
        ClassInstrumenter instrumenter = new ClassInstrumenter(hierarchy, graph, sites);
        List<Obstacle> obstacles = new ArrayList<>();
        List<String> captured = new ArrayList<>();
        for (ClassInfo type : hierarchy.program()) {
            if (Substitutions.isLibrary(type.name())) {
                continue;
            }
            List<MethodInfo> suspendable = type.methods().values().stream()
                    .filter(method -> graph.isSuspendable(method.key())
                            && !method.signature().startsWith("mpj$"))
                    .toList();
            if (!suspendable.isEmpty()) {
                byte[] _ = instrumenter.frames(Objects.requireNonNull(files.get(type.name())));
            }
            for (MethodInfo method : suspendable) {
                if (method.signature().startsWith("<clinit>")) {
                    if (Initializers.methods(type).isEmpty()) {
                        obstacles.add(new Obstacle(
                                place(method, method.line()),
                                "the static initialiser of an enum or an interface makes MPI calls: make them from"
                                        + " main"));
                    }
                } else if (sites.isKnown(method.key())) {
                    captured.add(readable(method.key()));
                }
            }
            for (MethodInfo method : type.methods().values()) {
                callbacks(hierarchy, graph, method, obstacles);
            }
        }
        sites.refusals().forEach((place, reason) -> obstacles.add(new Obstacle(readablePlace(place), reason)));
        Collections.sort(captured);
        obstacles.sort(Comparator.comparing(Obstacle::place));
        return new CaptureCheck(captured, obstacles);
    }

    /** Lambdas with MPI calls that are handed to the JDK, whose frames are then in between. */
    private static void callbacks(
            ClassHierarchy hierarchy, CallGraph graph, MethodInfo method, List<Obstacle> obstacles) {
        for (Lambda lambda : method.lambdas()) {
            boolean suspends = graph.canSuspend(lambda);
            if (!suspends || lambda.nextCall() >= method.calls().size()) {
                continue;
            }
            Call user = graph.substitute(method.owner(), method.calls().get(lambda.nextCall()));
            String descriptor = user.signature().substring(user.signature().indexOf('('));
            boolean takes = false;
            for (Type argument : Type.getArgumentTypes(descriptor)) {
                takes |= argument.getSort() == Type.OBJECT
                        && argument.getInternalName().equals(lambda.type());
            }
            if (takes
                    && !hierarchy.isProgram(user.owner())
                    && !hierarchy.isFacade(user.owner())
                    && !isLedStream(hierarchy, method, user)
                    && !ThreadBodies.isConstruction(hierarchy, user)
                    && Substitutions.everywhere(hierarchy, method.owner(), user) == null
                    && !Substitutions.isToPool(hierarchy, user)) {
                String called = user.owner().replace('/', '.') + "." + user.name();
                obstacles.add(new Obstacle(
                        place(method, lambda.line()),
                        "a lambda that makes MPI calls is handed to " + called.replace(".<init>", "")
                                + ", whose frame cannot be captured: write a loop of your own, or make the calls in the"
                                + " thread that runs main"));
            }
        }
    }

    /** Whether a stream's operation, or a collector, is ours: its source is in the same method, and nothing makes it parallel. */
    private static boolean isLedStream(ClassHierarchy hierarchy, MethodInfo method, Call operation) {
        return (hierarchy.isSubtype(operation.owner(), "java/util/stream/BaseStream")
                        || Substitutions.isCollector(hierarchy, operation))
                && method.calls().stream()
                        .anyMatch(call -> !Substitutions.isCollector(hierarchy, call)
                                && Substitutions.source(hierarchy, call) != null)
                && method.calls().stream().noneMatch(call -> call.name().startsWith("parallel"));
    }

    private static String place(MethodInfo method, int line) {
        return readable(method.key()) + (line > 0 ? " line " + line : "");
    }

    /** {@code a/B.m(I)V} or {@code a/B.m(I)V:12}. */
    private static String readablePlace(String place) {
        int colon = place.lastIndexOf(':');
        return colon < 0
                ? readable(place)
                : readable(place.substring(0, colon)) + " line " + place.substring(colon + 1);
    }

    private static String readable(String method) {
        int brace = method.indexOf('(');
        List<String> types = new ArrayList<>();
        for (Type argument : Type.getArgumentTypes(method.substring(brace))) {
            String name = argument.getClassName();
            types.add(name.substring(name.lastIndexOf('.') + 1));
        }
        return method.substring(0, brace).replace('/', '.') + "(" + String.join(", ", types) + ")";
    }
}
