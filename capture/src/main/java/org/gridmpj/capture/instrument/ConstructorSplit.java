package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Makes a constructor of something that can be left and entered again. What follows {@code super(…)} becomes a method, which
 * has two versions as others have:
 *
 * <pre>
 *   X(args)                          { super(…); init$body(args) }
 *   init$body(args)                  the rest
 *   static init$resume(X x, args)    x is there already: { x.init$body(nothing) }, entered instead of a second new X(args)
 * </pre>
 *
 * <p>Fields that the rest sets lose their {@code final}, which allows it to constructors only.
 */
final class ConstructorSplit {
    private static final String BODY = "init$body";
    private static final String RESUME = "init$resume";

    private final ClassNode type;
    private final MethodNode constructor;
    private final String key;

    ConstructorSplit(ClassNode type, MethodNode constructor) {
        this.type = type;
        this.constructor = constructor;
        key = type.name + "." + constructor.name + constructor.desc;
    }

    /** Call of what stands in for a constructor's second version; operands: object, anything for the arguments. */
    static MethodInsnNode resumption(MethodInsnNode construction) {
        return new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                construction.owner,
                RESUME,
                resumeDescriptor(construction.owner, construction.desc),
                false);
    }

    private static String resumeDescriptor(String owner, String descriptor) {
        return "(L" + owner + ";" + descriptor.substring(1);
    }

    /** The call of super(…) or this(…); null if there is none, as in Object. */
    private static @Nullable MethodInsnNode superCall(MethodNode constructor) {
        int pending = 0;
        for (AbstractInsnNode each : constructor.instructions) {
            if (each.getOpcode() == Opcodes.NEW) {
                pending++;
            } else if (each instanceof MethodInsnNode call && call.name.equals("<init>")) {
                if (pending == 0) {
                    return call;
                }
                pending--;
            }
        }
        return null;
    }

    /** Why the constructor cannot be split; null if it can. */
    @Nullable
    String refusal(ClassHierarchy hierarchy, CallGraph graph) throws AnalyzerException {
        MethodInsnNode call = superCall(constructor);
        if (call == null) {
            return "its call of super is not where javac leaves it: compile with javac";
        }
        int split = constructor.instructions.indexOf(call);
        for (AbstractInsnNode each : constructor.instructions.toArray()) {
            if (constructor.instructions.indexOf(each) <= split
                    && each instanceof MethodInsnNode before
                    && graph.canSuspend(before.getOpcode(), before.owner, before.name, before.name + before.desc)) {
                return "MPI calls are made in, or in the arguments of, super(…) or this(…): make them afterwards, or in a"
                        + " method";
            }
        }
        for (TryCatchBlockNode block : constructor.tryCatchBlocks) {
            if (constructor.instructions.indexOf(block.start) <= split) {
                return "it has a try block before super(…)";
            }
        }
        int parameters = (Type.getArgumentsAndReturnSizes(constructor.desc) >> 2);
        CallFrame after = TypeFlow.frames(type, constructor, hierarchy)[split + 1];
        if (after != null && after.getStackSize() > 0) {
            return "something is on the operand stack across super(…)";
        }
        if (new Liveness(constructor).after(split).length() > parameters) {
            return "variables from before super(…) are used after it: compute them again, or make the MPI calls in a method";
        }
        return null;
    }

    /** Splits; returns the rest's method, in the class already, of which two versions are to be made. */
    MethodNode split() {
        MethodInsnNode call = superCall(constructor);
        MethodNode body = new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC,
                BODY,
                constructor.desc,
                null,
                constructor.exceptions.toArray(String[]::new));
        constructor.localVariables = null;
        constructor.visibleLocalVariableAnnotations = null;
        constructor.invisibleLocalVariableAnnotations = null;
        AbstractInsnNode next = call == null ? null : call.getNext();
        while (next != null) {
            AbstractInsnNode following = next.getNext();
            constructor.instructions.remove(next);
            body.instructions.add(next);
            next = following;
        }
        body.tryCatchBlocks = constructor.tryCatchBlocks;
        body.maxLocals = constructor.maxLocals;
        body.maxStack = constructor.maxStack;
        constructor.tryCatchBlocks = new ArrayList<>();
        callBody(constructor, true);
        loosenFinals(body);
        type.methods.add(body);
        type.methods.add(resume());
        return body;
    }

    private MethodNode resume() {
        MethodNode resume = new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                RESUME,
                resumeDescriptor(type.name, constructor.desc),
                null,
                constructor.exceptions.toArray(String[]::new));
        resume.instructions.add(new LdcInsnNode(key));
        resume.instructions.add(Emit.frames("entered", "(Ljava/lang/String;)" + Emit.RECORD_TYPE));
        resume.instructions.add(new InsnNode(Opcodes.POP));
        resume.instructions.add(Emit.frames("arrived", "()V"));
        callBody(resume, false);
        return resume;
    }

    private void callBody(MethodNode from, boolean withArguments) {
        InsnList code = from.instructions;
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        int local = 1;
        for (Type argument : Type.getArgumentTypes(constructor.desc)) {
            code.add(withArguments ? Emit.load(argument, local) : Emit.zero(argument));
            local += argument.getSize();
        }
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        LabelNode handler = new LabelNode();
        code.add(start);
        code.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, type.name, BODY, constructor.desc, false));
        code.add(end);
        code.add(new InsnNode(Opcodes.RETURN));
        code.add(handler);
        code.add(Emit.number(0));
        code.add(new LdcInsnNode(key));
        code.add(Emit.number(1));
        code.add(Emit.number(0));
        code.add(Emit.frames("saving", "(ILjava/lang/String;II)" + Emit.RECORD_TYPE));
        Emit.put(code, Type.getObjectType(type.name), 0);
        code.add(new InsnNode(Opcodes.POP));
        code.add(new InsnNode(Opcodes.ATHROW));
        from.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, Emit.SIGNAL));
    }

    private void loosenFinals(MethodNode body) {
        Set<String> written = new HashSet<>();
        for (AbstractInsnNode each : body.instructions) {
            if (each instanceof FieldInsnNode field
                    && field.getOpcode() == Opcodes.PUTFIELD
                    && field.owner.equals(type.name)) {
                written.add(field.name);
            }
        }
        for (FieldNode field : List.copyOf(type.fields)) {
            if (written.contains(field.name)) {
                field.access &= ~Opcodes.ACC_FINAL;
            }
        }
    }
}
