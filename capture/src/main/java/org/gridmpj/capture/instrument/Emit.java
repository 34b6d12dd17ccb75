package org.gridmpj.capture.instrument;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;

/** Instructions that instrumented methods share. */
final class Emit {
    static final String SIGNAL = "org/gridmpj/snapshot/CaptureSignal";
    static final String FRAMES = "org/gridmpj/capture/frames/Frames";
    static final String POINT = "org/gridmpj/capture/frames/CapturePoint";
    static final String RECORD = "org/gridmpj/capture/frames/FrameRecord";
    static final String STATICS = "org/gridmpj/capture/frames/ProgramStatics";
    static final String RECORD_TYPE = "L" + RECORD + ";";

    private Emit() {}

    static MethodInsnNode frames(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, FRAMES, name, descriptor, false);
    }

    static VarInsnNode load(Type type, int local) {
        return new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local);
    }

    static VarInsnNode store(Type type, int local) {
        return new VarInsnNode(type.getOpcode(Opcodes.ISTORE), local);
    }

    static AbstractInsnNode number(int value) {
        if (value >= -1 && value <= 5) {
            return new InsnNode(Opcodes.ICONST_0 + value);
        }
        if (value == (byte) value) {
            return new IntInsnNode(Opcodes.BIPUSH, value);
        }
        return value == (short) value ? new IntInsnNode(Opcodes.SIPUSH, value) : new LdcInsnNode(value);
    }

    /** 0, 0.0 or null. */
    static InsnNode zero(Type type) {
        return new InsnNode(
                switch (type.getSort()) {
                    case Type.LONG -> Opcodes.LCONST_0;
                    case Type.FLOAT -> Opcodes.FCONST_0;
                    case Type.DOUBLE -> Opcodes.DCONST_0;
                    case Type.OBJECT, Type.ARRAY -> Opcodes.ACONST_NULL;
                    default -> Opcodes.ICONST_0;
                });
    }

    /** Record on the stack → local's value added to it, record on the stack. */
    static void put(InsnList to, Type type, int local) {
        to.add(load(type, local));
        String taken = switch (type.getSort()) {
            case Type.LONG, Type.FLOAT, Type.DOUBLE -> type.getDescriptor();
            case Type.OBJECT, Type.ARRAY -> "Ljava/lang/Object;";
            default -> "I";
        };
        to.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, RECORD, "put", "(" + taken + ")" + RECORD_TYPE, false));
    }

    /** The next value of the record in a local → stack. */
    static void take(InsnList to, Type type, int record) {
        to.add(new VarInsnNode(Opcodes.ALOAD, record));
        String name = switch (type.getSort()) {
            case Type.LONG -> "takeLong()J";
            case Type.FLOAT -> "takeFloat()F";
            case Type.DOUBLE -> "takeDouble()D";
            case Type.OBJECT, Type.ARRAY -> "takeReference()Ljava/lang/Object;";
            default -> "takeInt()I";
        };
        int brace = name.indexOf('(');
        to.add(new MethodInsnNode(
                Opcodes.INVOKEVIRTUAL, RECORD, name.substring(0, brace), name.substring(brace), false));
        if (type.getSort() >= Type.ARRAY && !type.getInternalName().equals(ClassHierarchy.OBJECT)) {
            to.add(new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
        }
    }

    static boolean isReference(Type type) {
        return type.getSort() >= Type.ARRAY;
    }

    /** Whether a value is always null: it needs not be saved. */
    static boolean isNull(BasicValue value) {
        return value.getType() != null
                && value.isReference()
                && value.getType().getDescriptor().equals("Lnull;");
    }

    /** An object on the stack → the value of that type. */
    static void unbox(InsnList to, Type type) {
        if (isReference(type)) {
            if (!type.getInternalName().equals(ClassHierarchy.OBJECT)) {
                to.add(new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
            }
            return;
        }
        String box = boxOf(type);
        to.add(new TypeInsnNode(Opcodes.CHECKCAST, box));
        to.add(new MethodInsnNode(
                Opcodes.INVOKEVIRTUAL, box, type.getClassName() + "Value", "()" + type.getDescriptor(), false));
    }

    /** A value of that type on the stack, nothing for void → an object, null for void. */
    static void box(InsnList to, Type type) {
        if (type.getSort() == Type.VOID) {
            to.add(new InsnNode(Opcodes.ACONST_NULL));
        } else if (!isReference(type)) {
            String box = boxOf(type);
            to.add(new MethodInsnNode(
                    Opcodes.INVOKESTATIC, box, "valueOf", "(" + type.getDescriptor() + ")L" + box + ";", false));
        }
    }

    private static String boxOf(Type primitive) {
        return switch (primitive.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.BYTE -> "java/lang/Byte";
            case Type.CHAR -> "java/lang/Character";
            case Type.SHORT -> "java/lang/Short";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            default -> "java/lang/Double";
        };
    }
}
