package mpi;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gridmpj.comm.Keyval;
import org.gridmpj.runtime.FacadeState;
import org.gridmpj.snapshot.TokenBinder;
import org.jspecify.annotations.Nullable;

/**
 * The facade in a transparent snapshot. Predefined communicators, datatypes and operations are constants that compiled code
 * has folded, so each process keeps its own, by name; what the program has set on them goes over.
 */
final class FacadeImage implements FacadeState {
    /** Classes whose constants are predefined objects; the report of 2005's may be absent. */
    private static final String[] CONSTANTS = {"mpi.MPI", "mpi.Errhandler", "mpj.MPJ", "MPJ"};

    /** The statics' contents as plain data. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Contents(
            Map<String, Errhandler> errhandlers,
            Map<Integer, Keyval> keyvals,
            int nextKeyval,
            byte @Nullable [] attached,
            double seconds) {}

    @Override
    public void bindTokens(TokenBinder binder) {
        // REQUEST_NULL and the like are plain constants, too
        predefined().forEach(binder::bind);
    }

    @Override
    public Object state() {
        Map<String, Errhandler> errhandlers = new HashMap<>();
        predefined().forEach((name, object) -> {
            if (object instanceof Comm comm) {
                errhandlers.put(name, comm.Errhandler_get());
            }
        });
        return new Contents(errhandlers, Keyvals.all(), Keyvals.next(), MPI.attached(), MPI.Wtime());
    }

    @Override
    public void adopt(Object state) {
        Contents contents = (Contents) state;
        Binding.rebind();
        predefined().forEach((name, object) -> {
            Errhandler handler = contents.errhandlers().get(name);
            if (object instanceof Comm comm && handler != null) {
                comm.Errhandler_set(handler);
            }
        });
        Keyvals.adopt(contents.keyvals(), contents.nextKeyval());
        MPI.adopt(contents.attached(), contents.seconds());
    }

    private static Map<String, Object> predefined() {
        Map<String, Object> byName = new LinkedHashMap<>();
        for (String className : CONSTANTS) {
            try {
                Class<?> owner = Class.forName(className, true, FacadeImage.class.getClassLoader());
                for (Field field : owner.getDeclaredFields()) {
                    boolean constant = Modifier.isStatic(field.getModifiers())
                            && Modifier.isFinal(field.getModifiers())
                            && !field.getType().isPrimitive()
                            && field.getType() != String.class;
                    if (constant && field.trySetAccessible()) {
                        bind(byName, className + "." + field.getName(), field.get(null));
                    }
                }
            } catch (ClassNotFoundException e) {
                // not on this program's class path
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("a constant of " + className + " cannot be read", e);
            }
        }
        return byName;
    }

    /** One object has one name, the first. */
    @SuppressWarnings("ReferenceEquality") // identity is what a token keeps
    private static void bind(Map<String, Object> byName, String name, @Nullable Object object) {
        if (object != null && byName.values().stream().noneMatch(known -> known == object)) {
            byName.put(name, object);
        }
    }
}
