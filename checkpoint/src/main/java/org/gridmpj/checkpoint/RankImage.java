package org.gridmpj.checkpoint;

import org.gridmpj.job.control.ControlMessage.SnapshotWritten;

/**
 * One rank's part of a committed epoch.
 *
 * @param file name of the image, relative to the store's folder
 * @param bytes length of the file
 * @param crc32c checksum of the file up to its trailer
 * @param fullEpoch number of the full image that it is an increment to, over others; its own epoch if it is full
 * @param stallNanos how long the program stood still
 * @param stdoutBytes bytes written to System.out at the cut, since the JVM began; the other two likewise
 */
public record RankImage(
        int worldRank,
        String file,
        long bytes,
        int crc32c,
        int fullEpoch,
        long stallNanos,
        long stdoutBytes,
        long stderrBytes,
        long stdinBytes) {

    /** As a rank reports it. */
    static RankImage of(int worldRank, SnapshotWritten written) {
        return new RankImage(
                worldRank,
                written.file(),
                written.bytes(),
                written.crc32c(),
                written.fullEpoch(),
                written.stallNanos(),
                written.stdoutBytes(),
                written.stderrBytes(),
                written.stdinBytes());
    }
}
