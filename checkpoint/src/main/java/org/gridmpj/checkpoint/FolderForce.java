package org.gridmpj.checkpoint;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A new name in a folder is on disk only once the folder is. */
@FunctionalInterface
interface FolderForce {
    /** Forces where the system lets a folder be opened (Windows and fakes do not). */
    FolderForce DISK = folder -> {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder, READ);
        } catch (IOException | UnsupportedOperationException e) {
            return;
        }
        try (channel) {
            channel.force(true);
        }
    };

    /** Forces the names in a folder to disk. */
    void force(Path folder) throws IOException;
}
