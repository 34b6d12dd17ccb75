package org.gridmpj.capture.heap;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VarHandle.VarHandleDesc;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A direct method handle, or the variable handle of a field or of an array's elements, as programs keep them in static fields:
 * what was looked up. Handles that were made of others have no such name and are refused.
 *
 * @param kind a reference kind of {@link MethodHandleInfo}, or one of those below
 * @param owner binary name of the class that has the member; of the array's class
 * @param name of the member; empty for elements
 * @param descriptor of a method, or of a field's type
 */
record HandleForm(int kind, String owner, String name, String descriptor) {
    private static final int VARIABLE = 0x10;
    private static final int STATIC_VARIABLE = 0x11;
    private static final int ELEMENTS = 0x12;

    static @Nullable HandleForm of(Object object) {
        return switch (object) {
            case MethodHandle handle -> method(handle);
            case VarHandle handle -> variable(handle);
            default -> null;
        };
    }

    private static @Nullable HandleForm method(MethodHandle handle) {
        try {
            MethodHandleInfo found = LambdaFactory.TRUSTED.revealDirect(handle);
            String descriptor = found.getMethodType().toMethodDescriptorString();
            HandleForm form = new HandleForm(
                    found.getReferenceKind(), found.getDeclaringClass().getName(), found.getName(), descriptor);
            return found.getDeclaringClass().isHidden() ? null : form;
        } catch (IllegalArgumentException e) {
            return null; // made of others
        }
    }

    private static @Nullable HandleForm variable(VarHandle handle) {
        Optional<VarHandleDesc> description = handle.describeConstable();
        if (description.isEmpty() || handle.hasInvokeExactBehavior()) {
            return null;
        }
        VarHandleDesc found = description.get();
        ConstantDesc[] arguments = found.bootstrapArgs();
        String owner = arguments.length == 0 ? "" : named((ClassDesc) arguments[0]);
        return switch (found.bootstrapMethod().methodName()) {
            case "fieldVarHandle" ->
                new HandleForm(
                        VARIABLE, owner, found.constantName(), found.varType().descriptorString());
            case "staticFieldVarHandle" ->
                new HandleForm(
                        STATIC_VARIABLE,
                        owner,
                        found.constantName(),
                        found.varType().descriptorString());
            case "arrayVarHandle" -> new HandleForm(ELEMENTS, owner, "", "");
            default -> null;
        };
    }

    /** A binary name, as Class.forName takes it. */
    private static String named(ClassDesc type) {
        String descriptor = type.descriptorString().replace('/', '.');
        return type.isArray() ? descriptor : descriptor.substring(1, descriptor.length() - 1);
    }

    /** The same handle of this process. */
    Object find(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> type = LambdaFactory.named(owner, loader);
        if (kind == ELEMENTS) {
            return MethodHandles.arrayElementVarHandle(type);
        }
        MethodHandles.Lookup lookup = LambdaFactory.TRUSTED.in(type);
        boolean field = !descriptor.startsWith("(");
        MethodType signature =
                MethodType.fromMethodDescriptorString(field ? "()" + descriptor : descriptor, type.getClassLoader());
        return switch (kind) {
            case VARIABLE -> lookup.findVarHandle(type, name, signature.returnType());
            case STATIC_VARIABLE -> lookup.findStaticVarHandle(type, name, signature.returnType());
            case MethodHandleInfo.REF_invokeStatic -> lookup.findStatic(type, name, signature);
            case MethodHandleInfo.REF_newInvokeSpecial -> lookup.findConstructor(type, signature);
            case MethodHandleInfo.REF_invokeSpecial -> lookup.findSpecial(type, name, signature, type);
            // info gives accessors the descriptors of methods
            case MethodHandleInfo.REF_getField -> lookup.findGetter(type, name, signature.returnType());
            case MethodHandleInfo.REF_getStatic -> lookup.findStaticGetter(type, name, signature.returnType());
            case MethodHandleInfo.REF_putField -> lookup.findSetter(type, name, signature.parameterType(0));
            case MethodHandleInfo.REF_putStatic -> lookup.findStaticSetter(type, name, signature.parameterType(0));
            default -> lookup.findVirtual(type, name, signature);
        };
    }
}
