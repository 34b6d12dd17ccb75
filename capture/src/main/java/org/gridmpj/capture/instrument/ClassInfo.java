package org.gridmpj.capture.instrument;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the call graph needs to know of a class. Names are internal (JVMS 4.2).
 *
 * @param methods by name and descriptor; empty for a class that is not of the program
 * @param program whether it is of the program: neither the JDK's nor GridMPJ's own
 */
record ClassInfo(
        String name,
        @Nullable String superName,
        List<String> interfaces,
        int access,
        boolean program,
        Map<String, MethodInfo> methods) {
    /**
     * A method with code, abstract or native.
     *
     * @param signature name and descriptor
     * @param uses other classes that it has initialised: by static fields and methods, and by making objects
     */
    record MethodInfo(
            String owner,
            String signature,
            int access,
            List<Call> calls,
            List<Lambda> lambdas,
            Set<String> uses,
            int line) {
        String key() {
            return owner + "." + signature;
        }
    }

    /** One invoke instruction. */
    record Call(int opcode, String owner, String name, String signature, int line) {}

    /**
     * A lambda or method reference: calling {@code sam} of {@code type} calls the target.
     *
     * @param nextCall index of the call that follows in the method: most often the one that it is handed to
     */
    record Lambda(String type, String sam, String targetOwner, String targetSignature, int nextCall, int line) {}
}
