package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Which classes the code of a class may name (JVMS 5.4.4). The type of a value may be none of them: the verifier takes
 * {@code c ? new StringBuilder() : new StringBuffer()} for their superclass, which is package-private, and a public method may
 * give an object of a class that its own package alone may name. A cast to such a class is an IllegalAccessError.
 *
 * <p>What counts is the flag in the class file: a nested class is public there where it is protected, package-private where it
 * is private. Packages are told by their names: no program is known that has one in two loaders.
 */
final class Access {
    private final ClassHierarchy hierarchy;
    private final String from;

    /**
     * That of a class.
     *
     * @param from its internal name
     */
    Access(ClassHierarchy hierarchy, String from) {
        this.hierarchy = hierarchy;
        this.from = from;
    }

    boolean allows(String type) {
        return packageOf(type).equals(packageOf(from))
                || ((hierarchy.get(type).access() & Opcodes.ACC_PUBLIC) != 0
                        && (hierarchy.isProgram(type) || isExported(packageOf(type))));
    }

    boolean allows(Type type) {
        Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
        return element.getSort() != Type.OBJECT || allows(element.getInternalName());
    }

    /** A type, or the one nearest above it that may be named. */
    Type nearest(Type type) {
        if (allows(type)) {
            return type;
        }
        if (type.getSort() == Type.ARRAY) {
            return Type.getType("[".repeat(type.getDimensions())
                    + nearest(type.getElementType()).getDescriptor());
        }
        String above = hierarchy.get(type.getInternalName()).superName();
        return nearest(Type.getObjectType(above == null ? ClassHierarchy.OBJECT : above));
    }

    /**
     * A site that keeps values by types that may be named.
     *
     * @param hidden takes the names of those that may not
     */
    Site confined(Site site, Set<String> hidden) {
        CallFrame frame = new CallFrame(site.frame());
        for (int local = 0; local < frame.getLocals(); local++) {
            if (site.live().get(local) || frame.monitors().contains(local)) {
                frame.setLocal(local, confined(frame.getLocal(local), hidden));
            }
        }
        int operands = frame.getStackSize() - site.arguments().size();
        for (int i = 0; i < operands; i++) {
            frame.setStack(i, confined(frame.getStack(i), hidden));
        }
        List<Type> arguments = new ArrayList<>();
        for (Type declared : site.arguments()) {
            Type kept = declared;
            if (site.keepsArguments() && !allows(declared)) {
                // where the method's own type may not be named that of the value often may
                BasicValue value = frame.getStack(operands + arguments.size());
                kept = nearest(Emit.isNull(value) ? declared : value.getType());
                hidden.add(declared.getClassName());
            }
            arguments.add(kept);
        }
        return new Site(site.at(), site.call(), frame, site.live(), site.keepsArguments(), arguments);
    }

    private BasicValue confined(BasicValue value, Set<String> hidden) {
        Type type = value.getType();
        if (type == null || value instanceof Pending || Emit.isNull(value) || allows(type)) {
            return value;
        }
        hidden.add(type.getClassName());
        return new BasicValue(nearest(type));
    }

    /** Whether programs may name public classes of a package that is not their own. */
    private static boolean isExported(String folder) {
        if (folder.isEmpty() || folder.startsWith("java/")) {
            return true;
        }
        String name = folder.substring(0, folder.length() - 1).replace('/', '.');
        for (Module module : ModuleLayer.boot().modules()) {
            if (module.getPackages().contains(name)) {
                return module.isExported(
                        name, ClassLoader.getSystemClassLoader().getUnnamedModule());
            }
        }
        return true;
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('/') + 1);
    }
}
