package org.gridmpj.capture.heap;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/** Makes lambdas from what their SerializedLambda says; one class for all lambdas of a place in the program. */
final class LambdaFactory {
    private static final int CAPTURING_CLASS = 0;
    private static final int INTERFACE = 1;
    private static final int INTERFACE_METHOD = 2;
    private static final int INTERFACE_SIGNATURE = 3;
    private static final int IMPLEMENTATION_KIND = 4;
    private static final int IMPLEMENTATION_CLASS = 5;
    private static final int IMPLEMENTATION_METHOD = 6;
    private static final int IMPLEMENTATION_SIGNATURE = 7;
    private static final int INSTANTIATED_TYPE = 8;
    /** How many interfaces it has besides; they follow, and then the descriptors of its bridges. */
    private static final int MARKERS = 9;

    /** A private lookup has full privileges in classes of the own loader only, which programs need not have. */
    static final MethodHandles.Lookup TRUSTED = trusted();

    private final ClassLoader loader;
    private final Map<List<String>, MethodHandle> factories = new HashMap<>();

    LambdaFactory(ClassLoader loader) {
        this.loader = loader;
    }

    private static MethodHandles.Lookup trusted() {
        try {
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            Unsafe unsafe = Unsafe.getUnsafe();
            return (MethodHandles.Lookup)
                    unsafe.getReference(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("this JDK has another Lookup than JDK 25", e);
        }
    }

    /** A class by its binary name, primitive types and arrays too. */
    static Class<?> named(String name, ClassLoader loader) throws ClassNotFoundException {
        return switch (name) {
            case "boolean" -> boolean.class;
            case "byte" -> byte.class;
            case "char" -> char.class;
            case "short" -> short.class;
            case "int" -> int.class;
            case "long" -> long.class;
            case "float" -> float.class;
            case "double" -> double.class;
            case "void" -> void.class;
            default -> Class.forName(name, false, loader);
        };
    }

    /** What says of what a lambda is; its class has what SerializedLambda leaves out: more interfaces, and bridges. */
    static String[] names(SerializedLambda lambda, Class<?> type) {
        List<String> names = new ArrayList<>(List.of(
                lambda.getCapturingClass(),
                lambda.getFunctionalInterfaceClass(),
                lambda.getFunctionalInterfaceMethodName(),
                lambda.getFunctionalInterfaceMethodSignature(),
                Integer.toString(lambda.getImplMethodKind()),
                lambda.getImplClass(),
                lambda.getImplMethodName(),
                lambda.getImplMethodSignature(),
                lambda.getInstantiatedMethodType()));
        Class<?>[] interfaces = type.getInterfaces();
        names.add(Integer.toString(interfaces.length - 1));
        for (int i = 1; i < interfaces.length; i++) {
            names.add(interfaces[i].getName());
        }
        for (Method method : type.getDeclaredMethods()) {
            String descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                    .toMethodDescriptorString();
            if (method.getName().equals(lambda.getFunctionalInterfaceMethodName())
                    && !descriptor.equals(lambda.getFunctionalInterfaceMethodSignature())) {
                names.add(descriptor);
            }
        }
        return names.toArray(String[]::new);
    }

    Object make(String[] names, Object[] captured) throws ReflectiveOperationException {
        List<String> key = Arrays.asList(names);
        MethodHandle factory = factories.get(key);
        if (factory == null) {
            factory = factory(names, captured.length);
            factories.put(key, factory);
        }
        try {
            return factory.invokeWithArguments(captured);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException("a lambda of " + names[CAPTURING_CLASS], e);
        }
    }

    private Class<?> internal(String name) throws ClassNotFoundException {
        return named(name.replace('/', '.'), loader);
    }

    private MethodHandle factory(String[] names, int captured) throws ReflectiveOperationException {
        Class<?> capturing = internal(names[CAPTURING_CLASS]);
        MethodHandles.Lookup lookup = TRUSTED.in(capturing);
        Class<?> owner = internal(names[IMPLEMENTATION_CLASS]);
        String method = names[IMPLEMENTATION_METHOD];
        MethodType type = MethodType.fromMethodDescriptorString(names[IMPLEMENTATION_SIGNATURE], loader);
        MethodHandle implementation = switch (Integer.parseInt(names[IMPLEMENTATION_KIND])) {
            case MethodHandleInfo.REF_invokeStatic -> lookup.findStatic(owner, method, type);
            case MethodHandleInfo.REF_newInvokeSpecial -> lookup.findConstructor(owner, type);
            case MethodHandleInfo.REF_invokeSpecial -> lookup.findSpecial(owner, method, type, capturing);
            default -> lookup.findVirtual(owner, method, type);
        };
        Class<?>[] parameters =
                implementation.type().parameterList().subList(0, captured).toArray(Class<?>[]::new);
        int bridges = MARKERS + 1 + Integer.parseInt(names[MARKERS]);
        List<Object> arguments = new ArrayList<>(List.of(
                MethodType.fromMethodDescriptorString(names[INTERFACE_SIGNATURE], loader),
                implementation,
                MethodType.fromMethodDescriptorString(names[INSTANTIATED_TYPE], loader),
                LambdaMetafactory.FLAG_SERIALIZABLE | LambdaMetafactory.FLAG_MARKERS | LambdaMetafactory.FLAG_BRIDGES,
                bridges - MARKERS - 1));
        for (int i = MARKERS + 1; i < bridges; i++) {
            arguments.add(named(names[i], loader));
        }
        arguments.add(names.length - bridges);
        for (int i = bridges; i < names.length; i++) {
            arguments.add(MethodType.fromMethodDescriptorString(names[i], loader));
        }
        try {
            return LambdaMetafactory.altMetafactory(
                            lookup,
                            names[INTERFACE_METHOD],
                            MethodType.methodType(internal(names[INTERFACE]), parameters),
                            arguments.toArray())
                    .getTarget();
        } catch (java.lang.invoke.LambdaConversionException e) {
            throw new ReflectiveOperationException("a lambda of " + names[CAPTURING_CLASS], e);
        }
    }
}
