package org.gridmpj.capture.instrument;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.Lambda;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.objectweb.asm.Opcodes;

/**
 * Which of the program's methods can reach an MPI call, by class-hierarchy analysis (Dean, Grove, Chambers: ECOOP 1995):
 * a virtual call may reach each method of its name in a class above or below the receiver's type; a call of a functional
 * interface's method each lambda that was made for it. Too many are found rather than too few; a method that is not found
 * costs nothing at run time.
 *
 * <p>Immutable once made.
 */
final class CallGraph {
    /** Names of the facade that are no capture points in any dialect: they neither wait nor communicate. */
    private static final Set<String> LOCAL = Set.of(
            "Rank",
            "Size",
            "Wtime",
            "Wtick",
            "Get_processor_name",
            "Initialized",
            "Get_count",
            "Get_elements",
            "Is_null");

    /** Classes of the facade that only hold values. */
    private static final Set<String> VALUES = Set.of(
            "mpi/Status",
            "mpi/MPIException",
            "mpi/ShiftParms",
            "mpi/CartParms",
            "mpi/GraphParms",
            "mpj/Status",
            "mpj/MPJException",
            "mpj/DataLoc",
            "mpj/Locations");

    private static final String INIT = Initializers.INIT + Initializers.VOID;

    private final ClassHierarchy hierarchy;

    /** Methods that reach an MPI call: owner.name(descriptor). */
    private final Set<String> suspendable = new HashSet<>();

    /** Classes that have or inherit a suspendable method, by its signature. */
    private final Map<String, Set<String>> dispatch = new HashMap<>();

    /** Those and functional interfaces with a suspendable lambda, and all types above them, by signature of the method. */
    private final Map<String, Set<String>> above = new HashMap<>();

    /** Functional interfaces with a suspendable lambda, by signature of their method. */
    private final Map<String, Set<String>> lambdaTypes = new HashMap<>();

    /** Whether the program makes reflective calls, which may reach any of its methods. */
    private boolean reflective;

    private CallGraph(ClassHierarchy hierarchy) {
        this.hierarchy = hierarchy;
    }

    /** Analyses the program that the hierarchy holds. */
    static CallGraph of(ClassHierarchy hierarchy) {
        CallGraph graph = new CallGraph(hierarchy);
        graph.new Analysis().run();
        return graph;
    }

    /** Whether methods are to be reached by reflection. */
    boolean isReflective() {
        return reflective;
    }

    /** The call that is to stand in the place of one that the JDK's frames would be in; the call itself if none. */
    Call substitute(String caller, Call call) {
        Call wrapper = ReflectionBridges.of(caller, call);
        if (wrapper != null) {
            return wrapper;
        }
        Call substitute = Substitutions.of(hierarchy, caller, call);
        return substitute == null ? call : substitute;
    }

    /** Whether a method hands a stream code that can suspend. */
    boolean streamsSuspendably(MethodInfo method) {
        return !Substitutions.isLibrary(method.owner())
                && Substitutions.inStreams(method).stream().anyMatch(this::canSuspend);
    }

    /** Whether a capture can happen in what a lambda calls. */
    boolean canSuspend(Lambda lambda) {
        String target = lambda.targetSignature();
        return suspendable.contains(lambda.targetOwner() + "." + target)
                || canSuspend(
                        Opcodes.INVOKEVIRTUAL, lambda.targetOwner(), target.substring(0, target.indexOf('(')), target);
    }

    /** Whether frames of a class can be on the stack of a captured program. */
    boolean hasFrames(ClassInfo type) {
        return type.methods().values().stream()
                .anyMatch(method ->
                        isSuspendable(method.key()) || isReachedByReflection(method) || streamsSuspendably(method));
    }

    /** Whether a bridge for reflective calls of a method is needed. */
    boolean isReachedByReflection(MethodInfo method) {
        String signature = method.signature();
        return reflective
                && !Substitutions.isLibrary(method.owner())
                && !signature.startsWith("<clinit>")
                && !signature.startsWith("mpj$")
                && (isSuspendable(method.key())
                        || ((method.access() & Opcodes.ACC_ABSTRACT) != 0
                                && canSuspend(
                                        Opcodes.INVOKEVIRTUAL,
                                        method.owner(),
                                        signature.substring(0, signature.indexOf('(')),
                                        signature)));
    }

    boolean isSuspendable(String method) {
        return suspendable.contains(method);
    }

    Set<String> suspendable() {
        return Set.copyOf(suspendable);
    }

    /** Whether a call goes straight into the facade, to an operation that may be a capture point. */
    boolean isMpiCall(String owner, String name) {
        if (owner.equals(Emit.POINT)) {
            return name.equals("poll");
        }
        String at = owner;
        while (hierarchy.isProgram(at)) {
            String above = hierarchy.get(at).superName();
            if (above == null) {
                return false;
            }
            at = above;
        }
        return !name.startsWith("<")
                && hierarchy.isFacade(at)
                && !LOCAL.contains(name)
                && !VALUES.contains(at)
                && !name.equals("toString")
                && !name.equals("equals")
                && !name.equals("hashCode");
    }

