package org.gridmpj.capture.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * The program's classes, and those of the JDK and of GridMPJ that they refer to, read when asked for. A class that is not
 * there counts as a public direct subclass of Object. All methods lock this: classes are loaded by any thread.
 */
final class ClassHierarchy {
    static final String OBJECT = "java/lang/Object";

    /** The one class of GridMPJ that is a program: that of the job from which start-up caches are made. */
    private static final String REHEARSAL = "org/gridmpj/launcher/Rehearsal";

    private final Map<String, ClassInfo> classes = new HashMap<>();

    /** What {@link #supertypes} has found. */
    private final Map<String, Set<String>> supertypes = new HashMap<>();

    private final @Nullable ClassLoader others;

    /**
     * Empty.
     *
     * @param others finds class files that are not the program's
     */
    ClassHierarchy(@Nullable ClassLoader others) {
        this.others = others;
    }

    /**
     * Adds a class of the program, unless it is none: of another name than its place gives it, or one that GridMPJ has too
     * and that is found there first, as where a program brings another mpi package along.
     *
     * @return whether it was added
     */
    synchronized boolean addProgram(String name, byte[] classFile) {
        try {
            ClassInfo info = ClassScan.program(classFile);
            if (!info.name().equals(name) || isOurs(name)) {
                return false;
            }
            ReflectionBridges.wrappers(info).forEach(wrapper -> info.methods().put(wrapper.signature(), wrapper));
            Initializers.methods(info).forEach(each -> info.methods().put(each.signature(), each));
            classes.put(name, info);
            supertypes.clear();
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false; // damaged, or of a version to come: the JVM would not take it either
        }
    }

    /** Adds a class of GridMPJ that stands in for the JDK's in programs. */
    synchronized void addLibrary(byte[] classFile) {
        ClassInfo info = ClassScan.program(classFile);
        classes.put(info.name(), info);
        supertypes.clear();
    }

    /** The file of a class that is not the program's; null if there is none. */
    @Nullable
    InputStream file(String name) {
        String file = name + ".class";
        return others == null ? ClassLoader.getSystemResourceAsStream(file) : others.getResourceAsStream(file);
    }

    private static boolean isOurs(String name) {
        boolean named = name.startsWith("mpi/") || name.startsWith("mpj/") || name.startsWith("org/gridmpj/");
        if (!named || name.equals(REHEARSAL)) {
            return false;
        }
        URL there = ClassLoader.getSystemResource(name + ".class");
        CodeSource own = ClassHierarchy.class.getProtectionDomain().getCodeSource();
        return there != null
                && own != null
                && there.toString().contains(own.getLocation().getPath() + "!/");
    }

    synchronized Collection<ClassInfo> program() {
        List<ClassInfo> program = new ArrayList<>();
        for (ClassInfo info : classes.values()) {
            if (info.program()) {
                program.add(info);
            }
        }
        return program;
    }

    synchronized boolean isProgram(String name) {
        ClassInfo info = classes.get(name);
        return info != null && info.program();
    }

    synchronized ClassInfo get(String name) {
        ClassInfo known = classes.get(name);
        if (known != null) {
            return known;
        }
        ClassInfo read = read(name);
        classes.put(name, read);
        return read;
    }

    private ClassInfo read(String name) {
        try (InputStream in = file(name)) {
            if (in != null) {
                return ClassScan.other(in.readAllBytes());
            }
        } catch (IOException | IllegalArgumentException e) {
            // as if it were not there
        }
        return new ClassInfo(name, OBJECT, List.of(), Opcodes.ACC_PUBLIC, false, Map.of());
    }

    synchronized boolean isInterface(String name) {
        return !name.startsWith("[") && (get(name).access() & Opcodes.ACC_INTERFACE) != 0;
    }

    /** Whether a class is the other or below it. Interfaces included; arrays are below Object and what all arrays are. */
    synchronized boolean isSubtype(String type, String above) {
        if (type.equals(above) || above.equals(OBJECT)) {
            return true;
        }
        if (type.startsWith("[")) {
            return above.equals("java/lang/Cloneable") || above.equals("java/io/Serializable");
        }
        return supertypes(type).contains(above);
    }

    /** A class and all above it, superclasses and their interfaces in the order in which a method is looked for. */
    synchronized Set<String> supertypes(String type) {
        Set<String> known = supertypes.get(type);
        if (known == null) {
            known = new LinkedHashSet<>();
            for (String name = type; name != null; name = get(name).superName()) {
                known.add(name);
            }
            for (String name : List.copyOf(known)) {
                addInterfaces(name, known);
            }
            supertypes.put(type, known);
        }
        return known;
    }

    private void addInterfaces(String type, Set<String> to) {
        for (String each : get(type).interfaces()) {
            if (to.add(each)) {
                addInterfaces(each, to);
            }
        }
    }

    /** The nearest common superclass as the verifier has it: interfaces count as Object. */
    synchronized String commonSuperclass(String a, String b) {
        if (isSubtype(a, b)) {
            return b;
        }
        if (isSubtype(b, a)) {
            return a;
        }
        if (isInterface(a) || isInterface(b)) {
            return OBJECT;
        }
        String above = a;
        do {
            String next = get(above).superName();
            above = next == null ? OBJECT : next;
        } while (!isSubtype(b, above));
        return above;
    }

    /** Whether a class is of the facade, whose calls can be capture points: {@code mpi}, {@code mpj}, the 2005 names. */
    synchronized boolean isFacade(String name) {
        if (isProgram(name) || name.startsWith("[")) {
            return false;
        }
        return name.startsWith("mpi/") || name.startsWith("mpj/") || name.indexOf('/') < 0;
    }

    /** The program's method that a call to this class and signature finds upwards, or null. */
    synchronized @Nullable MethodInfo resolve(String owner, String signature) {
        if (owner.startsWith("[")) {
            return null;
        }
        for (String name : supertypes(owner)) {
            MethodInfo method = get(name).methods().get(signature);
            if (method != null) {
                return method;
            }
        }
        return null;
    }
}
