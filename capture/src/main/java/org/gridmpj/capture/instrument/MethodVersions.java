package org.gridmpj.capture.instrument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Makes two versions of a method of what it was.
 *
 * <pre>
 *   foo        if (Frames.resuming &amp;&amp; Frames.entering()) return foo$ckpt(arguments);
 *              the code, each site with a handler of its own, first in the table, that saves the frame and rethrows
 *   foo$ckpt   switch (frame.site()) { case n: take locals and operands; go to site n }
 *              the same code and handlers; a site is followed by no test in either version
 * </pre>
 *
 * <p>Two, since a switch that jumps into loops keeps the optimising compiler from them; the second version runs only what
 * was under way when the program was captured.
 *
 * <p>At a site the operands below the call are moved to temporaries, since an exception empties the operand stack. Objects
 * that are pending there ({@code new X(call())}) are made anew in the second version: nobody has seen them.
 */
final class MethodVersions {
    static final String SUFFIX = "$ckpt";

    private final ClassNode type;
    private final String key;
    private final MethodNode method;
    private final List<Site> sites;
    private final int firstTemporary;
    private final boolean isStatic;

    /** Handlers that save the same locals share their code. */
    private final Map<String, LabelNode> savers = new HashMap<>();

    private final InsnList tail = new InsnList();
    private final List<TryCatchBlockNode> handlers = new ArrayList<>();

    /** The program's own handlers for code that was not there. */
    private final List<TryCatchBlockNode> more = new ArrayList<>();

    /**
     * One version.
     *
     * @param key what frames of both versions are known by
     * @param method the version's code: the method itself or a copy of it with the same instructions
     * @param sites of the method
     * @param maxLocals of the method as it was
     */
    private MethodVersions(ClassNode type, String key, MethodNode method, List<Site> sites, int maxLocals) {
        this.type = type;
        this.key = key;
        this.method = method;
        this.sites = sites;
        isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        firstTemporary = maxLocals;
    }

    /** Changes the method into its first version and returns the second, not yet part of the class. */
    static MethodNode make(ClassNode type, MethodNode method, List<Site> sites) {
        String key = type.name + "." + method.name + method.desc;
        int maxLocals = method.maxLocals;
        MethodNode second = new MethodNode(
                Opcodes.ASM9,
                (method.access & Opcodes.ACC_STATIC) | Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC,
                method.name + SUFFIX,
                method.desc,
                null,
                method.exceptions.toArray(String[]::new));
        method.accept(second);
        second.visibleAnnotations = null;
        second.invisibleAnnotations = null;
        second.visibleParameterAnnotations = null;
        second.invisibleParameterAnnotations = null;
        second.visibleTypeAnnotations = null;
        second.invisibleTypeAnnotations = null;
        second.parameters = null;
        second.localVariables = null;
        second.visibleLocalVariableAnnotations = null;
        second.invisibleLocalVariableAnnotations = null;
        new MethodVersions(type, key, method, sites, maxLocals).first(second);
        new MethodVersions(type, key, second, sites, maxLocals).second();
        return second;
    }

    /**
     * Whether the verifier takes the second version with one site. A value that is restored by a type that is not its own may
     * be used as what it was. Changes nothing.
     */
    static boolean verifies(ClassNode type, MethodNode method, Site site, ClassHierarchy hierarchy) {
        MethodNode copy = new MethodNode(
                Opcodes.ASM9, method.access, method.name, method.desc, null, method.exceptions.toArray(String[]::new));
        method.accept(copy);
        MethodNode second = make(type, copy, List.of(site));
        try {
            return TypeFlow.frames(type, second, hierarchy).length > 0;
        } catch (AnalyzerException e) {
            return false;
        }
    }

    private void first(MethodNode second) {
        AbstractInsnNode[] code = method.instructions.toArray();
        for (int ordinal = 0; ordinal < sites.size(); ordinal++) {
            Site site = sites.get(ordinal);
            MethodInsnNode call = (MethodInsnNode) code[site.at()];
            Temporaries temporaries = new Temporaries(site, firstTemporary);
            boolean spills = site.hasReceiver() || site.below() > 0 || site.keepsArguments();
            InsnList before = new InsnList();
            if (spills) {
                temporaries.spill(before, false);
                temporaries.reload(before, false);
            }
            guard(ordinal, site, temporaries, call, before);
        }
        InsnList head = new InsnList();
        LabelNode start = new LabelNode();
        head.add(new FieldInsnNode(Opcodes.GETSTATIC, Emit.FRAMES, "resuming", "Z"));
        head.add(new JumpInsnNode(Opcodes.IFEQ, start));
        head.add(Emit.frames("entering", "()Z"));
        head.add(new JumpInsnNode(Opcodes.IFEQ, start));
        callSecond(head, second);
        head.add(start);
        method.instructions.insert(head);
        finish();
    }

