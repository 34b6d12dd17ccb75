package org.gridmpj.capture.heap;

import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** A reflected method, constructor or field: by class, name and descriptor. */
record MemberForm(String owner, String name, String descriptor, boolean accessible) {
    @SuppressWarnings("deprecation") // whether setAccessible was called
    static @Nullable MemberForm of(Object object) {
        if (!(object instanceof Member member) || member.getDeclaringClass().isHidden()) {
            return null;
        }
        boolean accessible = ((AccessibleObject) object).isAccessible();
        String owner = member.getDeclaringClass().getName();
        return switch (object) {
            case Method method ->
                new MemberForm(
                        owner,
                        method.getName(),
                        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .toMethodDescriptorString(),
                        accessible);
            case Constructor<?> constructor ->
                new MemberForm(
                        owner,
                        "",
                        MethodType.methodType(void.class, constructor.getParameterTypes())
                                .toMethodDescriptorString(),
                        accessible);
            case Field field -> new MemberForm(owner, field.getName(), "", accessible);
            default -> null;
        };
    }

    Object find(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> type = LambdaFactory.named(owner, loader);
        AccessibleObject found;
        if (descriptor.isEmpty()) {
            found = type.getDeclaredField(name);
        } else {
            MethodType signature = MethodType.fromMethodDescriptorString(descriptor, loader);
            found = name.isEmpty()
                    ? type.getDeclaredConstructor(signature.parameterArray())
                    : method(type, name, signature);
        }
        if (accessible) {
            found.setAccessible(true);
        }
        return found;
    }

    /** Bridge methods differ in the type that they give only. */
    private static Method method(Class<?> type, String name, MethodType signature) throws NoSuchMethodException {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name)
                    && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                            .equals(signature)) {
                return method;
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name + signature);
    }
}
