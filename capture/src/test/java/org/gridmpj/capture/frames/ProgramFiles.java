package org.gridmpj.capture.frames;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.gridmpj.capture.instrument.ProgramPath;
import org.gridmpj.capture.instrument.ProgramTransformer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The class files of a program and its libraries, analysed and instrumented once for all loaders that define them. */
final class ProgramFiles {
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, Made> made = new ConcurrentHashMap<>();
    private final ProgramTransformer transformer;

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Made(byte[] file, boolean initialized) {}

    ProgramFiles(List<Path> classPath) {
        new ProgramPath(classPath).forEach((name, file) -> files.put(name.replace('/', '.'), file));
        transformer = ProgramTransformer.of(classPath, ProgramFiles.class.getClassLoader());
    }

    CaptureSites sites() {
        return transformer.sites();
    }

    /** A class as the agent makes it for a loader; null if it is not of the program. */
    byte @Nullable [] made(String name, ClassLoader loader) {
        Made known = made.get(name);
        if (known != null) {
            if (!known.initialized()) {
                ProgramStatics.loaded(loader, name); // what the agent tells of each loader
            }
            return known.file();
        }
        byte[] original = original(name);
        if (original == null) {
            return null;
        }
        byte[] instrumented = transformer.transform(loader, name.replace('.', '/'), null, null, original);
        byte[] file = instrumented == null ? original : instrumented;
        made.put(name, new Made(file, hasInitializer(original)));
        return file;
    }

    private byte @Nullable [] original(String name) {
        if (!name.startsWith("org.gridmpj.capture.library.")) {
            return files.get(name);
        }
        try (InputStream in = ProgramFiles.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasInitializer(byte[] file) {
        boolean[] found = new boolean[1];
        new ClassReader(file)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public @Nullable MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                found[0] |= name.equals("<clinit>");
                                return null;
                            }
                        },
                        ClassReader.SKIP_CODE);
        return found[0];
    }
}
