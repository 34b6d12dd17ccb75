package org.gridmpj.capture.heap;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VarHandle.VarHandleDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * A direct method handle, the variable handle of a field or of an array's elements, or an atomic updater of a field, as programs
 * keep them in static fields: what was looked up. Handles that were made of others have no such name and are refused.
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
    private static final int UPDATER = 0x13;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final String UPDATERS = "java.util.concurrent.atomic.Atomic";

    static @Nullable HandleForm of(Object object) {
        return switch (object) {
            case MethodHandle handle -> method(handle);
            case VarHandle handle -> variable(handle);
            case AtomicReferenceFieldUpdater<?, ?> updater -> updater(updater);
            case AtomicIntegerFieldUpdater<?> updater -> updater(updater);
            case AtomicLongFieldUpdater<?> updater -> updater(updater);
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

    /** An updater of the JDK's knows the offset of its field in this process only. */
    private static @Nullable HandleForm updater(Object updater) {
        Shape shape = Shape.of(updater.getClass());
        Class<?> owner = null;
        long offset = -1;
        for (int i = 0; i < shape.names().length; i++) {
            if (shape.names()[i].endsWith(".tclass")) {
                owner = (Class<?>) UNSAFE.getReference(updater, shape.offsets()[i]);
            } else if (shape.names()[i].endsWith(".offset")) {
                offset = UNSAFE.getLong(updater, shape.offsets()[i]);
            }
        }
        if (owner == null || !updater.getClass().getName().startsWith(UPDATERS)) {
            return null;
        }
        for (Field field : owner.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && UNSAFE.objectFieldOffset(field) == offset) {
                return new HandleForm(
                        UPDATER,
                        owner.getName(),
                        field.getName(),
                        field.getType().descriptorString());
            }
        }
        return null;
    }

    private static Object updater(Class<?> owner, String name, Class<?> of) throws ReflectiveOperationException {
        Object[] arguments = {owner, name, owner};
        Class<?> made = Class.forName(UPDATERS
                + (of == int.class
                        ? "IntegerFieldUpdater$AtomicIntegerFieldUpdaterImpl"
                        : of == long.class
                                ? "LongFieldUpdater$CASUpdater"
                                : "ReferenceFieldUpdater$AtomicReferenceFieldUpdaterImpl"));
        MethodType type = MethodType.methodType(void.class, Class.class, String.class, Class.class);
        if (!of.isPrimitive()) {
            arguments = new Object[] {owner, of, name, owner};
            type = type.insertParameterTypes(1, Class.class);
        }
        MethodHandle constructor = LambdaFactory.TRUSTED.in(made).findConstructor(made, type);
        try {
            return constructor.invokeWithArguments(arguments);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException("an updater of " + owner.getName() + "." + name, e);
        }
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
            case UPDATER -> updater(type, name, signature.returnType());
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
