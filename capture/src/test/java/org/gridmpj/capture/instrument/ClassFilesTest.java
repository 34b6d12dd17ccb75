package org.gridmpj.capture.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gridmpj.capture.frames.CaptureSites;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Class files that javac of today does not write. */
class ClassFilesTest {
    private static final String METHOD = "old/Program.work(I)J";

    @TempDir
    Path folder;

    @Test
    void shouldInstrumentSubroutinesOfJava5() throws Exception {
        ClassWriter writer = program(V1_5);
        MethodVisitor code = method(writer);
        Label subroutine = new Label();
        Label end = new Label();
        call(code);
        code.visitJumpInsn(JSR, subroutine);
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(subroutine);
        code.visitVarInsn(ASTORE, 1);
        call(code);
        code.visitInsn(POP2);
        code.visitVarInsn(RET, 1);
        code.visitLabel(end);
        code.visitInsn(LRETURN);
        finish(writer, code);

        CaptureSites sites = instrumented(writer);

        assertThat(sites.isKnown(METHOD)).isTrue();
        assertThat(sites.refusals()).isEmpty();
    }

    @Test
    void shouldRefuseByNameWhatWouldBecomeTooLarge() throws Exception {
        ClassWriter writer = program(V1_8);
        MethodVisitor code = method(writer);
        for (int i = 0; i < 5000; i++) {
            call(code);
            code.visitInsn(POP2);
        }
        code.visitInsn(LCONST_0);
        code.visitInsn(LRETURN);
        finish(writer, code);

        CaptureSites sites = instrumented(writer);

        assertThat(sites.isKnown(METHOD)).isFalse();
        assertThat(sites.refusals().get(METHOD)).contains("64 KB").contains("split it");
    }

    private static ClassWriter program(int version) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, "old/Program", null, "java/lang/Object", null);
        return writer;
    }

    private static MethodVisitor method(ClassWriter writer) {
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "work", "(I)J", null, null);
        code.visitCode();
        return code;
    }

    private static void call(MethodVisitor code) {
        code.visitVarInsn(ILOAD, 0);
        code.visitInsn(I2L);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "mpj/Probe", "Call", "(J)J", false);
    }

    private static void finish(ClassWriter writer, MethodVisitor code) {
        code.visitMaxs(4, 2);
        code.visitEnd();
        writer.visitEnd();
    }

    /** Defines the class too: the JVM verifies it. */
    private CaptureSites instrumented(ClassWriter writer) throws IOException, ClassNotFoundException {
        byte[] original = writer.toByteArray();
        Files.write(Files.createDirectories(folder.resolve("old")).resolve("Program.class"), original);
        ProgramTransformer transformer = ProgramTransformer.of(List.of(folder), ClassFilesTest.class.getClassLoader());
        byte[] made = transformer.transform(null, "old/Program", null, null, original);
        if (made == null) {
            throw new AssertionError("left as it was");
        }
        Class<?> type = new ClassLoader(ClassFilesTest.class.getClassLoader()) {
            Class<?> define() {
                return defineClass("old.Program", made, 0, made.length);
            }
        }.define();
        assertThat(Class.forName(type.getName(), true, type.getClassLoader()).getDeclaredMethods())
                .isNotEmpty();
        return transformer.sites();
    }
}
