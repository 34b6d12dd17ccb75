package org.gridmpj.checkpoint;

/**
 * What tells a whole image from a broken one.
 *
 * @param bytes length of the file
 * @param crc32c checksum of all before the trailer
 */
public record ImageSummary(long bytes, int crc32c) {}
