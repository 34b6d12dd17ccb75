package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Makes objects behind the arguments of their constructor, where these branch and can suspend:
 *
 * <pre>
 *   new X(c ? call() : 0)     new X; dup; c ? call() : 0; invokespecial   becomes
 *                             new X; pop; c ? call() : 0; store; new X; dup; load; invokespecial
 * </pre>
 *
 * <p>The verifier tells pending objects by where they were made. One that is made anew when its method is entered again would
 * meet the first one behind the branch. The {@code new} that stays where it was is for the class's initialiser, which runs
 * before the arguments.
 */
final class LateCreation {
    private final MethodNode method;
    private final @Nullable CallFrame[] frames;

    private LateCreation(MethodNode method, @Nullable CallFrame[] frames) {
        this.method = method;
        this.frames = frames;
    }

    /**
     * Changes a method.
     *
     * @param frames of the method as it is; void afterwards
     * @param suspending calls, all of them with a frame, below which no object may be pending
     * @return whether anything was changed
     */
    static boolean apply(MethodNode method, @Nullable CallFrame[] frames, List<MethodInsnNode> suspending) {
        return new LateCreation(method, frames).apply(suspending);
    }

    private boolean apply(List<MethodInsnNode> suspending) {
        Map<AbstractInsnNode, List<MethodInsnNode>> chosen = new HashMap<>();
        for (MethodInsnNode call : suspending) {
            CallFrame frame = frames[method.instructions.indexOf(call)];
            if (frame == null) {
                continue;
            }
            @Nullable BasicValue own = call.name.equals("<init>") ? receiver(call, frame) : null;
            for (int i = 0; i < frame.getStackSize(); i++) {
                if (frame.getStack(i) instanceof Pending pending && (own == null || !pending.equals(own))) {
                    chosen.put(pending.made(), new ArrayList<>());
                }
            }
        }
        if (chosen.isEmpty()) {
            return false;
        }
        findConstructions(chosen);
        boolean changed = false;
        int temporaries = method.maxLocals;
        for (Map.Entry<AbstractInsnNode, List<MethodInsnNode>> each : chosen.entrySet()) {
            AbstractInsnNode copied = next(each.getKey());
            if (!each.getValue().isEmpty() && copied != null && copied.getOpcode() == Opcodes.DUP) {
                method.instructions.set(copied, new InsnNode(Opcodes.POP));
                for (MethodInsnNode construction : each.getValue()) {
                    make(construction, temporaries);
                }
                changed = true;
            }
        }
        return changed;
    }

    /** Adds the constructor's calls; takes those objects out that stand otherwise than twice on the stack, side by side. */
    private void findConstructions(Map<AbstractInsnNode, List<MethodInsnNode>> chosen) {
        for (int at = 0; at < frames.length; at++) {
            CallFrame frame = frames[at];
            if (frame == null) {
                continue;
            }
            for (int i = 0; i < frame.getLocals(); i++) {
                if (frame.getLocal(i) instanceof Pending pending) {
                    chosen.remove(pending.made());
                }
            }
            if (method.instructions.get(at) instanceof MethodInsnNode call
                    && call.name.equals("<init>")
                    && receiver(call, frame) instanceof Pending pending
                    && chosen.containsKey(pending.made())) {
                int receiver = frame.getStackSize() - 1 - Type.getArgumentTypes(call.desc).length;
                int copies = 0;
                for (int i = 0; i < frame.getStackSize(); i++) {
                    copies += pending.equals(frame.getStack(i)) ? 1 : 0;
                }
                if (copies == 2 && receiver > 0 && pending.equals(frame.getStack(receiver - 1))) {
                    chosen.get(pending.made()).add(call);
                } else {
                    chosen.remove(pending.made());
                }
            }
        }
    }

    private static BasicValue receiver(MethodInsnNode call, CallFrame frame) {
        return frame.getStack(frame.getStackSize() - 1 - Type.getArgumentTypes(call.desc).length);
    }

    private static @Nullable AbstractInsnNode next(AbstractInsnNode instruction) {
        AbstractInsnNode next = instruction.getNext();
        while (next != null && next.getOpcode() < 0) {
            next = next.getNext();
        }
        return next;
    }

    private void make(MethodInsnNode construction, int temporaries) {
        Type[] arguments = Type.getArgumentTypes(construction.desc);
        InsnList before = new InsnList();
        int[] local = new int[arguments.length];
        int end = temporaries;
        for (int i = 0; i < arguments.length; i++) {
            local[i] = end;
            end += arguments[i].getSize();
        }
        for (int i = arguments.length - 1; i >= 0; i--) {
            before.add(Emit.store(arguments[i], local[i]));
        }
        before.add(new TypeInsnNode(Opcodes.NEW, construction.owner));
        before.add(new InsnNode(Opcodes.DUP));
        for (int i = 0; i < arguments.length; i++) {
            before.add(Emit.load(arguments[i], local[i]));
        }
        method.instructions.insertBefore(construction, before);
        method.maxLocals = Math.max(method.maxLocals, end);
    }
}
