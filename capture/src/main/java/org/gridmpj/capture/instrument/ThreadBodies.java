package org.gridmpj.capture.instrument;

import java.util.List;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Threads of the program. Where a subclass of Thread has a {@code run} that can be captured, that becomes another method, so
 * that a frame of GridMPJ's can be below it:
 *
 * <pre>
 *   run()       { ThreadRoot.run(this); }
 *   mpj$run()   what run() was
 * </pre>
 */
final class ThreadBodies {
    private static final String THREAD = "java/lang/Thread";
    private static final String RUN = "run()V";
    private static final String BODY = "mpj$run";
    private static final String MOVED = BODY + "()V";
    private static final String ROOT = "org/gridmpj/capture/frames/ThreadRoot";
    private static final String ROOTED = "org/gridmpj/capture/frames/ThreadBody";

    private ThreadBodies() {}

    /** Whether a call is one of Thread.start. */
    static boolean isStart(ClassHierarchy hierarchy, String owner, String signature) {
        return signature.equals("start()V")
                && !owner.startsWith("[")
                && hierarchy.isSubtype(owner, THREAD)
                && hierarchy.resolve(owner, signature) == null;
    }

    /** Whether a class has code that starts threads. */
    static boolean startsThreads(ClassHierarchy hierarchy, ClassInfo type) {
        return type.methods().values().stream()
                .anyMatch(method ->
                        method.calls().stream().anyMatch(call -> isStart(hierarchy, call.owner(), call.signature()))
                                || method.lambdas().stream()
                                        .anyMatch(lambda ->
                                                isStart(hierarchy, lambda.targetOwner(), lambda.targetSignature())));
    }

    /** Whether a call makes a thread that is to be started by Thread.start. */
    static boolean isConstruction(ClassHierarchy hierarchy, Call call) {
        return call.name().equals("<init>") && hierarchy.isSubtype(call.owner(), THREAD);
    }

    static boolean isBody(MethodNode method) {
        return method.name.equals(BODY);
    }

    /** The method as the program has written it: a run that has become another method is called by that one's name. */
    static String written(String signature) {
        return signature.equals(MOVED) ? RUN : signature;
    }

    /** Whether a class's run becomes another method. */
    private static boolean isMoved(ClassHierarchy hierarchy, CallGraph graph, String type) {
        return hierarchy.isSubtype(type, THREAD) && graph.isSuspendable(type + "." + RUN);
    }

    static void become(ClassNode type, ClassHierarchy hierarchy, CallGraph graph) {
        for (MethodNode method : List.copyOf(type.methods)) {
            for (AbstractInsnNode each : method.instructions) {
                if (each instanceof MethodInsnNode call
                        && call.getOpcode() == Opcodes.INVOKESPECIAL
                        && (call.name + call.desc).equals(RUN)) {
                    MethodInfo found = hierarchy.resolve(call.owner, RUN);
                    if (found != null && isMoved(hierarchy, graph, found.owner())) {
                        call.name = BODY;
                    }
                }
            }
            if ((method.name + method.desc).equals(RUN) && isMoved(hierarchy, graph, type.name)) {
                type.methods.add(rooted(method));
                method.name = BODY;
                method.access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC | (method.access & Opcodes.ACC_SYNCHRONIZED);
                if (!type.interfaces.contains(ROOTED)) {
                    type.interfaces.add(ROOTED);
                }
            }
        }
    }

    private static MethodNode rooted(MethodNode run) {
        MethodNode made =
                new MethodNode(Opcodes.ASM9, run.access & ~Opcodes.ACC_SYNCHRONIZED, run.name, run.desc, null, null);
        made.instructions.add(new VarInsnNode(Opcodes.ALOAD, 0));
        made.instructions.add(new MethodInsnNode(Opcodes.INVOKESTATIC, ROOT, "run", "(L" + THREAD + ";)V", false));
        made.instructions.add(new InsnNode(Opcodes.RETURN));
        made.maxStack = 1;
        made.maxLocals = 1;
        return made;
    }
}
