package org.gridmpj.capture.instrument;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;

/** The value of a {@code new} whose constructor has not run yet. */
final class Pending extends BasicValue {
    private final AbstractInsnNode made;

    Pending(Type type, AbstractInsnNode made) {
        super(type);
        this.made = made;
    }

    AbstractInsnNode made() {
        return made;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // an instruction is itself only
    public boolean equals(Object other) {
        return other instanceof Pending pending && pending.made == made;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(made);
    }
}
