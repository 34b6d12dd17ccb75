package org.gridmpj.capture.instrument;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SimpleVerifier;

/** Types as the verifier sees them, from the class hierarchy and without loading a class. */
final class TypeFlow extends SimpleVerifier {
    private static final Type OBJECT = Type.getObjectType(ClassHierarchy.OBJECT);

    private final ClassHierarchy hierarchy;

    private TypeFlow(ClassNode type, ClassHierarchy hierarchy) {
        super(
                Opcodes.ASM9,
                Type.getObjectType(type.name),
                type.superName == null ? null : Type.getObjectType(type.superName),
                type.interfaces.stream().map(Type::getObjectType).toList(),
                (type.access & Opcodes.ACC_INTERFACE) != 0);
        this.hierarchy = hierarchy;
    }

    /** The frame before each instruction, null where no control comes; computes the method's maxs. */
    static @Nullable CallFrame[] frames(ClassNode type, MethodNode method, ClassHierarchy hierarchy)
            throws AnalyzerException {
        Analyzer<BasicValue> analyzer = new Analyzer<>(new TypeFlow(type, hierarchy)) {
            @Override
            protected Frame<BasicValue> newFrame(int locals, int stack) {
                return new CallFrame(locals, stack);
            }

            @Override
            protected Frame<BasicValue> newFrame(Frame<? extends BasicValue> frame) {
                return new CallFrame(frame);
            }
        };
        Frame<BasicValue>[] frames = analyzer.analyzeAndComputeMaxs(type.name, method);
        @Nullable CallFrame[] found = new CallFrame[frames.length];
        for (int i = 0; i < frames.length; i++) {
            found[i] = (CallFrame) frames[i];
        }
        return found;
    }

    @Override
    protected boolean isInterface(Type type) {
        return type.getSort() == Type.OBJECT && hierarchy.isInterface(type.getInternalName());
    }

    @Override
    protected @Nullable Type getSuperClass(Type type) {
        if (type.getSort() == Type.ARRAY) {
            return OBJECT;
        }
        String above = hierarchy.get(type.getInternalName()).superName();
        return above == null ? null : Type.getObjectType(above);
    }

    @Override
    protected boolean isAssignableFrom(Type to, Type from) {
        if (to.equals(from)) {
            return true;
        }
        if (to.getSort() == Type.ARRAY) {
            if (from.getSort() != Type.ARRAY) {
                return false;
            }
            Type toElement = Type.getType(to.getDescriptor().substring(1));
            Type fromElement = Type.getType(from.getDescriptor().substring(1));
            return toElement.getSort() >= Type.ARRAY
                    && fromElement.getSort() >= Type.ARRAY
                    && isAssignableFrom(toElement, fromElement);
        }
        // the verifier takes interfaces for Object
        return isInterface(to) || hierarchy.isSubtype(from.getInternalName(), to.getInternalName());
    }

    @Override
    public BasicValue newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        return instruction.getOpcode() == Opcodes.NEW
                ? new Pending(Type.getObjectType(((TypeInsnNode) instruction).desc), instruction)
                : super.newOperation(instruction);
    }

    /** Exact where the verifier is lenient with interfaces: a restored value is cast to what comes out here. */
    @Override
    public BasicValue merge(BasicValue a, BasicValue b) {
        if (a.equals(b) && b.equals(a)) {
            return a;
        }
        if (a instanceof Pending || b instanceof Pending || !isObject(a) || !isObject(b)) {
            return BasicValue.UNINITIALIZED_VALUE;
        }
        if (Emit.isNull(a)) {
            return b;
        }
        if (Emit.isNull(b)) {
            return a;
        }
        return new BasicValue(common(a.getType(), b.getType()));
    }

    private static boolean isObject(BasicValue value) {
        return value.getType() != null && value.isReference();
    }

    private Type common(Type a, Type b) {
        if (a.equals(b)) {
            return a;
        }
        if (a.getSort() == Type.ARRAY && b.getSort() == Type.ARRAY) {
            Type aElement = Type.getType(a.getDescriptor().substring(1));
            Type bElement = Type.getType(b.getDescriptor().substring(1));
            boolean references = Emit.isReference(aElement) && Emit.isReference(bElement);
            return references ? Type.getType("[" + common(aElement, bElement).getDescriptor()) : OBJECT;
        }
        if (a.getSort() == Type.ARRAY || b.getSort() == Type.ARRAY) {
            return OBJECT;
        }
        return Type.getObjectType(hierarchy.commonSuperclass(a.getInternalName(), b.getInternalName()));
    }
}
