package org.gridmpj.capture.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Methods of the JDK that call the program back, and the methods of {@code capture.library} that do the same in frames that
 * can be captured. A call is replaced where the analysis says that a capture may happen during it; all others stay.
 */
final class Substitutions {
    static final String LIBRARY = "org/gridmpj/capture/library/";
    private static final String CALLBACKS = LIBRARY + "Callbacks";
    private static final List<String> CLASSES = List.of(CALLBACKS, LIBRARY + "Reflections");

    /**
     * A method of a type and those below it.
     *
     * @param receiver null for a static method of exactly the class {@code owner}
     */
    private record Replaced(String owner, @Nullable String receiver, String library, String name, String descriptor) {}

    private static final Map<String, List<Replaced>> BY_SIGNATURE = Map.ofEntries(
            method("java/lang/Iterable", "forEach", "(Ljava/util/function/Consumer;)V"),
            method("java/util/Iterator", "forEachRemaining", "(Ljava/util/function/Consumer;)V"),
            method("java/util/Map", "forEach", "(Ljava/util/function/BiConsumer;)V"),
            method(
                    "java/util/Map",
                    "computeIfAbsent",
                    "(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;"),
            method("java/util/Optional", "ifPresent", "(Ljava/util/function/Consumer;)V"),
            method("java/util/Optional", "ifPresentOrElse", "(Ljava/util/function/Consumer;Ljava/lang/Runnable;)V"),
            method("java/util/Optional", "map", "(Ljava/util/function/Function;)Ljava/util/Optional;"),
            method("java/util/Optional", "orElseGet", "(Ljava/util/function/Supplier;)Ljava/lang/Object;"),
            function("java/util/Arrays", "setAll", "([Ljava/lang/Object;Ljava/util/function/IntFunction;)V"),
            function("java/util/Arrays", "setAll", "([ILjava/util/function/IntUnaryOperator;)V"),
            function("java/util/Arrays", "setAll", "([JLjava/util/function/IntToLongFunction;)V"),
            function("java/util/Arrays", "setAll", "([DLjava/util/function/IntToDoubleFunction;)V"));

    /** They hold their monitor while they call back. */
    private static final Set<String> SYNCHRONIZED =
            Set.of("java/util/Vector", "java/util/Stack", "java/util/Hashtable", "java/util/Properties");

    private Substitutions() {}

    private static Map.Entry<String, List<Replaced>> method(String type, String name, String descriptor) {
        String withReceiver = "(L" + type + ";" + descriptor.substring(1);
        return Map.entry(name + descriptor, List.of(new Replaced(type, type, CALLBACKS, name, withReceiver)));
    }

    private static Map.Entry<String, List<Replaced>> function(String type, String name, String descriptor) {
        return Map.entry(name + descriptor, List.of(new Replaced(type, null, CALLBACKS, name, descriptor)));
    }

    static boolean isLibrary(String internalName) {
        return internalName.startsWith(LIBRARY);
    }

    /**
     * The call that may stand in the place of another one, or null.
     *
     * @param caller the class that makes it
     */
    static @Nullable Call of(ClassHierarchy hierarchy, String caller, Call call) {
        List<Replaced> candidates = BY_SIGNATURE.get(call.signature());
        if (candidates == null || isLibrary(caller) || call.opcode() == Opcodes.INVOKESPECIAL) {
            return null;
        }
        for (Replaced each : candidates) {
            boolean matches = each.receiver() == null
                    ? call.opcode() == Opcodes.INVOKESTATIC && call.owner().equals(each.owner())
                    : call.opcode() != Opcodes.INVOKESTATIC
                            && !call.owner().startsWith("[")
                            && !SYNCHRONIZED.contains(call.owner())
                            && hierarchy.isSubtype(call.owner(), each.receiver())
                            && hierarchy.resolve(call.owner(), call.signature()) == null;
            if (matches) {
                return new Call(
                        Opcodes.INVOKESTATIC, each.library(), each.name(), each.name() + each.descriptor(), call.line());
            }
        }
        return null;
    }

    /** Makes the library part of the program. */
    static void addLibrary(ClassHierarchy hierarchy) {
        Deque<String> open = new ArrayDeque<>(CLASSES);
        while (!open.isEmpty()) {
            String name = open.poll();
            try (InputStream in = hierarchy.file(name)) {
                if (in == null) {
                    throw new IllegalStateException("GridMPJ's own class " + name + " is not on the class path");
                }
                byte[] file = in.readAllBytes();
                hierarchy.addLibrary(file);
                new ClassReader(file)
                        .accept(
                                new ClassVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitNestMember(String member) {
                                        open.add(member);
                                    }
                                },
                                ClassReader.SKIP_CODE);
            } catch (IOException e) {
                throw new IllegalStateException("GridMPJ's own class " + name + " cannot be read", e);
            }
        }
    }
}
