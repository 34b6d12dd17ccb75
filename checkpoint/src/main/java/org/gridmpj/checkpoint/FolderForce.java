package org.gridmpj.checkpoint;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A new name in a folder is on disk only once the folder is. */
final class FolderForce {
    private FolderForce() {}

    /** Forces the names in a folder to disk, where the system lets a folder be opened (Windows and fakes do not). */
    static void force(Path folder) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder, READ);
        } catch (IOException | UnsupportedOperationException e) {
            return;
        }
        try (channel) {
            channel.force(true);
        }
    }
}
