package org.gridmpj.capture.frames;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import mpj.Probe;
import org.gridmpj.capture.instrument.ProgramTransformer;
import org.gridmpj.snapshot.CutAction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** A sample program, loaded afresh and instrumented as the agent does it, and run by {@link ProgramCapture}. */
final class ProgramUnderTest extends ClassLoader {
    private final String main;
    private final String[] args;
    private final Path classes;
    private final ProgramTransformer transformer;
    private final ProgramCapture capture;
    private final Map<String, byte[]> loaded = new LinkedHashMap<>();

    ProgramUnderTest(String main, Path folder, String... args) {
        super(ProgramUnderTest.class.getClassLoader());
        this.main = main;
        this.args = args;
        this.classes = folder;
        transformer = ProgramTransformer.of(List.of(folder), ProgramUnderTest.class.getClassLoader());
        capture = new ProgramCapture(transformer.sites());
    }

    ProgramCapture capture() {
        return capture;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            Path file = classes.resolve(name.replace('.', '/') + ".class");
            boolean library = name.startsWith("org.gridmpj.capture.library.");
            if (!Files.exists(file) && !library) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = library
                    ? Objects.requireNonNull(getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
                    : Files.newInputStream(file)) {
                byte[] original = in.readAllBytes();
                byte[] made = transformer.transform(this, name.replace('.', '/'), null, null, original);
                byte[] defined = made == null ? original : made;
                loaded.put(name, defined);
                return defineClass(name, defined, 0, defined.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Has ASM check the code of all classes that the program has loaded. */
    void verifyClasses() {
        new LinkedHashMap<>(loaded).forEach(this::verify);
    }

    private void verify(String name, byte[] made) {
        StringWriter problems = new StringWriter();
        CheckClassAdapter.verify(new ClassReader(made), this, false, new PrintWriter(problems));
        if (!problems.toString().isEmpty()) {
            throw new AssertionError(name + " does not verify:\n" + problems);
        }
    }

    /** What the program has written. */
    String run(int captureAt, CutAction action) throws ReflectiveOperationException {
        Probe.calls = 0;
        Probe.captureAt = captureAt;
        Probe.captureEach = false;
        Probe.lastObstacle = null;
        Probe.capture = capture;
        capture.onCut(action);
        return goOn();
    }

    /** What the program has written when it is captured at each of its calls. */
    String runCapturedAtEach(CutAction action) throws ReflectiveOperationException {
        Probe.calls = 0;
        Probe.captureAt = 1;
        Probe.captureEach = true;
        Probe.lastObstacle = null;
        Probe.capture = capture;
        capture.onCut(action);
        return goOn();
    }

    /** Runs main, from where it was if there is a state to go on from. */
    String goOn() throws ReflectiveOperationException {
        Class<?> type = Class.forName(main, false, this);
        Method method = type.getDeclaredMethod("main", String[].class);
        method.setAccessible(true);
        capture.run(method, () -> null, (Object) args);
        return output();
    }

    String output() throws ReflectiveOperationException {
        Field out = Class.forName(main, true, this).getDeclaredField("OUT");
        out.setAccessible(true);
        return String.valueOf(out.get(null));
    }
}
