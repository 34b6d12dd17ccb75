package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.gridmpj.capture.instrument.ProgramPath;
import org.gridmpj.launcher.Sha256;
import org.gridmpj.launcher.UserError;

/**
 * A program's class path as jars that can be sent to other hosts, each named by its content: also those that the manifest of
 * another names, which would look for them beside itself. Folders become jars; of jars there are copies, as the user may build
 * the program anew before a host is met that needs them.
 *
 * @param names in the order of the class path
 * @param files the copy of each
 */
record ProgramParts(List<String> names, Map<String, Path> files) {
    /** A folder on the class path that is larger holds more than a program. */
    private static final long MOST_BYTES = 256L << 20;

    ProgramParts {
        names = List.copyOf(names);
        files = Map.copyOf(files);
    }

    /** @param work folder for the jars that are made and copied */
    static ProgramParts of(List<Path> classPath, Path work) throws IOException {
        List<String> names = new ArrayList<>();
        Map<String, Path> files = new LinkedHashMap<>();
        for (Path entry : new ProgramPath(classPath).entries()) {
            Path made = Files.createTempFile(work, "part", ".jar");
            Path copy = Files.isDirectory(entry)
                    ? pack(entry, made)
                    : Files.copy(entry, made, StandardCopyOption.REPLACE_EXISTING);
            String name = hash(copy) + ".jar";
            names.add(name);
            files.put(name, Files.move(copy, work.resolve(name), StandardCopyOption.REPLACE_EXISTING));
        }
        return new ProgramParts(names, files);
    }

    /** The same folder gives the same bytes. */
    private static Path pack(Path folder, Path jar) throws IOException {
        List<Path> content;
        try (Stream<Path> all = Files.walk(folder)) {
            content = all.filter(file -> Files.isRegularFile(file) && !isHidden(folder, file))
                    .sorted()
                    .toList();
        }
        long bytes = 0;
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Path file : content) {
                bytes += Files.size(file);
                if (bytes > MOST_BYTES) {
                    throw new UserError(
                            1,
                            "the folder " + folder + " of the class path is too large to be sent to other hosts (more"
                                    + " than " + (MOST_BYTES >> 20) + " MiB): name the program's own folder or jar with"
                                    + " -cp");
                }
                ZipEntry entry = new ZipEntry(folder.relativize(file).toString().replace('\\', '/'));
                entry.setTime(0);
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return jar;
    }

    private static boolean isHidden(Path folder, Path file) {
        for (Path part : folder.relativize(file)) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    private static String hash(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, Sha256.digest())) {
            long _ = digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        }
    }
}
