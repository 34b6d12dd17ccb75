package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gridmpj.capture.frames.Initialization;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Static initialisers that can suspend, as methods that the program calls before it first uses their class. An initialiser
 * that the JVM has called cannot be left by an exception: the class would be unusable.
 *
 * <pre>
 *   before X.f, new X, X.m()   the same for the superclass; if (Initialization.isDue(n)) X.mpj$init();
 *   mpj$init()                 { mpj$clinit(); Initialization.ended(n); }
 *   mpj$clinit()               what &lt;clinit&gt; was
 *   &lt;clinit&gt;()                 { if the JVM comes first: mpj$clinit(); Initialization.ended(n); }
 * </pre>
 *
 * <p>Static fields that the initialiser sets lose their {@code final}, which allows it to {@code <clinit>} only; so interfaces
 * are left as they are. So are enums, whose constants every process makes itself.
 */
final class Initializers {
    static final String INIT = "mpj$init";
    static final String VOID = "()V";
    private static final String BODY = "mpj$clinit";
    private static final String CLINIT = "<clinit>";
    private static final String INITIALIZATION = "org/gridmpj/capture/frames/Initialization";

    private Initializers() {}

    /** The methods that a class may get, as the call graph sees them. */
    static List<MethodInfo> methods(ClassInfo type) {
        MethodInfo written = type.methods().get(CLINIT + VOID);
        if (written == null || (type.access() & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM)) != 0) {
            return List.of();
        }
        MethodInfo body = new MethodInfo(
                type.name(),
                BODY + VOID,
                Opcodes.ACC_STATIC,
                written.calls(),
                written.lambdas(),
                written.uses(),
                written.line());
        Call call = new Call(Opcodes.INVOKESTATIC, type.name(), BODY, BODY + VOID, written.line());
        return List.of(
                body,
                new MethodInfo(
                        type.name(),
                        INIT + VOID,
                        Opcodes.ACC_STATIC,
                        List.of(call),
                        List.of(),
                        Set.of(),
                        written.line()));
    }

    /**
     * The classes whose initialisers may run before a class is used by another: superclasses first, since the JVM initialises
     * them before it enters any method of a class. The JVM calls that of a superclass that the other one may not name.
     */
    static List<String> of(ClassHierarchy hierarchy, String user, String used) {
        List<String> found = new ArrayList<>(1);
        Access access = new Access(hierarchy, user);
        for (String name = used; name != null; name = hierarchy.get(name).superName()) {
            // who runs code of a class has initialised it, or is about to
            if (hierarchy.get(name).methods().containsKey(INIT + VOID)
                    && !hierarchy.isSubtype(user, name)
                    && access.allows(name)) {
                found.addFirst(name);
            }
        }
        return found;
    }

    private static int number(String type) {
        return Initialization.number(type.replace('/', '.'));
    }

    /** Makes methods of a class's initialiser, if it can suspend. */
    static void become(ClassNode type, CallGraph graph) {
        if (!graph.isSuspendable(type.name + "." + INIT + VOID)) {
            return;
        }
        MethodNode body = null;
        for (MethodNode method : type.methods) {
            body = method.name.equals(CLINIT) ? method : body;
        }
        if (body == null) {
            return;
        }
        body.name = BODY;
        body.access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
        loosenFinals(type, body);
        MethodNode first = new MethodNode(Opcodes.ASM9, Opcodes.ACC_STATIC, CLINIT, VOID, null, null);
        call(first.instructions, type.name, BODY);
        end(first.instructions, type.name);
        MethodNode init = new MethodNode(
                Opcodes.ASM9, Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, INIT, VOID, null, null);
        LabelNode from = new LabelNode();
        LabelNode to = new LabelNode();
        LabelNode handler = new LabelNode();
        InsnList code = init.instructions;
        code.add(from);
        call(code, type.name, BODY);
        code.add(to);
        end(code, type.name);
        code.add(handler);
        code.add(new VarInsnNode(Opcodes.ASTORE, 0));
        code.add(Emit.number(number(type.name)));
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                INITIALIZATION,
                "failed",
                "(ILjava/lang/Throwable;)Ljava/lang/Throwable;",
                false));
        code.add(new InsnNode(Opcodes.ATHROW));
        init.tryCatchBlocks.add(new TryCatchBlockNode(from, to, handler, "java/lang/Throwable"));
        init.maxLocals = 1;
        init.maxStack = 2;
        type.methods.add(first);
        type.methods.add(init);
    }

    private static void call(InsnList code, String type, String method) {
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, type, method, VOID, false));
    }

    private static void end(InsnList code, String type) {
        code.add(Emit.number(number(type)));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, INITIALIZATION, "ended", "(I)V", false));
        code.add(new InsnNode(Opcodes.RETURN));
    }

    private static void loosenFinals(ClassNode type, MethodNode body) {
        Set<String> written = new HashSet<>();
        for (AbstractInsnNode each : body.instructions) {
            if (each instanceof FieldInsnNode field
                    && field.getOpcode() == Opcodes.PUTSTATIC
                    && field.owner.equals(type.name)) {
                written.add(field.name);
            }
        }
        for (FieldNode field : type.fields) {
            if ((field.access & Opcodes.ACC_STATIC) != 0 && written.contains(field.name)) {
                field.access &= ~Opcodes.ACC_FINAL;
            }
        }
    }

    /** Has a method, or a constructor behind super(…), run initialisers that can suspend before it uses their classes. */
    static void callIn(ClassNode type, MethodNode method, ClassHierarchy hierarchy, CallGraph graph) {
        if (method.name.equals(INIT)) {
            return;
        }
        AbstractInsnNode start =
                method.name.equals("<init>") ? ConstructorSplit.superCall(method) : method.instructions.getFirst();
        List<AbstractInsnNode> uses = new ArrayList<>();
        for (AbstractInsnNode each = start; each != null; each = each.getNext()) {
            if (used(each) != null) {
                uses.add(each);
            }
        }
        for (AbstractInsnNode use : uses) {
            String used = used(use);
            for (String each : used == null ? List.<String>of() : of(hierarchy, type.name, used)) {
                if (graph.isSuspendable(each + "." + INIT + VOID)) {
                    method.instructions.insertBefore(use, initialized(each));
                }
            }
        }
    }

    /** The class that an instruction has initialised; null for most. */
    private static @Nullable String used(AbstractInsnNode instruction) {
        return switch (instruction.getOpcode()) {
            case Opcodes.GETSTATIC, Opcodes.PUTSTATIC -> ((FieldInsnNode) instruction).owner;
            case Opcodes.INVOKESTATIC -> ((MethodInsnNode) instruction).owner;
            case Opcodes.NEW -> ((TypeInsnNode) instruction).desc;
            default -> null;
        };
    }

    private static InsnList initialized(String type) {
        InsnList code = new InsnList();
        LabelNode done = new LabelNode();
        code.add(Emit.number(number(type)));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, INITIALIZATION, "isDue", "(I)Z", false));
        code.add(new JumpInsnNode(Opcodes.IFEQ, done));
        call(code, type, INIT);
        code.add(done);
        return code;
    }
}
