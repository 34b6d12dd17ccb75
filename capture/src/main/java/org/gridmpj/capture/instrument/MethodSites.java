package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.gridmpj.capture.frames.CaptureSites;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;

/** Finds the calls of a method during which its frame may be captured, and says why others may not. */
final class MethodSites {
    private final ClassHierarchy hierarchy;
    private final CallGraph graph;
    private final CaptureSites known;

    MethodSites(ClassHierarchy hierarchy, CallGraph graph, CaptureSites known) {
        this.hierarchy = hierarchy;
        this.graph = graph;
        this.known = known;
    }

    /** The sites of a method, in the order of its code; computes its maxs. */
    List<Site> of(ClassNode type, MethodNode method) throws AnalyzerException {
        List<MethodInsnNode> calls = new ArrayList<>();
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof MethodInsnNode call
                    && graph.canSuspend(call.getOpcode(), call.owner, call.name, call.name + call.desc)) {
                calls.add(call);
            }
        }
        List<Site> sites = new ArrayList<>();
        if (calls.isEmpty()) {
            return sites;
        }
        CallFrame[] frames = TypeFlow.frames(type, method, hierarchy);
        if (LateCreation.apply(method, frames, calls)) {
            frames = TypeFlow.frames(type, method, hierarchy);
        }
        Liveness liveness = new Liveness(method);
        Access access = new Access(hierarchy, type.name);
        for (MethodInsnNode call : calls) {
            int at = method.instructions.indexOf(call);
            CallFrame frame = frames[at];
            if (frame == null) {
                continue; // no control comes here
            }
            BitSet live = liveness.after(at);
            String refusal = refusal(call, frame, live);
            if (refusal == null) {
                List<Type> arguments = List.of(Type.getArgumentTypes(call.desc));
                Set<String> hidden = new TreeSet<>();
                Site site = access.confined(new Site(at, call, frame, live, keepsArguments(call), arguments), hidden);
                if (hidden.isEmpty() || MethodVersions.verifies(type, method, site, hierarchy)) {
                    sites.add(site);
                } else {
                    refusal =
                            "a value of " + String.join(" or ", hidden) + ", which may not be named here, is handed on"
                                    + " as such behind the call: make the class public, or the call in another place";
                }
            }
            if (refusal != null) {
                known.refuse(type.name + "." + method.name + method.desc, line(call), refusal);
            }
        }
        return sites;
    }

    private boolean keepsArguments(MethodInsnNode call) {
        return call.getOpcode() == Opcodes.INVOKEINTERFACE || graph.isMpiCall(call.owner, call.name);
    }

    private static @Nullable String refusal(MethodInsnNode call, CallFrame frame, BitSet live) {
        if (call.name.equals("<init>") && !copiesOnTop(call, frame)) {
            return "the object whose constructor makes MPI calls is not where javac leaves it: compile with javac";
        }
        for (int local : frame.monitors()) {
            if (local == CallFrame.NO_LOCAL) {
                return "the object of a synchronized block is in no local variable: compile with javac, or use a"
                        + " synchronized method";
            }
        }
        for (int local = 0; local < frame.getLocals(); local++) {
            if (live.get(local) && frame.getLocal(local) instanceof Pending) {
                return "an object without a constructor yet is in a local variable";
            }
        }
        return null;
    }

    /** Whether the pending object is on the stack only, and there together. */
    private static boolean copiesOnTop(MethodInsnNode call, CallFrame frame) {
        int receiver = frame.getStackSize() - 1 - Type.getArgumentTypes(call.desc).length;
        BasicValue pending = frame.getStack(receiver);
        if (!(pending instanceof Pending)) {
            return false;
        }
        int below = receiver;
        while (below > 0 && pending.equals(frame.getStack(below - 1))) {
            below--;
        }
        for (int i = 0; i < below; i++) {
            if (pending.equals(frame.getStack(i))) {
                return false;
            }
        }
        for (int i = 0; i < frame.getLocals(); i++) {
            if (pending.equals(frame.getLocal(i))) {
                return false;
            }
        }
        return true;
    }

    private static int line(AbstractInsnNode at) {
        for (AbstractInsnNode before = at; before != null; before = before.getPrevious()) {
            if (before instanceof LineNumberNode number) {
                return number.line;
            }
        }
        return 0;
    }
}
