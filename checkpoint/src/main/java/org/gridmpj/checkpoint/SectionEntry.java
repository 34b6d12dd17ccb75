package org.gridmpj.checkpoint;

/** A section of an image: where its bytes stand and their checksum. */
record SectionEntry(String name, long offset, long lengthBytes, int crc32c) {}
