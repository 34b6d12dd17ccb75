package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Types of locals and operands before an instruction, with pending objects and the monitors that are held. */
final class CallFrame extends Frame<BasicValue> {
    /** Instead of a local: the object of this monitor is in no local that the compiler would keep. */
    static final int NO_LOCAL = -1;

    /** Locals that hold the objects of the monitors held, in the order of entering. */
    private List<Integer> monitors = List.of();

    CallFrame(int locals, int stack) {
        super(locals, stack);
    }

    CallFrame(Frame<? extends BasicValue> frame) {
        super(frame);
        monitors = ((CallFrame) frame).monitors;
    }

    @Override
    public Frame<BasicValue> init(Frame<? extends BasicValue> frame) {
        monitors = ((CallFrame) frame).monitors;
        return super.init(frame);
    }

    List<Integer> monitors() {
        return monitors;
    }

    @Override
    public void execute(AbstractInsnNode instruction, Interpreter<BasicValue> interpreter) throws AnalyzerException {
        BasicValue constructed = null;
        int opcode = instruction.getOpcode();
        if (opcode == Opcodes.INVOKESPECIAL && ((MethodInsnNode) instruction).name.equals("<init>")) {
            int arguments = Type.getArgumentTypes(((MethodInsnNode) instruction).desc).length;
            constructed = getStack(getStackSize() - 1 - arguments);
        } else if (opcode == Opcodes.MONITORENTER) {
            List<Integer> more = new ArrayList<>(monitors);
            more.add(localOfOperand(instruction));
            monitors = List.copyOf(more);
        } else if (opcode == Opcodes.MONITOREXIT && !monitors.isEmpty()) {
            List<Integer> fewer = new ArrayList<>(monitors);
            int at = fewer.lastIndexOf(localOfOperand(instruction));
            int index = at < 0 ? fewer.size() - 1 : at;
            fewer.subList(index, index + 1).clear();
            monitors = List.copyOf(fewer);
        }
        super.execute(instruction, interpreter);
        if (constructed instanceof Pending) {
            become(constructed, new BasicValue(constructed.getType()));
        }
    }

    private void become(BasicValue pending, BasicValue made) {
        for (int i = 0; i < getLocals(); i++) {
            if (pending.equals(getLocal(i))) {
                setLocal(i, made);
            }
        }
        for (int i = 0; i < getStackSize(); i++) {
            if (pending.equals(getStack(i))) {
                setStack(i, made);
            }
        }
    }

    /** Compilers write dup, astore n, monitorenter or aload n, monitorenter; and aload n, monitorexit. */
    private static int localOfOperand(AbstractInsnNode monitor) {
        AbstractInsnNode before = monitor.getPrevious();
        while (before != null && before.getOpcode() < 0) {
            before = before.getPrevious();
        }
        return before instanceof VarInsnNode local
                        && (local.getOpcode() == Opcodes.ASTORE || local.getOpcode() == Opcodes.ALOAD)
                ? local.var
                : NO_LOCAL;
    }
}
