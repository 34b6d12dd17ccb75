package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * Where everything stands in an image: one file per rank and epoch, little-endian, written in one pass.
 *
 * <pre>
 *   ┌ header ──────────────────────────────────────────────────────────────┐
 *   │  0  8  magic "GMPJSNAP"            24  4  epoch                      │
 *   │  8  4  version                     28  4  the program's snapshot id  │
 *   │ 12  4  world rank                  32  8  time, milliseconds of 1970 │
 *   │ 16  4  number of ranks             40  4  kind, see ImageKind        │
 *   │ 20  4  generation                  44  2  length n of the job's name │
 *   │                                    46  n  name, UTF-8                │
 *   │                                  46+n  4  CRC32C of the header so far│
 *   ├ sections, back to back ──────────────────────────────────────────────┤
 *   ├ directory, one entry per section ────────────────────────────────────┤
 *   │  0  2  length n of the name       2+n  8  offset in the file         │
 *   │  2  n  name, UTF-8               10+n  8  length in bytes            │
 *   │                                  18+n  4  CRC32C of the section      │
 *   ├ trailer ─────────────────────────────────────────────────────────────┤
 *   │  0  8  offset of the directory     20  8  length of the whole file   │
 *   │  8  4  length of the directory     28  4  CRC32C of trailer 0 … 27   │
 *   │ 12  4  number of sections          32  8  magic "SNAPDONE"           │
 *   │ 16  4  CRC32C of all before the trailer                              │
 *   └──────────────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * A file that was torn has no trailer; a flipped bit anywhere fails a checksum. The directory stands last so that a
 * section of any length can be written without knowing its length before. No number here is ever reused for another
 * meaning: a change raises {@link #VERSION}.
 */
final class ImageFormat {
    static final byte[] MAGIC = "GMPJSNAP".getBytes(US_ASCII);
    static final byte[] END_MAGIC = "SNAPDONE".getBytes(US_ASCII);
    static final int VERSION = 2;

    static final int VERSION_OFFSET = 8;
    static final int RANK_OFFSET = 12;
    static final int SIZE_OFFSET = 16;
    static final int GENERATION_OFFSET = 20;
    static final int EPOCH_OFFSET = 24;
    static final int SNAPSHOT_ID_OFFSET = 28;
    static final int TIME_OFFSET = 32;
    static final int KIND_OFFSET = 40;
    static final int NAME_LENGTH_OFFSET = 44;
    static final int NAME_OFFSET = 46;
    static final int MAX_NAME_BYTES = 4096;

    static final int TRAILER_BYTES = 40;
    static final int DIRECTORY_OFFSET_OFFSET = 0;
    static final int DIRECTORY_LENGTH_OFFSET = 8;
    static final int SECTION_COUNT_OFFSET = 12;
    static final int WHOLE_CRC_OFFSET = 16;
    static final int FILE_LENGTH_OFFSET = 20;
    static final int TRAILER_CRC_OFFSET = 28;
    static final int END_MAGIC_OFFSET = 32;

    /** Bytes that are read or written at a time. */
    static final int CHUNK_BYTES = 1 << 18;

    private ImageFormat() {}

    /** Whether the bytes at a place are this magic. */
    static boolean hasMagic(ByteBuffer buffer, int offset, byte[] magic) {
        for (int i = 0; i < magic.length; i++) {
            if (buffer.get(offset + i) != magic[i]) {
                return false;
            }
        }
        return true;
    }
}
