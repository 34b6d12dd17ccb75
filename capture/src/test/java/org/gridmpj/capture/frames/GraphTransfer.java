package org.gridmpj.capture.frames;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.IdentityHashMap;
import java.util.Objects;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Copies the graph of a captured program so that it consists of classes that another loader has defined: what an image does
 * between two processes, within one.
 */
final class GraphTransfer {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final ClassLoader target;
    private final IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();

    GraphTransfer(ClassLoader target) {
        this.target = target;
    }

    /** A program's state. */
    Object program(Object state) throws ReflectiveOperationException {
        return Objects.requireNonNull(copy(state));
    }

    private @Nullable Object copy(@Nullable Object from) throws ReflectiveOperationException {
        if (from == null || copies.containsKey(from)) {
            return copies.get(from);
        }
        Class<?> type = from.getClass();
        if (from instanceof Class<?> named) {
            return mapped(named);
        }
        if (from instanceof Method method) {
            Class<?>[] parameters = method.getParameterTypes();
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] = mapped(parameters[i]);
            }
            Method to = mapped(method.getDeclaringClass()).getDeclaredMethod(method.getName(), parameters);
            copies.put(from, to);
            return to;
        }
        if (type == String.class || type == Object.class || from instanceof Number || from instanceof Boolean) {
            return from;
        }
        if (type.isHidden()) {
            return lambda(from);
        }
        if (from instanceof Enum<?> constant) {
            Field field = mapped(constant.getDeclaringClass()).getDeclaredField(constant.name());
            field.setAccessible(true);
            return field.get(null);
        }
        if (type.isArray()) {
            return array(from, type);
        }
        Class<?> mapped = mapped(type);
        Object to = UNSAFE.allocateInstance(mapped);
        copies.put(from, to);
        for (Class<?> level = type; level != null; level = level.getSuperclass()) {
            for (Field field : level.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field(field, from, mapped(level).getDeclaredField(field.getName()), to);
                }
            }
        }
        return to;
    }

    private void field(Field source, Object from, Field field, Object to) throws ReflectiveOperationException {
        long at = UNSAFE.objectFieldOffset(source);
        long offset = UNSAFE.objectFieldOffset(field);
        switch (source.getType().descriptorString().charAt(0)) {
            case 'Z', 'B' -> UNSAFE.putByte(to, offset, UNSAFE.getByte(from, at));
            case 'C', 'S' -> UNSAFE.putShort(to, offset, UNSAFE.getShort(from, at));
            case 'I', 'F' -> UNSAFE.putInt(to, offset, UNSAFE.getInt(from, at));
            case 'J', 'D' -> UNSAFE.putLong(to, offset, UNSAFE.getLong(from, at));
            default -> UNSAFE.putReference(to, offset, copy(UNSAFE.getReference(from, at)));
        }
    }

    private Object array(Object from, Class<?> type) throws ReflectiveOperationException {
        int length = Array.getLength(from);
        Object to = Array.newInstance(mapped(type.componentType()), length);
        copies.put(from, to);
        for (int i = 0; i < length; i++) {
            Array.set(to, i, type.componentType().isPrimitive() ? Array.get(from, i) : copy(Array.get(from, i)));
        }
        return to;
    }

    private Class<?> mapped(Class<?> type) throws ClassNotFoundException {
        return type.isPrimitive() ? type : Class.forName(type.getName(), false, target);
    }

    /** A lookup that other loaders' modules do not restrict. */
    private static MethodHandles.Lookup trusted() throws NoSuchFieldException {
        Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        return (MethodHandles.Lookup)
                UNSAFE.getReference(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    private Object lambda(Object from) throws ReflectiveOperationException {
        Method replace = from.getClass().getDeclaredMethod("writeReplace");
        replace.setAccessible(true);
        SerializedLambda lambda = (SerializedLambda) replace.invoke(from);
        Class<?> capturing = Class.forName(lambda.getCapturingClass().replace('/', '.'), false, target);
        MethodHandles.Lookup lookup = trusted().in(capturing);
        Object[] arguments = new Object[lambda.getCapturedArgCount()];
        MethodType implementation = MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), target);
        Class<?> owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, target);
        boolean isStatic = lambda.getImplMethodKind() == 6;
        MethodHandle handle = lambda.getImplMethodKind() == 8
                ? lookup.findConstructor(owner, implementation)
                : isStatic
                ? lookup.findStatic(owner, lambda.getImplMethodName(), implementation)
                : lambda.getImplMethodKind() == 7
                        ? lookup.findSpecial(owner, lambda.getImplMethodName(), implementation, capturing)
                        : lookup.findVirtual(owner, lambda.getImplMethodName(), implementation);
        MethodType sam = MethodType.fromMethodDescriptorString(lambda.getFunctionalInterfaceMethodSignature(), target);
        MethodType instantiated = MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), target);
        Class<?>[] captured = new Class<?>[arguments.length];
        for (int i = 0; i < captured.length; i++) {
            arguments[i] = copy(lambda.getCapturedArg(i));
            captured[i] = handle.type().parameterType(i);
        }
        Class<?> function = Class.forName(lambda.getFunctionalInterfaceClass().replace('/', '.'), false, target);
        try {
            CallSite site = LambdaMetafactory.altMetafactory(
                    lookup,
                    lambda.getFunctionalInterfaceMethodName(),
                    MethodType.methodType(function, captured),
                    sam,
                    handle,
                    instantiated,
                    LambdaMetafactory.FLAG_SERIALIZABLE);
            Object to = site.getTarget().invokeWithArguments(arguments);
            copies.put(from, to);
            return to;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }
}
