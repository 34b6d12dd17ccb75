package org.gridmpj.capture.instrument;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.gridmpj.capture.frames.CaptureSites;
import org.gridmpj.capture.frames.ProgramStatics;
import org.gridmpj.capture.frames.ReflectiveCalls;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/** Makes of a class of the program one whose frames and static fields can be captured. Thread-safe. */
final class ClassInstrumenter {
    private final ClassHierarchy hierarchy;
    private final CallGraph graph;
    private final CaptureSites sites;

    ClassInstrumenter(ClassHierarchy hierarchy, CallGraph graph, CaptureSites sites) {
        this.hierarchy = hierarchy;
        this.graph = graph;
        this.sites = sites;
    }

    /** The class as it is to be defined; tells the sites, and which classes have static fields. */
    byte[] instrument(byte[] classFile, @Nullable ClassLoader loader) {
        ClassReader reader = new ClassReader(classFile);
        String name = reader.getClassName();
        CRC32 checksum = new CRC32();
        checksum.update(classFile);
        sites.loaded(name, checksum.getValue());
        ClassInfo info = ClassScan.program(classFile);
        FieldOffsets.tell(reader, info);
        byte[] made = graph.hasFrames(hierarchy.get(name)) ? withFrames(reader, name) : light(reader);
        if (!info.methods().containsKey("<clinit>()V") && hasVariables(reader)) {
            ProgramStatics.loaded(loader, name.replace('/', '.'));
        }
        return made;
    }

    /** A class with frames that can be captured, for who wants to know what cannot. */
    byte[] frames(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        return withFrames(reader, reader.getClassName());
    }

