package org.gridmpj.capture.instrument;

import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A call during which its method's frame may be captured.
 *
 * @param at index of the instruction in the method as it was
 * @param call the instruction
 * @param frame types before it
 * @param live locals that are read afterwards
 * @param keepsArguments whether the call is made again with its arguments: an MPI call, and what may go through a lambda's
 *     adapter; otherwise the callee has them in its own frame
 * @param arguments the types by which its arguments are kept
 */
record Site(int at, MethodInsnNode call, CallFrame frame, BitSet live, boolean keepsArguments, List<Type> arguments) {
    boolean hasReceiver() {
        return call.getOpcode() != Opcodes.INVOKESTATIC;
    }

    /** Whether the call is a constructor, of an object that is pending below. */
    boolean isConstruction() {
        return call.name.equals("<init>");
    }

    /** Operands below the receiver and the arguments. */
    int below() {
        return frame.getStackSize() - arguments.size() - (hasReceiver() ? 1 : 0);
    }

    /**
     * How many operands below a constructor's receiver are the same pending object; they are the topmost ones. The pending one is
     * asked: a finished object of the class says that it is equal.
     */
    int copies() {
        int copies = 0;
        if (isConstruction()) {
            while (copies < below() && frame.getStack(below()).equals(frame.getStack(below() - 1 - copies))) {
                copies++;
            }
        }
        return copies;
    }
}
