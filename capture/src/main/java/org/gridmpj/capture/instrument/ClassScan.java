package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.Lambda;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Reads a class file for the call graph. */
final class ClassScan extends ClassVisitor {
    static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";

    private final Map<String, MethodInfo> methods = new HashMap<>();
    private String name = "";

    private ClassScan() {
        super(Opcodes.ASM9);
    }

    /** With all calls. */
    static ClassInfo program(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassScan scan = new ClassScan();
        reader.accept(scan, ClassReader.SKIP_FRAMES);
        return info(reader, true, scan.methods);
    }

    /** The place in the hierarchy only. */
    static ClassInfo other(byte[] classFile) {
        return info(new ClassReader(classFile), false, Map.of());
    }

    private static ClassInfo info(ClassReader reader, boolean program, Map<String, MethodInfo> methods) {
        return new ClassInfo(
                reader.getClassName(),
                reader.getSuperName(),
                List.of(reader.getInterfaces()),
                reader.getAccess(),
                program,
                methods);
    }

    @Override
    public void visit(
            int version,
            int access,
            String className,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        name = className;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String method, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        List<Call> calls = new ArrayList<>(4);
        List<Lambda> lambdas = new ArrayList<>(0);
        Set<String> uses = new HashSet<>(4);
        return new MethodVisitor(Opcodes.ASM9) {
            private int first;
            private int line;

            @Override
            public void visitLineNumber(int number, Label start) {
                line = number;
                first = first == 0 ? number : first;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String desc, boolean isInterface) {
                calls.add(new Call(opcode, owner, called, called + desc, line));
                if (opcode == Opcodes.INVOKESTATIC) {
                    uses(owner);
                }
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String field, String desc) {
                if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) {
                    uses(owner);
                }
            }

            @Override
            public void visitTypeInsn(int opcode, String used) {
                if (opcode == Opcodes.NEW) {
                    uses(used);
                }
            }

            private void uses(String other) {
                if (!other.equals(name) && !other.startsWith("java/")) {
                    uses.add(other);
                }
            }

            @Override
            public void visitInvokeDynamicInsn(String sam, String desc, Handle bootstrap, Object... arguments) {
                if (bootstrap.getOwner().equals(METAFACTORY)) {
                    Handle target = (Handle) arguments[1];
                    lambdas.add(new Lambda(
                            Type.getReturnType(desc).getInternalName(),
                            sam + ((Type) arguments[0]).getDescriptor(),
                            target.getOwner(),
                            target.getName() + target.getDesc(),
                            calls.size(),
                            line));
                }
            }

            @Override
            public void visitEnd() {
                methods.put(
                        method + descriptor,
                        new MethodInfo(name, method + descriptor, access, calls, lambdas, uses, first));
            }
        };
    }
}
