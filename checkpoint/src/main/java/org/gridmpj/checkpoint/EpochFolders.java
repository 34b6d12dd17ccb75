package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders of epochs side by side in one folder, named by generation and epoch: {@code g0-e7}.
 *
 * @param folder the folder that they are in; need not exist
 */
record EpochFolders(Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(EpochFolders.class);
    private static final Pattern NAME = Pattern.compile("g(\\d{1,9})-e(\\d{1,9})");

    /** The folder of an epoch. */
    Path of(EpochId id) {
        return folder.resolve("g" + id.generation() + "-e" + id.epoch());
    }

    /** All epochs of which there is anything, newest first. */
    List<EpochId> ids() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> NAME.matcher(entry.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(match -> new EpochId(Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2))))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /** Removes an epoch's folder and the files in it, if it is there. */
    void remove(EpochId id) throws IOException {
        Path epochFolder = of(id);
        if (!Files.exists(epochFolder)) {
            return;
        }
        List<Path> entries;
        try (Stream<Path> listed = Files.list(epochFolder)) {
            entries = listed.toList();
        }
        for (Path entry : entries) {
            Files.deleteIfExists(entry);
        }
        try {
            Files.deleteIfExists(epochFolder);
        } catch (DirectoryNotEmptyException e) {
            // A rank was still at it and has made a file since: retain or sweep comes by again.
            LOG.debug("{} is removed later", epochFolder);
        }
    }
}
