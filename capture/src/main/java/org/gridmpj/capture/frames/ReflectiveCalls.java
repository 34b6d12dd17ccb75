package org.gridmpj.capture.frames;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the way around reflection's own frames: the method that the agent has put beside each method of the program that can
 * be captured. Says null for all that is out of the ordinary (no access, wrong arguments, conversions, classes that are not
 * the program's): the program's own reflective call is made then, and throws what it throws.
 */
public final class ReflectiveCalls {
    /** Gives the lookup object of a class that has bridges. */
    public static final String LOOKUP = "mpj$lookup";

    private static final String PREFIX = "mpj$call$";

    private static final ClassValue<Map<String, ReflectiveTarget>> TARGETS = new ClassValue<>() {
        @Override
        protected Map<String, ReflectiveTarget> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    /** Stands for none, in the maps. */
    private static final ReflectiveTarget NONE = (receiver, arguments) -> null;

    private ReflectiveCalls() {}

    /** Name of the method that calls another one; overloaded ones differ in their descriptor. */
    public static String bridge(String method, String descriptor) {
        String name = method.equals("<init>") ? "new" : method;
        return PREFIX + name + "$" + Integer.toHexString(descriptor.hashCode());
    }

    /** Whether a method of this name calls another one for reflection. */
    public static boolean isBridge(String name) {
        return name.startsWith(PREFIX);
    }

    /** A method that the agent has added, which reflection is not to show. */
    public static boolean isAdded(Method method) {
        String name = method.getName();
        return method.isSynthetic()
                && (name.startsWith("mpj$")
                        || name.endsWith("$ckpt")
                        || name.startsWith("init$body")
                        || name.equals("init$resume"));
    }

    /** {@link Class#getDeclaredMethods} of the class as the program has it. */
    public static Method[] declaredMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !isAdded(method))
                .toArray(Method[]::new);
    }

    /** What calls a method in the place of {@link Method#invoke}, or null. */
    @SuppressWarnings("deprecation") // whether setAccessible was called; canAccess would ask for this class
    public static @Nullable ReflectiveTarget of(
            @Nullable Method method,
            @Nullable Object receiver,
            @Nullable Object @Nullable [] arguments,
            @Nullable Class<?> caller) {
        if (method == null
                || !(Modifier.isStatic(method.getModifiers())
                        || method.getDeclaringClass().isInstance(receiver))
                || !mayCall(method, method.isAccessible(), caller)) {
            return null;
        }
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        return target(method, method.getName(), type, arguments);
    }

    /** What calls a constructor in the place of {@link Constructor#newInstance}, or null. */
    @SuppressWarnings("deprecation") // as above
    public static @Nullable ReflectiveTarget of(
            @Nullable Constructor<?> constructor, @Nullable Object @Nullable [] arguments, @Nullable Class<?> caller) {
        if (constructor == null
                || Modifier.isAbstract(constructor.getDeclaringClass().getModifiers())
                || !mayCall(constructor, constructor.isAccessible(), caller)) {
            return null;
        }
        MethodType type = MethodType.methodType(void.class, constructor.getParameterTypes());
        return target(constructor, "<init>", type, arguments);
    }

    /** What makes an object in the place of {@code Class.newInstance}, or null. */
    public static @Nullable ReflectiveTarget of(Class<?> type, @Nullable Class<?> caller) {
        try {
            return of(type.getDeclaredConstructor(), null, caller);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static @Nullable ReflectiveTarget target(
            Executable member, String name, MethodType type, @Nullable Object @Nullable [] arguments) {
        if (!fit(type.parameterArray(), arguments == null ? new Object[0] : arguments)) {
            return null;
        }
        Class<?> owner = member.getDeclaringClass();
        String bridge = bridge(name, type.toMethodDescriptorString());
        ReflectiveTarget found = TARGETS.get(owner).computeIfAbsent(bridge, key -> made(owner, key));
        return found.equals(NONE) ? null : found;
    }

    private static ReflectiveTarget made(Class<?> owner, String bridge) {
        MethodType type = MethodType.methodType(Object.class, Object.class, Object[].class);
        try {
            // what its initialiser throws is thrown as it is, not as the method's
            Class<?> _ = Class.forName(owner.getName(), true, owner.getClassLoader());
            Method of = owner.getDeclaredMethod(LOOKUP);
            of.setAccessible(true);
            MethodHandles.Lookup lookup = (MethodHandles.Lookup) of.invoke(null);
            MethodHandle handle = lookup.findStatic(owner, bridge, type);
            return (ReflectiveTarget) LambdaMetafactory.altMetafactory(
                            lookup,
                            "call",
                            MethodType.methodType(ReflectiveTarget.class),
                            type,
                            handle,
                            type,
                            LambdaMetafactory.FLAG_SERIALIZABLE)
                    .getTarget()
                    .invoke();
        } catch (NoSuchMethodException | ClassNotFoundException e) {
            return NONE; // no method that can be captured
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return NONE;
        }
    }

    /** Whether reflection would let the caller call it; false where that is not plain. */
    private static boolean mayCall(Executable member, boolean accessible, @Nullable Class<?> caller) {
        Class<?> owner = member.getDeclaringClass();
        if (accessible || owner.equals(caller)) {
            return true;
        }
        if (caller == null) {
            return false; // a class file from before Java 5 cannot name itself
        }
        int modifiers = member.getModifiers();
        boolean samePackage = owner.getPackageName().equals(caller.getPackageName())
                && Objects.equals(owner.getClassLoader(), caller.getClassLoader());
        if (samePackage) {
            return !Modifier.isPrivate(modifiers) || owner.getNestHost().equals(caller.getNestHost());
        }
        return Modifier.isPublic(modifiers) && Modifier.isPublic(owner.getModifiers());
    }

    private static boolean fit(Class<?>[] types, @Nullable Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            Object argument = arguments[i];
            if (types[i].isPrimitive()) {
                Class<?> boxed = MethodType.methodType(types[i]).wrap().returnType();
                if (argument == null || argument.getClass() != boxed) {
                    return false;
                }
            } else if (argument != null && !types[i].isInstance(argument)) {
                return false;
            }
        }
        return true;
    }
}