    private byte[] light(ClassReader reader) {
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new LightRewriter(writer, hierarchy), 0);
        return writer.toByteArray();
    }

    private byte[] withFrames(ClassReader reader, String name) {
        Set<String> leftOut = new HashSet<>();
        while (true) {
            try {
                byte[] made = attempt(reader, leftOut);
                CallRanges.tell(made, sites);
                return made;
            } catch (MethodTooLargeException e) {
                String method = e.getMethodName();
                if (method.endsWith(MethodVersions.SUFFIX)) {
                    method = method.substring(0, method.length() - MethodVersions.SUFFIX.length());
                }
                String signature = method + e.getDescriptor();
                if (!leftOut.add(signature)) {
                    throw e;
                }
                sites.refuse(
                        name + "." + signature,
                        0,
                        "the method would become larger than the 64 KB that a method may have: split it");
            }
        }
    }

    private byte[] attempt(ClassReader reader, Set<String> leftOut) {
        ClassNode type = read(reader);
        Initializers.become(type, graph);
        lead(type);
        ThreadBodies.become(type, hierarchy, graph);
        for (MethodNode method : List.copyOf(type.methods)) {
            String signature = method.name + method.desc;
            boolean hasCode = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            if (!hasCode
                    || method.name.equals("<clinit>")
                    || leftOut.contains(signature)
                    || !isSuspendable(type.name, method)) {
                continue;
            }
            Initializers.callIn(type, method, hierarchy, graph);
            try {
                MethodNode body = method.name.equals("<init>") ? bodyOf(type, method) : method;
                if (body != null) {
                    List<Site> found = new MethodSites(hierarchy, graph, sites).of(type, body);
                    if (!found.isEmpty()) {
                        sites.numbered(type.name + "." + body.name + body.desc, checksum(found));
                        type.methods.add(MethodVersions.make(type, body, found));
                    }
                }
            } catch (AnalyzerException | RuntimeException e) {
                sites.refuse(type.name + "." + signature, 0, "the method's code is not understood (" + e + ")");
                leftOut.add(signature);
                return attempt(reader, leftOut);
            }
        }
        ClassWriter writer = new HierarchyWriter(hierarchy);
        type.accept(new LightRewriter(writer, hierarchy));
        return writer.toByteArray();
    }

    /** Of what the number of a site stands for in a frame: which call it is, and which locals are kept. */
    private static int checksum(List<Site> sites) {
        CRC32 checksum = new CRC32();
        for (Site site : sites) {
            MethodInsnNode call = site.call();
            checksum.update((site.at() + " " + call.owner + "." + call.name + call.desc + " " + site.live() + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        return (int) checksum.getValue();
    }

    private boolean isSuspendable(String owner, MethodNode method) {
        return ReflectiveCalls.isBridge(method.name)
                || ThreadBodies.isBody(method)
                || graph.isSuspendable(owner + "." + method.name + method.desc);
    }

    /** Leads calls around frames of the JDK, where there is a way. */
    private void lead(ClassNode type) {
        ClassInfo info = hierarchy.get(type.name);
        boolean isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
        List<MethodNode> written = List.copyOf(type.methods);
        boolean bridged = false;
        for (MethodNode method : written) {
            MethodInfo known = info.methods().get(method.name + method.desc);
            boolean streams = known != null && graph.streamsSuspendably(known);
            if (streams || isSuspendable(type.name, method)) {
                for (AbstractInsnNode each : method.instructions) {
                    if (each instanceof MethodInsnNode call) {
                        lead(type.name, isInterface, streams, call);
                    }
                }
            }
            if (known != null
                    && graph.isReachedByReflection(known)
                    && ReflectionBridges.canHave(type, method, hierarchy)) {
                type.methods.add(ReflectionBridges.bridge(type, method));
                bridged = true;
            }
        }
        if (bridged) {
            type.methods.add(ReflectionBridges.lookup());
        }
        for (MethodNode wrapper : ReflectionBridges.code(type, info)) {
            if (isSuspendable(type.name, wrapper)) {
                type.methods.add(wrapper);
            }
        }
    }

    private void lead(String caller, boolean callerIsInterface, boolean streams, MethodInsnNode call) {
        Call written = new Call(call.getOpcode(), call.owner, call.name, call.name + call.desc, 0);
        Call source = streams ? Substitutions.source(hierarchy, written) : null;
        Call other = source != null ? source : graph.substitute(caller, written);
        if (source != null
                || (!other.equals(written)
                        && graph.canSuspend(other.opcode(), other.owner(), other.name(), other.signature()))) {
            call.setOpcode(other.opcode());
            call.owner = other.owner();
            call.name = other.name();
            call.desc = other.signature().substring(other.name().length());
            call.itf = callerIsInterface && other.owner().equals(caller);
        }
    }

    private @Nullable MethodNode bodyOf(ClassNode type, MethodNode constructor) throws AnalyzerException {
        ConstructorSplit split = new ConstructorSplit(type, constructor);
        String refusal = split.refusal(hierarchy, graph);
        if (refusal != null) {
            sites.refuse(type.name + "." + constructor.name + constructor.desc, 0, refusal);
            return null;
        }
        return split.split(graph);
    }

    private static ClassNode read(ClassReader reader) {
        ClassNode type = new ClassNode();
        ClassVisitor to = type;
        if ((reader.readInt(4) & 0xFFFF) < Opcodes.V1_7) {
            // class files of then may have subroutines
            to = new ClassVisitor(Opcodes.ASM9, type) {
                @Override
                public MethodVisitor visitMethod(
                        int access,
                        String name,
                        String descriptor,
                        @Nullable String signature,
                        String @Nullable [] exceptions) {
                    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                    return new JSRInlinerAdapter(next, access, name, descriptor, signature, exceptions);
                }
            };
        }
        reader.accept(to, ClassReader.SKIP_FRAMES);
        return type;
    }

    private static boolean hasVariables(ClassReader reader) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        for (FieldNode field : type.fields) {
            if ((field.access & Opcodes.ACC_STATIC) != 0 && field.value == null) {
                return true;
            }
        }
        return false;
    }
}
