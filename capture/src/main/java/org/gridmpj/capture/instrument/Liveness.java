package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Which local variables are read again after an instruction: backward data flow over the method. */
final class Liveness {
    private final InsnList code;
    private final BitSet[] before;
    private final List<List<Integer>> handlers = new ArrayList<>();

    Liveness(MethodNode method) {
        code = method.instructions;
        before = new BitSet[code.size()];
        for (int i = 0; i < before.length; i++) {
            before[i] = new BitSet();
            handlers.add(new ArrayList<>(0));
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            int handler = code.indexOf(block.handler);
            for (int i = code.indexOf(block.start); i < code.indexOf(block.end); i++) {
                handlers.get(i).add(handler);
            }
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = before.length - 1; i >= 0; i--) {
                BitSet live = after(i);
                transfer(i, live);
                if (!live.equals(before[i])) {
                    before[i] = live;
                    changed = true;
                }
            }
        }
    }

    private void transfer(int at, BitSet live) {
        if (code.get(at) instanceof VarInsnNode local) {
            if (local.getOpcode() >= Opcodes.ISTORE && local.getOpcode() <= Opcodes.ASTORE) {
                live.clear(local.var);
                // the handlers may see the old value
                handlers.get(at).forEach(handler -> live.or(before[handler]));
            } else {
                live.set(local.var);
            }
        } else if (code.get(at) instanceof IincInsnNode local) {
            live.set(local.var);
        }
    }

    /** Live locals behind the instruction at this index, its handlers' included. A new set. */
    BitSet after(int at) {
        BitSet live = new BitSet();
        AbstractInsnNode instruction = code.get(at);
        int opcode = instruction.getOpcode();
        boolean falls = !(opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) && opcode != Opcodes.ATHROW;
        if (instruction instanceof JumpInsnNode jump) {
            join(live, jump.label);
            falls = opcode != Opcodes.GOTO;
        } else if (instruction instanceof TableSwitchInsnNode table) {
            table.labels.forEach(label -> join(live, label));
            join(live, table.dflt);
            falls = false;
        } else if (instruction instanceof LookupSwitchInsnNode lookup) {
            lookup.labels.forEach(label -> join(live, label));
            join(live, lookup.dflt);
            falls = false;
        }
        if (falls && at + 1 < before.length) {
            live.or(before[at + 1]);
        }
        handlers.get(at).forEach(handler -> live.or(before[handler]));
        return live;
    }

    private void join(BitSet live, LabelNode label) {
        live.or(before[code.indexOf(label)]);
    }
}
