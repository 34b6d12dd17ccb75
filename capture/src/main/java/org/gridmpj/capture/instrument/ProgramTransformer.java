package org.gridmpj.capture.instrument;

import java.lang.instrument.ClassFileTransformer;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import org.gridmpj.capture.frames.CaptureSites;
import org.jspecify.annotations.Nullable;

/** Instruments the classes of a program as they are loaded. Thread-safe. */
public final class ProgramTransformer implements ClassFileTransformer {
    private final ClassHierarchy hierarchy;
    private final CaptureSites sites;
    private final ClassInstrumenter instrumenter;

    private ProgramTransformer(ClassHierarchy hierarchy, CaptureSites sites, ClassInstrumenter instrumenter) {
        this.hierarchy = hierarchy;
        this.sites = sites;
        this.instrumenter = instrumenter;
    }

    /**
     * Analyses the program on a class path.
     *
     * @param others finds the class files of the JDK and of GridMPJ; null for the system's
     */
    public static ProgramTransformer of(List<Path> classPath, @Nullable ClassLoader others) {
        ClassHierarchy hierarchy = new ClassHierarchy(others);
        new ProgramPath(classPath).forEach(hierarchy::addProgram);
        Substitutions.addLibrary(hierarchy);
        CaptureSites sites = new CaptureSites(hierarchy::isProgram);
        return new ProgramTransformer(
                hierarchy, sites, new ClassInstrumenter(hierarchy, CallGraph.of(hierarchy), sites));
    }

    /** Where the program can be captured; grows as classes are loaded. */
    public CaptureSites sites() {
        return sites;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (className == null || redefined != null || !hierarchy.isProgram(className)) {
            return null;
        }
        try {
            return instrumenter.instrument(classFile, loader);
        } catch (RuntimeException | LinkageError e) {
            System.err.println("gridmpj: class " + className.replace('/', '.')
                    + " cannot be instrumented; a snapshot while it is on the stack will be deferred: " + e);
            return null;
        }
    }
}