    /** Whether a capture can happen while this call is under way. */
    boolean canSuspend(int opcode, String owner, String name, String signature) {
        if (name.equals("<init>")) {
            return suspendable.contains(owner + "." + signature);
        }
        if (owner.startsWith("[")) {
            return false;
        }
        MethodInfo found = hierarchy.resolve(owner, ThreadBodies.written(signature));
        if (found == null && isMpiCall(owner, name)) {
            return true;
        }
        if (opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL) {
            return found != null && suspendable.contains(found.key());
        }
        if (above.getOrDefault(signature, Set.of()).contains(owner)) {
            return true;
        }
        Set<String> types = dispatch.get(signature);
        if (types != null) {
            for (String type : hierarchy.supertypes(owner)) {
                if (types.contains(type)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void addAbove(String signature, String type) {
        Set<String> all = above.computeIfAbsent(signature, key -> new HashSet<>());
        all.addAll(hierarchy.supertypes(type));
        all.add(ClassHierarchy.OBJECT);
    }

    private boolean addLambdaType(String signature, String type) {
        if (!lambdaTypes.computeIfAbsent(signature, key -> new HashSet<>()).add(type)) {
            return false;
        }
        addAbove(signature, type);
        return true;
    }

    /** The fixed point, from the MPI calls up to their callers. */
    private final class Analysis {
        /** Calls by signature, with the methods that make them. */
        private final Map<String, List<Edge>> callers = new HashMap<>();

        private final Map<String, List<Lambda>> lambdasByTarget = new HashMap<>();
        private final Map<String, List<String>> subclasses = new HashMap<>();
        private final ArrayDeque<MethodInfo> open = new ArrayDeque<>();

        private record Edge(MethodInfo caller, Call call) {}

        void run() {
            for (ClassInfo type : hierarchy.program()) {
                if (type.superName() != null) {
                    subclasses
                            .computeIfAbsent(type.superName(), key -> new ArrayList<>())
                            .add(type.name());
                }
                type.interfaces()
                        .forEach(each -> subclasses
                                .computeIfAbsent(each, key -> new ArrayList<>())
                                .add(type.name()));
                if (!Substitutions.isOutside(type.name())) {
                    type.methods().values().forEach(this::index);
                }
                reflective |= ReflectionBridges.usedBy(type);
            }
            if (reflective) {
                addLambdaType(ReflectionBridges.TARGET_CALL, ReflectionBridges.targetType());
            }
            List.copyOf(lambdaTypes.keySet()).forEach(this::recheck);
            while (!open.isEmpty()) {
                reached(open.poll());
            }
        }

        private void index(MethodInfo method) {
            boolean mpi = false;
            for (Call written : method.calls()) {
                Call call = substitute(method.owner(), written);
                callers.computeIfAbsent(call.signature(), key -> new ArrayList<>(2))
                        .add(new Edge(method, call));
                mpi |= isMpiCall(call.owner(), call.name())
                        && hierarchy.resolve(call.owner(), call.signature()) == null;
            }
            for (String used : method.uses()) {
                for (String each : Initializers.of(hierarchy, method.owner(), used)) {
                    Call call = new Call(Opcodes.INVOKESTATIC, each, Initializers.INIT, INIT, 0);
                    callers.computeIfAbsent(each + "." + INIT, key -> new ArrayList<>(2))
                            .add(new Edge(method, call));
                }
            }
            for (Lambda lambda : method.lambdas()) {
                lambdasByTarget
                        .computeIfAbsent(lambda.targetSignature(), key -> new ArrayList<>(1))
                        .add(lambda);
                String target = lambda.targetSignature();
                if (isMpiCall(lambda.targetOwner(), target.substring(0, target.indexOf('(')))) {
                    addLambdaType(lambda.sam(), lambda.type());
                }
            }
            if (mpi && suspendable.add(method.key())) {
                open.add(method);
            }
        }

        private void reached(MethodInfo method) {
            addDispatch(method.owner(), method.signature());
            recheck(method.signature().equals(INIT) ? method.key() : method.signature());
            for (Lambda lambda : lambdasByTarget.getOrDefault(method.signature(), List.of())) {
                boolean may = hierarchy.isSubtype(method.owner(), lambda.targetOwner())
                        || hierarchy.isSubtype(lambda.targetOwner(), method.owner());
                if (may && addLambdaType(lambda.sam(), lambda.type())) {
                    recheck(lambda.sam());
                }
            }
        }

        private void addDispatch(String owner, String signature) {
            if (signature.startsWith("<")
                    || !dispatch.computeIfAbsent(signature, key -> new HashSet<>())
                            .add(owner)) {
                return;
            }
            addAbove(signature, owner);
            for (String below : subclasses.getOrDefault(owner, List.of())) {
                if (!hierarchy.get(below).methods().containsKey(signature)) {
                    addDispatch(below, signature);
                }
            }
        }

        private void recheck(String signature) {
            List<Edge> edges = callers.get(signature);
            if (edges != null) {
                edges.removeIf(this::isSuspended);
            }
        }

        /** Whether a call makes its caller one that can suspend, or another one has. */
        private boolean isSuspended(Edge edge) {
            Call call = edge.call();
            if (suspendable.contains(edge.caller().key())) {
                return true;
            }
            if (!canSuspend(call.opcode(), call.owner(), call.name(), call.signature())) {
                return false;
            }
            suspendable.add(edge.caller().key());
            open.add(edge.caller());
            return true;
        }
    }
}
