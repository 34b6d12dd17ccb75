package org.gridmpj.capture.frames;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mpj.Probe;
import org.gridmpj.snapshot.CutAction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** A sample program, loaded afresh and instrumented as the agent does it, and run by {@link ProgramCapture}. */
final class ProgramUnderTest extends ClassLoader {
    private final String main;
    private final String[] args;
    private final ProgramFiles files;
    private final ProgramCapture capture;
    private final Map<String, byte[]> loaded = new LinkedHashMap<>();

    ProgramUnderTest(String main, Path folder, String... args) {
        this(main, new ProgramFiles(List.of(folder)), args);
    }

    ProgramUnderTest(String main, ProgramFiles files, String... args) {
        super(ProgramUnderTest.class.getClassLoader());
        this.main = main;
        this.args = args;
        this.files = files;
        capture = new ProgramCapture(files.sites());
        Initialization.reset();
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
            byte[] made = files.made(name, this);
            if (made == null) {
                return super.loadClass(name, resolve);
            }
            loaded.put(name, made);
            return defineClass(name, made, 0, made.length);
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
        Probe.begin(captureAt, false, capture);
        capture.onCut(action);
        return goOn();
    }

    /** What the program has written when it is captured at each of its calls. */
    String runCapturedAtEach(CutAction action) throws ReflectiveOperationException {
        Probe.begin(1, true, capture);
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
        Field out = output(Class.forName(main, true, this));
        out.setAccessible(true);
        return String.valueOf(out.get(null));
    }

    private Field output(Class<?> type) throws ReflectiveOperationException {
        try {
            return type.getDeclaredField("OUT");
        } catch (NoSuchFieldException e) {
            return Class.forName(main + "$", true, this).getDeclaredField("OUT"); // an object of Scala's
        }
    }
}