    private void callSecond(InsnList head, MethodNode second) {
        int local = 0;
        if (!isStatic) {
            head.add(new VarInsnNode(Opcodes.ALOAD, local++));
        }
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            head.add(Emit.load(argument, local));
            local += argument.getSize();
        }
        head.add(new MethodInsnNode(
                isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL,
                type.name,
                second.name,
                second.desc,
                (type.access & Opcodes.ACC_INTERFACE) != 0));
        head.add(new InsnNode(Type.getReturnType(method.desc).getOpcode(Opcodes.IRETURN)));
    }

    private void second() {
        AbstractInsnNode[] code = method.instructions.toArray();
        int record = firstTemporary;
        LabelNode[] cases = new LabelNode[sites.size()];
        InsnList entries = new InsnList();
        for (int ordinal = 0; ordinal < sites.size(); ordinal++) {
            Site site = sites.get(ordinal);
            MethodInsnNode call = (MethodInsnNode) code[site.at()];
            Temporaries temporaries = new Temporaries(site, firstTemporary + 1);
            LabelNode again = new LabelNode();
            InsnList before = new InsnList();
            temporaries.spill(before, true);
            LabelNode behind = null;
            if (site.isConstruction()) {
                behind = construct(before, temporaries, call);
            } else {
                before.add(again);
                temporaries.reload(before, true);
            }
            guard(ordinal, site, temporaries, call, before);
            cases[ordinal] = new LabelNode();
            entries.add(cases[ordinal]);
            restore(entries, site, temporaries, record);
            entries.add(Emit.frames("arrived", "()V"));
            if (behind != null) {
                LabelNode from = new LabelNode();
                LabelNode to = new LabelNode();
                entries.add(Emit.frames("underConstruction", "()Ljava/lang/Object;"));
                temporaries.constructAgain(entries);
                entries.add(from);
                entries.add(ConstructorSplit.resumption(call));
                entries.add(to);
                entries.add(new JumpInsnNode(Opcodes.GOTO, behind));
                handler(ordinal, site, temporaries, from, to);
                coverAsThere(site.at(), code, from, to);
            } else {
                entries.add(new JumpInsnNode(Opcodes.GOTO, again));
            }
        }
        InsnList head = new InsnList();
        LabelNode none = new LabelNode();
        head.add(new LdcInsnNode(key));
        head.add(Emit.frames("entered", "(Ljava/lang/String;)" + Emit.RECORD_TYPE));
        head.add(new InsnNode(Opcodes.DUP));
        head.add(new VarInsnNode(Opcodes.ASTORE, record));
        head.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, Emit.RECORD, "site", "()I", false));
        head.add(new TableSwitchInsnNode(0, sites.size() - 1, none, cases));
        head.add(none);
        head.add(new InsnNode(Opcodes.ACONST_NULL));
        head.add(new InsnNode(Opcodes.ATHROW));
        // behind the code: what runs is in one piece. The code itself is reached by the entries alone.
        tail.add(entries);
        method.instructions.insert(head);
        finish();
    }

    /**
     * A constructor's call in the second version; returns the place behind it, with an empty stack, to which the rest of a
     * constructor that was under way comes too. Objects that are pending below are made anew behind it, at one place: the
     * verifier tells them by where they were made.
     */
    private LabelNode construct(InsnList before, Temporaries temporaries, MethodInsnNode call) {
        LabelNode behind = new LabelNode();
        temporaries.construct(before);
        InsnList after = new InsnList();
        temporaries.keepConstructed(after);
        after.add(behind);
        temporaries.reloadConstructed(after);
        method.instructions.insert(call, after);
        return behind;
    }

    /** The call with its handler; {@code before} goes before it. */
    private void guard(int ordinal, Site site, Temporaries temporaries, MethodInsnNode call, InsnList before) {
        LabelNode from = new LabelNode();
        LabelNode to = new LabelNode();
        before.add(from);
        method.instructions.insertBefore(call, before);
        method.instructions.insert(call, to);
        handler(ordinal, site, temporaries, from, to);
    }

    private void handler(int ordinal, Site site, Temporaries temporaries, LabelNode from, LabelNode to) {
        LabelNode handler = new LabelNode();
        handlers.add(new TryCatchBlockNode(from, to, handler, Emit.SIGNAL));
        tail.add(handler);
        tail.add(Emit.number(ordinal));
        List<Slot> slots = saved(site, temporaries);
        String constructor = site.isConstruction() ? site.call().owner + ".<init>" + site.call().desc : null;
        String layout = slots + "/" + site.frame().monitors() + "/" + constructor;
        LabelNode saver = savers.get(layout);
        if (saver != null) {
            tail.add(new JumpInsnNode(Opcodes.GOTO, saver));
            return;
        }
        saver = new LabelNode();
        savers.put(layout, saver);
        tail.add(saver);
        int references = (int)
                slots.stream().filter(slot -> Emit.isReference(slot.type())).count();
        tail.add(new LdcInsnNode(key));
        tail.add(Emit.number(references));
        tail.add(Emit.number(slots.size() - references));
        if (constructor == null) {
            tail.add(Emit.frames("saving", "(ILjava/lang/String;II)" + Emit.RECORD_TYPE));
        } else {
            tail.add(new LdcInsnNode(constructor));
            tail.add(Emit.frames("savingConstruction", "(ILjava/lang/String;IILjava/lang/String;)" + Emit.RECORD_TYPE));
        }
        slots.forEach(slot -> Emit.put(tail, slot.type(), slot.local()));
        tail.add(new InsnNode(Opcodes.POP));
        List<Integer> monitors = site.frame().monitors();
        for (int i = monitors.size() - 1; i >= 0; i--) {
            tail.add(new VarInsnNode(Opcodes.ALOAD, monitors.get(i)));
            tail.add(new InsnNode(Opcodes.MONITOREXIT));
        }
        tail.add(new InsnNode(Opcodes.ATHROW));
    }

    private record Slot(int local, Type type) {}

    /** What a handler saves, in order: this, live locals, temporaries. */
    private List<Slot> saved(Site site, Temporaries temporaries) {
        List<Slot> slots = new ArrayList<>();
        if (!isStatic) {
            slots.add(new Slot(0, Type.getObjectType(type.name)));
        }
        Set<Integer> monitors = new HashSet<>(site.frame().monitors());
        for (int local = isStatic ? 0 : 1; local < site.frame().getLocals(); local++) {
            BasicValue value = site.frame().getLocal(local);
            if ((site.live().get(local) || monitors.contains(local))
                    && value.getType() != null
                    && !Emit.isNull(value)) {
                slots.add(new Slot(local, value.getType()));
            }
        }
        temporaries.saved((local, saved) -> slots.add(new Slot(local, saved)));
        return slots;
    }

    /** What the program catches at an instruction is caught in this range too. */
    private void coverAsThere(int at, AbstractInsnNode[] code, LabelNode from, LabelNode to) {
        List<AbstractInsnNode> order = Arrays.asList(code);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            if (order.indexOf(block.start) <= at && at < order.indexOf(block.end)) {
                more.add(new TryCatchBlockNode(from, to, block.handler, block.type));
            }
        }
    }

    private void restore(InsnList to, Site site, Temporaries temporaries, int record) {
        List<Slot> slots = saved(site, temporaries);
        if (!isStatic) {
            Emit.take(to, Type.getObjectType(ClassHierarchy.OBJECT), record);
            to.add(new InsnNode(Opcodes.POP));
            slots.removeFirst();
        }
        for (Slot slot : slots) {
            Emit.take(to, slot.type(), record);
            to.add(Emit.store(slot.type(), slot.local()));
        }
        for (int local = isStatic ? 0 : 1; local < site.frame().getLocals(); local++) {
            if (site.live().get(local) && Emit.isNull(site.frame().getLocal(local))) {
                to.add(new InsnNode(Opcodes.ACONST_NULL));
                to.add(new VarInsnNode(Opcodes.ASTORE, local));
            }
        }
        temporaries.fill(to);
        for (int local : site.frame().monitors()) {
            to.add(new VarInsnNode(Opcodes.ALOAD, local));
            to.add(new InsnNode(Opcodes.MONITORENTER));
        }
    }

    private void finish() {
        method.instructions.add(tail);
        handlers.addAll(method.tryCatchBlocks);
        handlers.addAll(more);
        method.tryCatchBlocks = handlers;
    }
}
