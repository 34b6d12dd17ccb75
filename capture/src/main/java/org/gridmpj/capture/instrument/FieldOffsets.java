package org.gridmpj.capture.instrument;

import java.util.Set;
import org.gridmpj.capture.frames.ProgramStatics;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Static fields that say where this JVM has put a field, as Unsafe asks for: another process finds its own. Lazy values of
 * Scala 3 have one each:
 *
 * <pre>
 *   static final long OFFSET = ….getOffsetStatic(X.class.getDeclaredField("value"));
 * </pre>
 */
final class FieldOffsets {
    private static final Set<String> SOURCES = Set.of(
            "objectFieldOffset(Ljava/lang/reflect/Field;)J",
            "getOffsetStatic(Ljava/lang/reflect/Field;)J",
            "getOffset(Ljava/lang/reflect/Field;)J");

    private FieldOffsets() {}

    /** Tells those that a class's static initialiser sets. */
    static void tell(ClassReader reader, ClassInfo info) {
        MethodInfo initializer = info.methods().get("<clinit>()V");
        if (initializer == null || initializer.calls().stream().noneMatch(call -> SOURCES.contains(call.signature()))) {
            return;
        }
        MethodNode code = new MethodNode(Opcodes.ASM9, Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return name.equals("<clinit>") ? code : null;
                    }
                },
                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        for (AbstractInsnNode each : code.instructions) {
            if (each instanceof FieldInsnNode field
                    && field.getOpcode() == Opcodes.PUTSTATIC
                    && field.owner.equals(info.name())
                    && each.getPrevious() instanceof MethodInsnNode offset
                    && SOURCES.contains(offset.name + offset.desc)
                    && offset.getPrevious() instanceof MethodInsnNode find
                    && find.name.equals("getDeclaredField")
                    && find.getPrevious() instanceof LdcInsnNode name
                    && name.cst instanceof String of
                    && name.getPrevious() instanceof LdcInsnNode owner
                    && owner.cst instanceof Type type) {
                ProgramStatics.offset(info.name().replace('/', '.'), field.name, type.getClassName(), of);
            }
        }
    }
}
