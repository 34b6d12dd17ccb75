package org.gridmpj.snapshot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program's main in the thread that it is called from, from its beginning or from where it was captured; implemented
 * in module {@code capture} and installed by its agent before any class of the program is loaded.
 */
public interface ProgramRunner {
    /**
     * Returns when main has returned.
     *
     * @param instance makes the object of a main that is not static; not called when the program goes on where it was
     * @throws InvocationTargetException what main has thrown
     * @throws ReflectiveOperationException if main cannot be called
     */
    void run(Method main, Callable<@Nullable Object> instance, Object... arguments) throws ReflectiveOperationException;

    /** Just calls main. */
    static ProgramRunner direct() {
        return (main, instance, arguments) -> main.invoke(made(instance), arguments);
    }

    /** The instance, or what its making threw as a reflective exception. */
    static @Nullable Object made(Callable<@Nullable Object> instance) throws ReflectiveOperationException {
        try {
            return instance.call();
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new InvocationTargetException(e);
        }
    }
}
