package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.gridmpj.capture.frames.ReflectiveCalls;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Leads reflective calls around reflection's own frames. In programs that make any:
 *
 * <pre>
 *   caller    method.invoke(o, args)   ─▶ mpj$invoke(method, o, args)
 *             mpj$invoke               { t = ReflectiveCalls.of(…, Caller.class);
 *                                        return t == null ? method.invoke(o, args) : Reflections.invoke(t, o, args); }
 *   target    foo(int, String)         beside it: mpj$call$foo$…(Object o, Object[] args)
 *                                        { return ((Target) o).foo((Integer) args[0], (String) args[1]); }
 * </pre>
 */
final class ReflectionBridges {
    /** What stands in the place of a call whose caller the JDK looks at. */
    private record Wrapped(String owner, String call, String descriptor, String wrapper) {
        String wrapperDescriptor() {
            return "(L" + owner + ";" + descriptor.substring(1);
        }
    }

    private static final String CALLS = "org/gridmpj/capture/frames/ReflectiveCalls";
    private static final String TARGET = "org/gridmpj/capture/frames/ReflectiveTarget";
    private static final String LIBRARY = Substitutions.LIBRARY + "Reflections";
    private static final String BRIDGE = "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
    private static final String INVOKE = "(L" + TARGET + ";Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";

    static final String TARGET_CALL = "call" + BRIDGE;

    private static final Map<String, Wrapped> WRAPPED = Map.of(
            "java/lang/reflect/Method.invoke" + BRIDGE,
            new Wrapped("java/lang/reflect/Method", "invoke", BRIDGE, "mpj$invoke"),
            "java/lang/reflect/Constructor.newInstance([Ljava/lang/Object;)Ljava/lang/Object;",
            new Wrapped(
                    "java/lang/reflect/Constructor",
                    "newInstance",
                    "([Ljava/lang/Object;)Ljava/lang/Object;",
                    "mpj$construct"),
            "java/lang/Class.newInstance()Ljava/lang/Object;",
            new Wrapped("java/lang/Class", "newInstance", "()Ljava/lang/Object;", "mpj$make"));

    private ReflectionBridges() {}

    static String targetType() {
        return TARGET;
    }

    /** The call of the caller's own method that stands in the place of a reflective call, or null. */
    static @Nullable Call of(String caller, Call call) {
        Wrapped wrapped = Substitutions.isLibrary(caller) ? null : WRAPPED.get(call.owner() + "." + call.signature());
        return wrapped == null
                ? null
                : new Call(
                        Opcodes.INVOKESTATIC,
                        caller,
                        wrapped.wrapper(),
                        wrapped.wrapper() + wrapped.wrapperDescriptor(),
                        call.line());
    }

    /** The methods that {@link #of} calls, as the call graph sees them. */
    static List<MethodInfo> wrappers(ClassInfo caller) {
        List<MethodInfo> found = new ArrayList<>();
        if (Substitutions.isLibrary(caller.name())) {
            return found;
        }
        for (Wrapped wrapped : WRAPPED.values()) {
            boolean used = caller.methods().values().stream()
                    .flatMap(method -> method.calls().stream())
                    .anyMatch(call -> (wrapped.owner() + "." + wrapped.call() + wrapped.descriptor())
                            .equals(call.owner() + "." + call.signature()));
            if (used) {
                Call call = new Call(Opcodes.INVOKESTATIC, LIBRARY, "invoke", "invoke" + INVOKE, 0);
                found.add(new MethodInfo(
                        caller.name(),
                        wrapped.wrapper() + wrapped.wrapperDescriptor(),
                        Opcodes.ACC_STATIC,
                        List.of(call),
                        List.of(),
                        Set.of(),
                        0));
            }
        }
        return found;
    }

    static boolean usedBy(ClassInfo type) {
        return type.methods().keySet().stream()
                .anyMatch(signature -> WRAPPED.values().stream()
                        .anyMatch(wrapped -> signature.equals(wrapped.wrapper() + wrapped.wrapperDescriptor())));
    }

