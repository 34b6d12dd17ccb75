package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Makes a constructor into something that can be left and entered again. What follows {@code super(…)} becomes a method, which
 * has two versions as others have:
 *
 * <pre>
 *   X(args)                          { super(…); init$body(args) }
 *   init$body(args)                  the rest
 *   static init$resume(X x, args)    x is there already: { x.init$body(nothing) }, entered instead of a second new X(args);
 * if it was in super(…): { Super.init$resume(x, nothing); x.init$body(its args) }
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
    static @Nullable MethodInsnNode superCall(MethodNode constructor) {
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
        Access access = new Access(hierarchy, type.name);
        if (graph.canSuspend(call.getOpcode(), call.owner, call.name, call.name + call.desc)
                && !Stream.of(Type.getArgumentTypes(constructor.desc)).allMatch(access::allows)) {
            return "a parameter is of a class that may not be named here: make the class public";
        }
        int split = constructor.instructions.indexOf(call);
        for (AbstractInsnNode each : constructor.instructions.toArray()) {
            if (constructor.instructions.indexOf(each) < split
                    && each instanceof MethodInsnNode before
                    && graph.canSuspend(before.getOpcode(), before.owner, before.name, before.name + before.desc)) {
                return "MPI calls are made in the arguments of super(…) or this(…): make them before new, and hand on what"
                        + " they give";
            }
        }
        for (TryCatchBlockNode block : constructor.tryCatchBlocks) {
            if (constructor.instructions.indexOf(block.start) <= split) {
                return "it has a try block before super(…)";
            }
        }
        CallFrame after = TypeFlow.frames(type, constructor, hierarchy)[split + 1];
        if (after != null && after.getStackSize() > 0) {
            return "something is on the operand stack across super(…)";
        }
        if (new Liveness(constructor).after(split).length() > parameters()) {
            return "variables from before super(…) are used after it: compute them again, or make the MPI calls in a method";
        }
        return null;
    }

    /** Splits; returns the rest's method, in the class already, of which two versions are to be made. */
    MethodNode split(CallGraph graph) {
        MethodInsnNode call = superCall(constructor);
        MethodInsnNode above =
                call != null && graph.canSuspend(call.getOpcode(), call.owner, call.name, call.name + call.desc)
                        ? call
                        : null;
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
        if (above != null) {
            InsnList before = new InsnList();
            saveParameters(before, Frame.IN_ADVANCE, above);
            constructor.instructions.insertBefore(above, before);
            constructor.instructions.add(new LdcInsnNode(key));
            constructor.instructions.add(Emit.frames("constructed", "(Ljava/lang/String;)V"));
        }
        callBody(constructor, true);
        loosenFinals(body);
        type.methods.add(body);
        type.methods.add(resume(above));
        return body;
    }

    private MethodNode resume(@Nullable MethodInsnNode above) {
        MethodNode resume = new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                RESUME,
                resumeDescriptor(type.name, constructor.desc),
                null,
                constructor.exceptions.toArray(String[]::new));
        InsnList code = resume.instructions;
        code.add(new LdcInsnNode(key));
        code.add(Emit.frames("entered", "(Ljava/lang/String;)" + Emit.RECORD_TYPE));
        code.add(new VarInsnNode(Opcodes.ASTORE, parameters()));
        LabelNode inSuper = new LabelNode();
        if (above != null) {
            code.add(new VarInsnNode(Opcodes.ALOAD, parameters()));
            code.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, Emit.RECORD, "site", "()I", false));
            code.add(new JumpInsnNode(Opcodes.IFNE, inSuper));
        }
        code.add(Emit.frames("arrived", "()V"));
        callBody(resume, false);
        if (above != null) {
            code.add(inSuper);
            resumeSuper(resume, above);
            callBody(resume, true);
        }
        return resume;
    }

    /** Local variables that the object and the parameters take. */
    private int parameters() {
        return Type.getArgumentsAndReturnSizes(constructor.desc) >> 2;
    }

    /** A constructor that was in super(…): the rest of that, with the own parameters kept for what follows. */
    private void resumeSuper(MethodNode resume, MethodInsnNode above) {
        InsnList code = resume.instructions;
        Emit.take(code, Type.getObjectType(ClassHierarchy.OBJECT), parameters());
        code.add(new InsnNode(Opcodes.POP));
        int local = 1;
        for (Type argument : Type.getArgumentTypes(constructor.desc)) {
            Emit.take(code, argument, parameters());
            code.add(Emit.store(argument, local));
            local += argument.getSize();
        }
        code.add(Emit.frames("arrived", "()V"));
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        for (Type argument : Type.getArgumentTypes(above.desc)) {
            code.add(Emit.zero(argument));
        }
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        LabelNode handler = new LabelNode();
        LabelNode behind = new LabelNode();
        code.add(start);
        code.add(resumption(above));
        code.add(end);
        code.add(new JumpInsnNode(Opcodes.GOTO, behind));
        code.add(handler);
        saveParameters(code, Frame.UNWINDING, above);
        code.add(new InsnNode(Opcodes.ATHROW));
        code.add(behind);
        resume.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, Emit.SIGNAL));
    }

    private enum Frame {
        IN_ADVANCE,
        UNWINDING
    }

    /** The frame of a constructor in super(…): no object yet, and the parameters. */
    private void saveParameters(InsnList code, Frame frame, MethodInsnNode above) {
        Type[] arguments = Type.getArgumentTypes(constructor.desc);
        int references = 1;
        for (Type argument : arguments) {
            references += Emit.isReference(argument) ? 1 : 0;
        }
        if (frame == Frame.UNWINDING) {
            code.add(Emit.number(1));
        }
        code.add(new LdcInsnNode(key));
        code.add(Emit.number(references));
        code.add(Emit.number(1 + arguments.length - references));
        if (frame == Frame.UNWINDING) {
            code.add(Emit.frames("saving", "(ILjava/lang/String;II)" + Emit.RECORD_TYPE));
        } else {
            code.add(new LdcInsnNode(above.owner + ".<init>" + above.desc));
            code.add(Emit.frames("constructing", "(Ljava/lang/String;IILjava/lang/String;)" + Emit.RECORD_TYPE));
        }
        code.add(new InsnNode(Opcodes.ACONST_NULL));
        code.add(new MethodInsnNode(
                Opcodes.INVOKEVIRTUAL, Emit.RECORD, "put", "(Ljava/lang/Object;)" + Emit.RECORD_TYPE, false));
        int local = 1;
        for (Type argument : arguments) {
            Emit.put(code, argument, local);
            local += argument.getSize();
        }
        code.add(new InsnNode(Opcodes.POP));
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
