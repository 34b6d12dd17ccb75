package org.gridmpj.capture.instrument;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * The locals in which the operands of a site survive an exception.
 *
 * <pre>
 *   first: operands below the call, bottom first │ receiver │ arguments
 * </pre>
 */
final class Temporaries {
    private final Site site;
    private final Type[] arguments;
    private final int[] below;
    private final int receiver;
    private final int[] argument;

    Temporaries(Site site, int first) {
        this.site = site;
        arguments = site.arguments();
        int next = first;
        below = new int[site.below()];
        for (int i = 0; i < below.length; i++) {
            below[i] = next;
            next += site.frame().getStack(i).getSize();
        }
        receiver = next;
        if (site.hasReceiver()) {
            next++;
        }
        argument = new int[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            argument[i] = next;
            next += arguments[i].getSize();
        }
    }

    private BasicValue operand(int i) {
        return site.frame().getStack(i);
    }

    private BasicValue receiverValue() {
        return operand(below.length);
    }

    /**
     * Operand stack → temporaries.
     *
     * @param dropPending whether pending objects are dropped, to be made anew
     */
    void spill(InsnList to, boolean dropPending) {
        for (int i = arguments.length - 1; i >= 0; i--) {
            to.add(Emit.store(arguments[i], argument[i]));
        }
        if (site.hasReceiver()) {
            to.add(new VarInsnNode(Opcodes.ASTORE, receiver));
        }
        for (int i = below.length - 1; i >= 0; i--) {
            BasicValue value = operand(i);
            if (Emit.isNull(value) || (dropPending && value instanceof Pending)) {
                to.add(new InsnNode(Opcodes.POP));
            } else {
                to.add(Emit.store(value.getType(), below[i]));
            }
        }
    }

    /** Temporaries → operand stack. */
    void reload(InsnList to, boolean renewPending) {
        Map<AbstractInsnNode, Integer> renewed = new HashMap<>();
        for (int i = 0; i < below.length; i++) {
            BasicValue value = operand(i);
            if (Emit.isNull(value)) {
                to.add(new InsnNode(Opcodes.ACONST_NULL));
            } else if (renewPending && value instanceof Pending pending) {
                Integer local = renewed.get(pending.made());
                if (local == null) {
                    local = below[i];
                    renewed.put(pending.made(), local);
                    MethodVersions.renew(to, pending, local);
                }
                to.add(new VarInsnNode(Opcodes.ALOAD, local));
            } else {
                to.add(Emit.load(value.getType(), below[i]));
            }
        }
        if (site.hasReceiver()) {
            to.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        }
        for (int i = 0; i < arguments.length; i++) {
            to.add(Emit.load(arguments[i], argument[i]));
        }
    }

    /** Those that a frame has to keep. */
    void saved(BiConsumer<Integer, Type> slot) {
        for (int i = 0; i < below.length; i++) {
            if (!(operand(i) instanceof Pending) && !Emit.isNull(operand(i))) {
                slot.accept(below[i], operand(i).getType());
            }
        }
        if (site.hasReceiver() && !Emit.isNull(receiverValue())) {
            slot.accept(receiver, receiverValue().getType());
        }
        if (site.keepsArguments()) {
            for (int i = 0; i < arguments.length; i++) {
                slot.accept(argument[i], arguments[i]);
            }
        }
    }

    /** Gives values to those that no frame keeps. */
    void fill(InsnList to) {
        if (site.hasReceiver() && Emit.isNull(receiverValue())) {
            to.add(new InsnNode(Opcodes.ACONST_NULL));
            to.add(new VarInsnNode(Opcodes.ASTORE, receiver));
        }
        if (!site.keepsArguments()) {
            for (int i = 0; i < arguments.length; i++) {
                to.add(Emit.zero(arguments[i]));
                to.add(Emit.store(arguments[i], argument[i]));
            }
        }
    }
}
