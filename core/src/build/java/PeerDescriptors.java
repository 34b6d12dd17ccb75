import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Build step: gives {@code mpi.MPI} the members that class files compiled against MPJ Express name by another descriptor.
 *
 * <pre>
 *   field   COMM_SELF Lmpi/Comm;   the same object as COMM_SELF Lmpi/Intracomm;, set at the end of the class initializer
 *   method  Buffer_detach ()V      calls Buffer_detach ()[B and drops its result
 * </pre>
 *
 * The Java language has no two fields or static methods that differ by type only; the virtual machine finds members by
 * name and descriptor (JVMS 5.4.3.2, 5.4.3.3). They are synthetic, so that compilers do not see them; not bridges, which
 * javac does see. Run by the Maven build as a source file, in Maven's own JVM (17 or later):
 * {@code java -cp asm.jar PeerDescriptors.java target/classes}. A class that has the members already stays as it is.
 */
public final class PeerDescriptors extends ClassVisitor {
    private static final String MPI = "mpi/MPI";
    private static final String SELF = "COMM_SELF";
    private static final String SELF_HERE = "Lmpi/Intracomm;";
    private static final String SELF_THERE = "Lmpi/Comm;";
    private static final String DETACH = "Buffer_detach";
    private static final String DETACH_HERE = "()[B";
    private static final String DETACH_THERE = "()V";

    private boolean selfHere;
    private boolean detachHere;
    private boolean initializer;
    private boolean done;

    private PeerDescriptors(ClassWriter out) {
        super(Opcodes.ASM9, out);
    }

    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0], MPI + ".class");
        byte[] before = Files.readAllBytes(file);
        ClassReader reader = new ClassReader(before);
        ClassWriter writer = new ClassWriter(reader, 0);
        PeerDescriptors members = new PeerDescriptors(writer);
        reader.accept(members, 0);
        if (!members.done) {
            Files.write(file, writer.toByteArray());
        }
    }

    @Override
    public FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
        selfHere |= name.equals(SELF) && type.equals(SELF_HERE);
        done |= name.equals(SELF) && type.equals(SELF_THERE);
        return super.visitField(access, name, type, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
        detachHere |= name.equals(DETACH) && type.equals(DETACH_HERE);
        MethodVisitor code = super.visitMethod(access, name, type, signature, thrown);
        if (!name.equals("<clinit>")) {
            return code;
        }
        initializer = true;
        return new MethodVisitor(Opcodes.ASM9, code) {
            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.RETURN) {
                    visitFieldInsn(Opcodes.GETSTATIC, MPI, SELF, SELF_HERE);
                    visitFieldInsn(Opcodes.PUTSTATIC, MPI, SELF, SELF_THERE);
                }
                super.visitInsn(opcode);
            }
        };
    }

    @Override
    public void visitEnd() {
        if (!done) {
            if (!selfHere || !detachHere || !initializer) {
                throw new IllegalStateException(MPI + " has no " + SELF + " " + SELF_HERE + " or no " + DETACH
                        + DETACH_HERE + " any more: adapt this build step");
            }
            int shown = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
            super.visitField(shown | Opcodes.ACC_FINAL, SELF, SELF_THERE, null, null).visitEnd();
            MethodVisitor code = super.visitMethod(shown, DETACH, DETACH_THERE, null, null);
            code.visitCode();
            code.visitMethodInsn(Opcodes.INVOKESTATIC, MPI, DETACH, DETACH_HERE, false);
            code.visitInsn(Opcodes.POP);
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(1, 0);
            code.visitEnd();
        }
        super.visitEnd();
    }
}