    private static MethodNode added(String name, String descriptor) {
        return new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                name,
                descriptor,
                null,
                null);
    }

    /** The code of those methods that a class needs. */
    static List<MethodNode> code(ClassNode type, ClassInfo info) {
        List<MethodNode> added = new ArrayList<>();
        for (MethodInfo wrapper : wrappers(info)) {
            for (Wrapped wrapped : WRAPPED.values()) {
                if (wrapper.signature().startsWith(wrapped.wrapper() + "(")) {
                    added.add(wrapper(type, wrapped));
                }
            }
        }
        return added;
    }

    private static MethodNode wrapper(ClassNode type, Wrapped wrapped) {
        MethodNode made = added(wrapped.wrapper(), wrapped.wrapperDescriptor());
        int parameters = Type.getArgumentTypes(made.desc).length;
        InsnList code = made.instructions;
        for (int i = 0; i < parameters; i++) {
            code.add(new VarInsnNode(Opcodes.ALOAD, i));
        }
        boolean namesItself = (type.version & 0xFFFF) >= Opcodes.V1_5;
        code.add(namesItself ? new LdcInsnNode(Type.getObjectType(type.name)) : new InsnNode(Opcodes.ACONST_NULL));
        String find = made.desc.substring(0, made.desc.indexOf(')')) + "Ljava/lang/Class;)L" + TARGET + ";";
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, "of", find, false));
        code.add(new VarInsnNode(Opcodes.ASTORE, parameters));
        LabelNode bridged = new LabelNode();
        code.add(new VarInsnNode(Opcodes.ALOAD, parameters));
        code.add(new JumpInsnNode(Opcodes.IFNONNULL, bridged));
        for (int i = 0; i < parameters; i++) {
            code.add(new VarInsnNode(Opcodes.ALOAD, i));
        }
        code.add(new MethodInsnNode(
                Opcodes.INVOKEVIRTUAL, wrapped.owner(), wrapped.call(), wrapped.descriptor(), false));
        code.add(new InsnNode(Opcodes.ARETURN));
        code.add(bridged);
        code.add(new VarInsnNode(Opcodes.ALOAD, parameters));
        if (parameters == 1) {
            code.add(new MethodInsnNode(
                    Opcodes.INVOKESTATIC, LIBRARY, "make", "(L" + TARGET + ";)Ljava/lang/Object;", false));
        } else {
            code.add(parameters == 2 ? new InsnNode(Opcodes.ACONST_NULL) : new VarInsnNode(Opcodes.ALOAD, 1));
            code.add(new VarInsnNode(Opcodes.ALOAD, parameters - 1));
            code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, LIBRARY, "invoke", INVOKE, false));
        }
        code.add(new InsnNode(Opcodes.ARETURN));
        made.maxLocals = parameters + 1;
        return made;
    }

    /** What gives the lookup object of a class. */
    static MethodNode lookup() {
        MethodNode made = added(ReflectiveCalls.LOOKUP, "()Ljava/lang/invoke/MethodHandles$Lookup;");
        made.instructions.add(
                new MethodInsnNode(Opcodes.INVOKESTATIC, "java/lang/invoke/MethodHandles", "lookup", made.desc, false));
        made.instructions.add(new InsnNode(Opcodes.ARETURN));
        return made;
    }

    /** Whether a class file can have a bridge: interfaces have private methods since Java 8, and arguments are cast. */
    static boolean canHave(ClassNode type, MethodNode to, ClassHierarchy hierarchy) {
        Access access = new Access(hierarchy, type.name);
        boolean isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
        boolean makesNone = to.name.equals("<init>") && (type.access & Opcodes.ACC_ABSTRACT) != 0;
        return !makesNone
                && (!isInterface || (type.version & 0xFFFF) >= Opcodes.V1_8)
                && Stream.of(Type.getArgumentTypes(to.desc)).allMatch(access::allows);
    }

    /** What calls a method of a class with arguments in an array. */
    static MethodNode bridge(ClassNode type, MethodNode to) {
        MethodNode made = added(ReflectiveCalls.bridge(to.name, to.desc), BRIDGE);
        InsnList code = made.instructions;
        boolean isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
        int opcode = Opcodes.INVOKESTATIC;
        if (to.name.equals("<init>")) {
            code.add(new TypeInsnNode(Opcodes.NEW, type.name));
            code.add(new InsnNode(Opcodes.DUP));
            opcode = Opcodes.INVOKESPECIAL;
        } else if ((to.access & Opcodes.ACC_STATIC) == 0) {
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
            code.add(new TypeInsnNode(Opcodes.CHECKCAST, type.name));
            boolean isPrivate = (to.access & Opcodes.ACC_PRIVATE) != 0;
            opcode = isPrivate ? Opcodes.INVOKESPECIAL : isInterface ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        }
        Type[] types = Type.getArgumentTypes(to.desc);
        for (int i = 0; i < types.length; i++) {
            code.add(new VarInsnNode(Opcodes.ALOAD, 1));
            code.add(Emit.number(i));
            code.add(new InsnNode(Opcodes.AALOAD));
            Emit.unbox(code, types[i]);
        }
        code.add(new MethodInsnNode(opcode, type.name, to.name, to.desc, isInterface));
        if (!to.name.equals("<init>")) {
            Emit.box(code, Type.getReturnType(to.desc));
        }
        code.add(new InsnNode(Opcodes.ARETURN));
        made.maxLocals = 2;
        return made;
    }
}
