package org.gridmpj.capture.frames;

import static org.objectweb.asm.Opcodes.*;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * The class file of a program whose finally blocks are subroutines, with calls in bodies and in subroutines, as compilers wrote
 * them up to Java 1.4.
 */
final class Subroutines {
    static final String MAIN = "old.Subroutines";

    private static final String NAME = "old/Subroutines";
    private static final String SETTINGS = "old/Settings";
    private static final String WORK = "(J)J";
    private static final String VOID = "()V";
    private static final String BUILDER = "java/lang/StringBuilder";
    private static final String OUT_TYPE = "L" + BUILDER + ";";

    private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);

    private Subroutines(int version) {
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, NAME, null, "java/lang/Object", null);
        writer.visitField(ACC_STATIC | ACC_FINAL, "OUT", OUT_TYPE, null, null).visitEnd();
        writer.visitField(ACC_STATIC, "total", "J", null, null).visitEnd();
        initializer();
        main();
        bothWays();
        nested();
        leaves();
        onStack();
        locked();
        writer.visitEnd();
    }

    /** Class files by internal name. */
    static Map<String, byte[]> classFiles(int version) {
        return Map.of(NAME, new Subroutines(version).writer.toByteArray(), SETTINGS, settings(version));
    }

    /** A method that has a long in local variables 0 and 1. */
    private MethodVisitor work(String name) {
        return method(ACC_STATIC, name, WORK);
    }

    private MethodVisitor method(int access, String name, String descriptor) {
        MethodVisitor code = writer.visitMethod(access, name, descriptor, null, null);
        code.visitCode();
        return code;
    }

    private static void end(MethodVisitor code, int instruction) {
        code.visitInsn(instruction);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void endWithRet(MethodVisitor code, int local) {
        code.visitVarInsn(RET, local);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void call(MethodVisitor code) {
        code.visitMethodInsn(INVOKESTATIC, "mpj/Probe", "Call", WORK, false);
    }

    /** {@code total += Call(local)}, with total on the stack during the call. */
    private static void addToTotal(MethodVisitor code, int local) {
        code.visitFieldInsn(GETSTATIC, NAME, "total", "J");
        code.visitVarInsn(LLOAD, local);
        call(code);
        code.visitInsn(LADD);
        code.visitFieldInsn(PUTSTATIC, NAME, "total", "J");
    }

    private static void guard(
            MethodVisitor code,
            Label from,
            Label to,
            Label handler,
            @Nullable String caught,
            int local,
            Label subroutine) {
        code.visitTryCatchBlock(from, to, handler, caught);
        code.visitLabel(handler);
        code.visitVarInsn(ASTORE, local);
        code.visitJumpInsn(JSR, subroutine);
        code.visitVarInsn(ALOAD, local);
        code.visitInsn(ATHROW);
    }

    private static Label label(MethodVisitor code) {
        Label here = new Label();
        code.visitLabel(here);
        return here;
    }

    /** {@code static { OUT = new StringBuilder(); }} */
    private void initializer() {
        MethodVisitor code = method(ACC_STATIC, "<clinit>", VOID);
        code.visitTypeInsn(NEW, BUILDER);
        code.visitInsn(DUP);
        code.visitMethodInsn(INVOKESPECIAL, BUILDER, "<init>", VOID, false);
        code.visitFieldInsn(PUTSTATIC, NAME, "OUT", OUT_TYPE);
        end(code, RETURN);
    }

    /** {@code static { try { start = Call(4); } finally { start += Call(5); } }} */
    private static byte[] settings(int version) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(version, ACC_SUPER, SETTINGS, null, "java/lang/Object", null);
        writer.visitField(ACC_STATIC | ACC_FINAL, "START", "J", null, null).visitEnd();
        MethodVisitor code = writer.visitMethod(ACC_STATIC, "<clinit>", VOID, null, null);
        code.visitCode();
        Label subroutine = new Label();
        code.visitLdcInsn(4L);
        call(code);
        code.visitFieldInsn(PUTSTATIC, SETTINGS, "START", "J");
        code.visitJumpInsn(JSR, subroutine);
        code.visitInsn(RETURN);
        code.visitLabel(subroutine);
        code.visitVarInsn(ASTORE, 0);
        code.visitFieldInsn(GETSTATIC, SETTINGS, "START", "J");
        code.visitLdcInsn(5L);
        call(code);
        code.visitInsn(LADD);
        code.visitFieldInsn(PUTSTATIC, SETTINGS, "START", "J");
        endWithRet(code, 0);
        writer.visitEnd();
        return writer.toByteArray();
    }

    private void main() {
        MethodVisitor code = method(ACC_PUBLIC | ACC_STATIC, "main", "([Ljava/lang/String;)V");
        for (String each : new String[] {"bothWays", "nested", "leaves", "onStack", "locked"}) {
            for (long argument = 0; argument < 3; argument++) {
                attempt(code, each, argument);
            }
        }
        code.visitFieldInsn(GETSTATIC, NAME, "total", "J");
        say(code);
        code.visitFieldInsn(GETSTATIC, SETTINGS, "START", "J");
        say(code);
        end(code, RETURN);
    }

    /** {@code try { say(method(argument)); } catch (ArithmeticException e) { say(-1); }} */
    private static void attempt(MethodVisitor code, String method, long argument) {
        Label handler = new Label();
        Label done = new Label();
        Label from = label(code);
        code.visitLdcInsn(argument);
        code.visitMethodInsn(INVOKESTATIC, NAME, method, WORK, false);
        say(code);
        Label to = label(code);
        code.visitJumpInsn(GOTO, done);
        code.visitTryCatchBlock(from, to, handler, "java/lang/ArithmeticException");
        code.visitLabel(handler);
        code.visitInsn(POP);
        code.visitLdcInsn(-1L);
        say(code);
        code.visitLabel(done);
    }

    private static void say(MethodVisitor code) {
        code.visitFieldInsn(GETSTATIC, NAME, "OUT", OUT_TYPE);
        code.visitInsn(DUP_X2);
        code.visitInsn(POP);
        code.visitMethodInsn(INVOKEVIRTUAL, BUILDER, "append", "(J)" + OUT_TYPE, false);
        code.visitIntInsn(BIPUSH, ' ');
        code.visitMethodInsn(INVOKEVIRTUAL, BUILDER, "append", "(C)" + OUT_TYPE, false);
        code.visitInsn(POP);
    }

    /** {@code try { return Call(a) / a; } finally { total += Call(a); }}: one subroutine, called from two places. */
    private void bothWays() {
        MethodVisitor code = work("bothWays");
        Label subroutine = new Label();
        Label handler = new Label();
        Label from = label(code);
        divide(code, 0, 0);
        Label to = label(code);
        code.visitJumpInsn(JSR, subroutine);
        code.visitVarInsn(LLOAD, 2);
        code.visitInsn(LRETURN);
        guard(code, from, to, handler, null, 4, subroutine);
        code.visitLabel(subroutine);
        code.visitVarInsn(ASTORE, 5);
        addToTotal(code, 0);
        endWithRet(code, 5);
    }

    /** {@code x = Call(local) / (a - less)}. */
    private static void divide(MethodVisitor code, int local, long less) {
        code.visitVarInsn(LLOAD, local);
        call(code);
        code.visitVarInsn(LLOAD, 0);
        code.visitLdcInsn(less);
        code.visitInsn(LSUB);
        code.visitInsn(LDIV);
        code.visitVarInsn(LSTORE, 2);
    }

    /**
     * {@code try { try { x = Call(a) / a; } finally { total += Call(x); … } x = Call(x) / (a - 1); } finally { … }}, where the
     * outer subroutine has such a try of its own, whose finally block has a loop.
     */
    private void nested() {
        MethodVisitor code = work("nested");
        Label inner = new Label();
        Label outer = new Label();
        Label shared = new Label();
        Label innerHandler = new Label();
        Label outerHandler = new Label();
        Label againHandler = new Label();
        Label behind = new Label();
        code.visitInsn(LCONST_0);
        code.visitVarInsn(LSTORE, 2);
        Label from = label(code);
        divide(code, 0, 0);
        Label innerTo = label(code);
        code.visitJumpInsn(JSR, inner);
        code.visitJumpInsn(GOTO, behind);
        guard(code, from, innerTo, innerHandler, null, 4, inner);
        code.visitLabel(behind);
        divide(code, 2, 1);
        Label outerTo = label(code);
        code.visitJumpInsn(JSR, outer);
        code.visitVarInsn(LLOAD, 2);
        code.visitInsn(LRETURN);
        guard(code, from, outerTo, outerHandler, "java/lang/Throwable", 5, outer);

        code.visitLabel(inner);
        code.visitVarInsn(ASTORE, 6);
        addToTotal(code, 2);
        addToTotal(code, 0);
        code.visitVarInsn(RET, 6);

        code.visitLabel(outer);
        code.visitVarInsn(ASTORE, 7);
        Label again = label(code);
        divide(code, 2, 2);
        Label againTo = label(code);
        code.visitJumpInsn(JSR, shared);
        addToTotal(code, 0);
        code.visitVarInsn(RET, 7);
        guard(code, again, againTo, againHandler, null, 10, shared);

        code.visitLabel(shared);
        code.visitVarInsn(ASTORE, 8);
        code.visitInsn(ICONST_2);
        code.visitVarInsn(ISTORE, 9);
        Label loop = label(code);
        addToTotal(code, 0);
        code.visitIincInsn(9, -1);
        code.visitVarInsn(ILOAD, 9);
        code.visitJumpInsn(IFGT, loop);
        endWithRet(code, 8);
    }

    /** {@code for (i = 0; i < 3; i++) { try { total += Call(a); } finally { total += Call(a); if (i == a) continue; … } }} */
    private void leaves() {
        MethodVisitor code = work("leaves");
        Label subroutine = new Label();
        Label handler = new Label();
        Label next = new Label();
        code.visitInsn(LCONST_0);
        code.visitVarInsn(LSTORE, 2);
        Label loop = label(code);
        Label from = label(code);
        addToTotal(code, 0);
        Label to = label(code);
        code.visitJumpInsn(JSR, subroutine);
        addToTotal(code, 2);
        code.visitJumpInsn(GOTO, next);
        guard(code, from, to, handler, null, 4, subroutine);
        code.visitLabel(subroutine);
        code.visitVarInsn(ASTORE, 5);
        addToTotal(code, 0);
        code.visitVarInsn(LLOAD, 2);
        code.visitVarInsn(LLOAD, 0);
        code.visitInsn(LCMP);
        code.visitJumpInsn(IFEQ, next);
        code.visitVarInsn(RET, 5);
        code.visitLabel(next);
        code.visitVarInsn(LLOAD, 2);
        code.visitInsn(LCONST_1);
        code.visitInsn(LADD);
        code.visitInsn(DUP2);
        code.visitVarInsn(LSTORE, 2);
        code.visitLdcInsn(3L);
        code.visitInsn(LCMP);
        code.visitJumpInsn(IFLT, loop);
        code.visitFieldInsn(GETSTATIC, NAME, "total", "J");
        end(code, LRETURN);
    }

    /** A subroutine adds to what its two callers have on the stack. */
    private void onStack() {
        MethodVisitor code = work("onStack");
        Label subroutine = new Label();
        code.visitVarInsn(LLOAD, 0);
        call(code);
        code.visitJumpInsn(JSR, subroutine);
        code.visitVarInsn(LLOAD, 0);
        call(code);
        code.visitInsn(LADD);
        code.visitJumpInsn(JSR, subroutine);
        code.visitInsn(LRETURN);
        code.visitLabel(subroutine);
        code.visitVarInsn(ASTORE, 2);
        code.visitVarInsn(LLOAD, 0);
        call(code);
        code.visitInsn(LADD);
        endWithRet(code, 2);
    }

    /** {@code synchronized (OUT) { return Call(a) / a; }}: the subroutine gives the monitor back, then calls. */
    private void locked() {
        MethodVisitor code = work("locked");
        Label subroutine = new Label();
        Label handler = new Label();
        code.visitFieldInsn(GETSTATIC, NAME, "OUT", OUT_TYPE);
        code.visitInsn(DUP);
        code.visitVarInsn(ASTORE, 4);
        code.visitInsn(MONITORENTER);
        Label from = label(code);
        divide(code, 0, 0);
        Label to = label(code);
        code.visitJumpInsn(JSR, subroutine);
        code.visitVarInsn(LLOAD, 2);
        code.visitInsn(LRETURN);
        guard(code, from, to, handler, null, 5, subroutine);
        code.visitLabel(subroutine);
        code.visitVarInsn(ASTORE, 6);
        code.visitVarInsn(ALOAD, 4);
        code.visitInsn(MONITOREXIT);
        addToTotal(code, 0);
        endWithRet(code, 6);
    }
}
