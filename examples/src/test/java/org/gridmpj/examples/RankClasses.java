package org.gridmpj.examples;

import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.gridmpj.runtime.Bootstrap;
import org.gridmpj.runtime.MpiProcess;
import org.gridmpj.runtime.ProcessSource;

/**
 * The classes of one rank among several in a JVM: the facade's statics and the program's own belong to a rank, so package
 * {@code mpi} and the default package are loaded anew for each; the engine below is shared.
 */
final class RankClasses extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    RankClasses() {
        super(new URL[] {classesOf("mpi.MPI"), classesOf("Hello")}, RankClasses.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("mpi.") && name.indexOf('.') >= 0) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    /** Runs a program's main; its MPI.Init gets this process and these arguments. */
    void run(String program, MpiProcess process, List<String> arguments) throws ReflectiveOperationException {
        ProcessSource source = mainArguments -> new Bootstrap.Started(process, List.of(mainArguments));
        Method use = loadClass("mpi.Binding").getDeclaredMethod("use", ProcessSource.class);
        use.setAccessible(true);
        use.invoke(null, source);
        // Objects that arrive are of this rank's classes.
        Thread.currentThread().setContextClassLoader(this);
        Method main = loadClass(program).getMethod("main", String[].class);
        main.invoke(null, (Object) arguments.toArray(String[]::new));
    }

    private static URL classesOf(String className) {
        String file = className.replace('.', '/') + ".class";
        URL url = RankClasses.class.getClassLoader().getResource(file);
        if (url == null) {
            throw new IllegalStateException("class " + className + " is not on the class path");
        }
        String text = url.toString();
        String folder = text.substring(0, text.length() - file.length());
        try {
            // Of a jar: jar:file:….jar!/
            return URI.create(folder.startsWith("jar:") ? folder.substring(4, folder.length() - 2) : folder)
                    .toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(folder, e);
        }
    }
}
