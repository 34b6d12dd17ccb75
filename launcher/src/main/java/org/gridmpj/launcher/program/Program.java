package org.gridmpj.launcher.program;

import java.nio.file.Path;
import java.util.List;

/**
 * The user's program, ready to run.
 *
 * @param mainClass binary name
 * @param classPath entries of the user's own, without GridMPJ's
 * @param display as the user named it
 */
public record Program(String mainClass, List<Path> classPath, String display) {
    public Program {
        classPath = List.copyOf(classPath);
    }
}
