package mpj;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * A program as an object with functions func_0, func_1 … Its state is the object itself if it is Serializable, else the
 * values of its fields, static and transient ones left out.
 */
final class UserFunctions {
    private static final String OBJECT_VARIABLE = "UserProgWrapper.program";

    private Object program;

    private UserFunctions(Object program) {
        this.program = program;
    }

    /** A new object of a class, by its constructor without arguments. */
    static UserFunctions of(String className) {
        ClassLoader loader = Objects.requireNonNullElse(
                Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader());
        try {
            Constructor<?> constructor = Class.forName(className, true, loader).getDeclaredConstructor();
            constructor.setAccessible(true);
            return new UserFunctions(constructor.newInstance());
        } catch (ClassNotFoundException e) {
            throw failure("there is no class " + className + " on the class path", e);
        } catch (NoSuchMethodException e) {
            throw failure("class " + className + " has no constructor without arguments", e);
        } catch (InvocationTargetException e) {
            throw failure("the constructor of " + className + " has failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw failure("class " + className + " cannot be instantiated: " + e, e);
        }
    }

    /** Calls one function; what it throws goes to the caller. */
    int call(int index, String[] args) throws Throwable {
        String name = "func_" + index;
        Method plain = find(name);
        Method function = plain != null ? plain : find(name, String[].class);
        if (function == null) {
            throw failure(
                    "class " + program.getClass().getName() + " has no int " + name + "(); a function returns the index"
                            + " of the next one, or " + UserProgWrapper.END + " to end",
                    null);
        }
        try {
            function.setAccessible(true);
            Object next = plain != null ? function.invoke(program) : function.invoke(program, (Object) args);
            return (Integer) next;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Makes the object part of the snapshots to come: a source for each variable, by name. */
    void register(BiConsumer<String, Supplier<?>> variables) {
        if (program instanceof Serializable) {
            variables.accept(OBJECT_VARIABLE, () -> program);
            return;
        }
        for (Field field : fields()) {
            variables.accept(variable(field), () -> get(field));
        }
    }

    /** Takes the state of a snapshot. */
    void restore(Function<String, @Nullable Object> variables) {
        if (program instanceof Serializable) {
            program = Objects.requireNonNull(variables.apply(OBJECT_VARIABLE), "the program is never null");
            return;
        }
        for (Field field : fields()) {
            try {
                field.set(program, variables.apply(variable(field)));
            } catch (IllegalAccessException e) {
                throw failure("field " + field + " cannot be set", e);
            }
        }
    }

    private @Nullable Object get(Field field) {
        try {
            return field.get(program);
        } catch (IllegalAccessException e) {
            throw failure("field " + field + " cannot be read", e);
        }
    }

    private List<Field> fields() {
        List<Field> fields = new ArrayList<>();
        for (Class<?> type = program.getClass(); type != Object.class && type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    private static String variable(Field field) {
        return field.getDeclaringClass().getName() + "." + field.getName();
    }

    private @Nullable Method find(String name, Class<?>... parameters) {
        for (Class<?> type = program.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Method method = type.getDeclaredMethod(name, parameters);
                if (method.getReturnType() == int.class) {
                    return method;
                }
            } catch (NoSuchMethodException e) {
                // A superclass may have it.
            }
        }
        return null;
    }

    private static MPJException failure(String what, @Nullable Throwable cause) {
        return new MPJException(new MpiFailure(ErrorClass.ARG, "UserProgWrapper: " + what, cause));
    }
}
