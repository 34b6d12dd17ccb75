package org.gridmpj.launcher.program;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.gridmpj.runtime.ArgsLayout;

/**
 * What a program's class file tells about the dialect that it is written in.
 *
 * @param layout what its main most probably expects in its arguments: the capitalised API is most often used as MPJ
 *     Express has it; the lower-case API and the 2005 names pass the user's own
 * @param usesDraftNames whether it uses class MPJ of the default package
 * @param cooperative whether it takes its snapshots itself
 */
public record ProgramTraits(ArgsLayout layout, boolean usesDraftNames, boolean cooperative) {
    private static final int MAGIC = 0xCAFEBABE;

    /** Reads the constants of a class file. */
    public static ProgramTraits of(byte[] classFile) {
        Set<String> classes = new HashSet<>();
        Set<String> names = new HashSet<>();
        try {
            readConstants(classFile, classes, names);
        } catch (IOException e) {
            return new ProgramTraits(ArgsLayout.CLEAN, false, false);
        }
        boolean draft = classes.contains("MPJ");
        boolean capitalised = classes.stream().anyMatch(name -> name.startsWith("mpi/"))
                && (names.contains("Init") || (names.contains("COMM_WORLD") && names.contains("Rank")));
        boolean lowerCase = names.contains("getRank") || names.contains("getSize");
        boolean cooperative = classes.stream()
                .anyMatch(name -> name.startsWith("org/gridmpj/ateam/") || name.equals("mpj/UserProgWrapper"));
        return new ProgramTraits(
                capitalised && !lowerCase && !draft ? ArgsLayout.MPJEXPRESS : ArgsLayout.CLEAN, draft, cooperative);
    }

    /** Chapter 4.4 of the JVM specification; only classes and names are kept. */
    private static void readConstants(byte[] classFile, Set<String> classes, Set<String> names) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        if (in.readInt() != MAGIC) {
            throw new IOException("no class file");
        }
        in.readInt();
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] classNames = new int[count];
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7 -> classNames[i] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.readUnsignedShort();
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.readInt();
                case 5, 6 -> {
                    in.readLong();
                    i++;
                }
                default -> throw new IOException("unknown constant " + tag);
            }
        }
        for (int i = 1; i < count; i++) {
            if (texts[i] != null) {
                names.add(texts[i]);
            }
            if (classNames[i] != 0 && texts[classNames[i]] != null) {
                classes.add(texts[classNames[i]]);
            }
        }
    }

    /** Whether main does more with its arguments than handing them to MPI.Init. */
    public static boolean mainReadsArguments(byte[] classFile) {
        ClassModel model = ClassFile.of().parse(classFile);
        for (MethodModel method : model.methods()) {
            if (method.methodName().equalsString("main")
                    && method.methodType().equalsString("([Ljava/lang/String;)V")
                    && method.code().isPresent()) {
                return readsSlotZero(method.code().get().elementList());
            }
        }
        return false;
    }

    private static boolean readsSlotZero(List<CodeElement> code) {
        boolean loaded = false;
        for (CodeElement element : code) {
            if (loaded && element instanceof Instruction) {
                boolean init = element instanceof InvokeInstruction call
                        && call.opcode() == Opcode.INVOKESTATIC
                        && call.name().stringValue().toLowerCase(Locale.ROOT).startsWith("init");
                if (!init) {
                    return true;
                }
                loaded = false;
            }
            if (element instanceof LoadInstruction load && load.slot() == 0) {
                loaded = true;
            }
        }
        return false;
    }
}
