package org.gridmpj.capture.instrument;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
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
    private final List<Type> arguments;
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
        argument = new int[arguments.size()];
        for (int i = 0; i < arguments.size(); i++) {
            argument[i] = next;
            next += arguments.get(i).getSize();
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
        for (int i = arguments.size() - 1; i >= 0; i--) {
            to.add(Emit.store(arguments.get(i), argument[i]));
        }
        if (site.isConstruction()) {
            to.add(new InsnNode(Opcodes.POP));
        } else if (site.hasReceiver()) {
            to.add(new VarInsnNode(Opcodes.ASTORE, receiver));
        }
        for (int i = 0; i < site.copies(); i++) {
            to.add(new InsnNode(Opcodes.POP));
        }
        for (int i = below.length - 1 - site.copies(); i >= 0; i--) {
            BasicValue value = operand(i);
            if (Emit.isNull(value) || (dropPending && value instanceof Pending)) {
                to.add(new InsnNode(Opcodes.POP));
            } else {
                to.add(Emit.store(value.getType(), below[i]));
            }
        }
    }

    /**
     * Temporaries → operand stack. The object that a constructor is to make is made anew in either version: its type changes
     * under the call, which no local may see.
     */
    void reload(InsnList to, boolean renewPending) {
        reloadBelow(to, renewPending);
        if (site.isConstruction()) {
            to.add(new TypeInsnNode(Opcodes.NEW, site.call().owner));
            for (int i = 0; i < site.copies(); i++) {
                to.add(new InsnNode(Opcodes.DUP));
            }
        } else if (site.hasReceiver()) {
            to.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        }
        for (int i = 0; i < arguments.size(); i++) {
            to.add(Emit.load(arguments.get(i), argument[i]));
        }
    }

    /** A new object on the stack, twice, and the constructor's arguments. */
    void construct(InsnList to) {
        to.add(new TypeInsnNode(Opcodes.NEW, site.call().owner));
        to.add(new InsnNode(Opcodes.DUP));
        for (int i = 0; i < arguments.size(); i++) {
            to.add(Emit.load(arguments.get(i), argument[i]));
        }
    }

    /** The object on the stack, whose constructor is to be entered again → operands of what stands in for it. */
    void constructAgain(InsnList to) {
        to.add(new TypeInsnNode(Opcodes.CHECKCAST, site.call().owner));
        to.add(new InsnNode(Opcodes.DUP));
        to.add(new VarInsnNode(Opcodes.ASTORE, receiver));
        for (Type each : arguments) {
            to.add(Emit.zero(each));
        }
    }

    /** The finished object on the stack → where {@link #reloadConstructed} finds it. */
    void keepConstructed(InsnList to) {
        to.add(new VarInsnNode(Opcodes.ASTORE, receiver));
    }

    /** Empty stack behind a constructor → what is there behind it. */
    void reloadConstructed(InsnList to) {
        reloadBelow(to, true);
        for (int i = 0; i < site.copies(); i++) {
            to.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        }
    }

    private void reloadBelow(InsnList to, boolean renewPending) {
        Map<AbstractInsnNode, Integer> renewed = new HashMap<>();
        for (int i = 0; i < below.length - site.copies(); i++) {
            BasicValue value = operand(i);
            if (Emit.isNull(value)) {
                to.add(new InsnNode(Opcodes.ACONST_NULL));
            } else if (renewPending && value instanceof Pending pending) {
                Integer local = renewed.get(pending.made());
                if (local == null) {
                    local = below[i];
                    renewed.put(pending.made(), local);
                    to.add(new TypeInsnNode(Opcodes.NEW, pending.getType().getInternalName()));
                    to.add(new VarInsnNode(Opcodes.ASTORE, local));
                }
                to.add(new VarInsnNode(Opcodes.ALOAD, local));
            } else {
                to.add(Emit.load(value.getType(), below[i]));
            }
        }
    }

    /** Those that a frame has to keep. */
    void saved(BiConsumer<Integer, Type> slot) {
        for (int i = 0; i < below.length; i++) {
            if (!(operand(i) instanceof Pending) && !Emit.isNull(operand(i))) {
                slot.accept(below[i], operand(i).getType());
            }
        }
        if (site.hasReceiver() && !site.isConstruction() && !Emit.isNull(receiverValue())) {
            slot.accept(receiver, receiverValue().getType());
        }
        if (site.keepsArguments()) {
            for (int i = 0; i < arguments.size(); i++) {
                slot.accept(argument[i], arguments.get(i));
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
            for (int i = 0; i < arguments.size(); i++) {
                to.add(Emit.zero(arguments.get(i)));
                to.add(Emit.store(arguments.get(i), argument[i]));
            }
        }
    }
}
