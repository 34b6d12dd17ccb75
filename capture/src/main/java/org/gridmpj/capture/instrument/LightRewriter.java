package org.gridmpj.capture.instrument;

import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What each class of the program needs: lambdas that can be part of an image, a guard at the head of the static initialiser,
 * and that its threads are known. Leaves stack map frames valid.
 */
final class LightRewriter extends ClassVisitor {
    private static final String ALT_METAFACTORY = "altMetafactory";
    private static final String ALT_METAFACTORY_TYPE =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)"
                    + "Ljava/lang/invoke/CallSite;";
    private static final int SERIALIZABLE = 1;
    private static final int FLAGS = 3;

    private final ClassHierarchy hierarchy;
    private String type = "";
    private boolean stackMaps;

    LightRewriter(ClassVisitor next, ClassHierarchy hierarchy) {
        super(Opcodes.ASM9, next);
        this.hierarchy = hierarchy;
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        type = name;
        stackMaps = (version & 0xFFFF) >= Opcodes.V1_6;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean initializer = name.equals("<clinit>");
        return new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                if (initializer) {
                    Label go = new Label();
                    visitMethodInsn(Opcodes.INVOKESTATIC, Emit.STATICS, "initializing", "()Z", false);
                    visitJumpInsn(Opcodes.IFEQ, go);
                    visitInsn(Opcodes.RETURN);
                    visitLabel(go);
                    if (stackMaps) {
                        visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                        // the code may begin with a frame of its own
                        visitInsn(Opcodes.NOP);
                    }
                }
            }

            @Override
            public void visitMaxs(int maxStack, int maxLocals) {
                super.visitMaxs(Math.max(maxStack, 1), maxLocals);
            }

            @Override
            public void visitTypeInsn(int opcode, String named) {
                super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? Substitutions.made(hierarchy, type, named) : named);
            }

            // the program is not to see, or to call, what the agent adds
            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String desc, boolean isInterface) {
                if (owner.equals("java/lang/Class") && called.equals("getDeclaredMethods")) {
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC,
                            "org/gridmpj/capture/frames/ReflectiveCalls",
                            "declaredMethods",
                            "(Ljava/lang/Class;)" + desc.substring(desc.indexOf(')') + 1),
                            false);
                } else if (opcode == Opcodes.INVOKEVIRTUAL && ThreadBodies.isStart(hierarchy, owner, called + desc)) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, Emit.POINT, "start", "(Ljava/lang/Thread;)V", false);
                } else {
                    Call written = new Call(opcode, owner, called, called + desc, 0);
                    Call other = Substitutions.everywhere(hierarchy, type, written);
                    if (other == null) {
                        super.visitMethodInsn(opcode, owner, called, desc, isInterface);
                    } else {
                        String otherType =
                                other.signature().substring(other.name().length());
                        super.visitMethodInsn(other.opcode(), other.owner(), other.name(), otherType, false);
                    }
                }
            }

            @Override
            public void visitInvokeDynamicInsn(String sam, String desc, Handle bootstrap, Object... written) {
                Object[] arguments = written.clone();
                if (!bootstrap.getOwner().equals(ClassScan.METAFACTORY)) {
                    super.visitInvokeDynamicInsn(sam, desc, bootstrap, written);
                    return;
                }
                Handle target = (Handle) arguments[1];
                if (ThreadBodies.isStart(hierarchy, target.getOwner(), target.getName() + target.getDesc())) {
                    // Thread::start
                    arguments[1] =
                            new Handle(Opcodes.H_INVOKESTATIC, Emit.POINT, "start", "(Ljava/lang/Thread;)V", false);
                }
                if (bootstrap.getName().equals(ALT_METAFACTORY)) {
                    arguments[FLAGS] = (Integer) arguments[FLAGS] | SERIALIZABLE;
                    super.visitInvokeDynamicInsn(sam, desc, bootstrap, arguments);
                } else {
                    Handle alternative = new Handle(
                            Opcodes.H_INVOKESTATIC,
                            ClassScan.METAFACTORY,
                            ALT_METAFACTORY,
                            ALT_METAFACTORY_TYPE,
                            false);
                    super.visitInvokeDynamicInsn(
                            sam, desc, alternative, arguments[0], arguments[1], arguments[2], SERIALIZABLE);
                }
            }
        };
    }
}
