package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.capture.frames.CaptureSites;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Reads off a finished class at which bytecode indices a frame can be captured: where a handler saves it. */
final class CallRanges extends ClassVisitor {
    private final Map<Label, Integer> offsets = new HashMap<>();
    private final CaptureSites sites;
    private String name = "";

    /** Of the instruction that is being visited. */
    private int offset;

    private CallRanges(CaptureSites sites) {
        super(Opcodes.ASM9);
        this.sites = sites;
    }

    static void tell(byte[] classFile, CaptureSites sites) {
        CallRanges ranges = new CallRanges(sites);
        new ClassReader(classFile) {
            @Override
            protected Label readLabel(int bytecodeOffset, Label[] labels) {
                Label label = super.readLabel(bytecodeOffset, labels);
                ranges.offsets.put(label, bytecodeOffset);
                return label;
            }

            @Override
            protected void readBytecodeInstructionOffset(int bytecodeOffset) {
                ranges.offset = bytecodeOffset;
            }
        }.accept(ranges, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
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
        List<Integer> found = new ArrayList<>(0);
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
                if (Emit.SIGNAL.equals(type)) {
                    found.add(offsets.getOrDefault(start, 0));
                    found.add(offsets.getOrDefault(end, 0));
                }
            }

            private int call;

            // A constructor's call of super(…), for which no handler can be, is followed by the frame's end.
            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String desc, boolean isInterface) {
                if (owner.equals(Emit.FRAMES) && called.equals("constructed")) {
                    found.add(call);
                    found.add(call + 1);
                }
                call = offset;
                if (owner.equals(name) && called.equals(method + MethodVersions.SUFFIX)) {
                    // the first version waits for the second, which saves the frame of both
                    found.add(call);
                    found.add(call + 1);
                }
            }

            @Override
            public void visitEnd() {
                if (!found.isEmpty()) {
                    sites.add(
                            name + "." + method + descriptor,
                            found.stream().mapToInt(Integer::intValue).toArray());
                }
            }
        };
    }
}
