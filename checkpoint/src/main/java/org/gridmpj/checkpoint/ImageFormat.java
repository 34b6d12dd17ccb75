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
 *   ├ blocks, back to back: sections cut into 64 KiB, as they are or as │
 *   │ zstd frames; those that an earlier image has stay there              │
 *   ├ directory: files of earlier images ──────────────────────────────────┤
 *   │  0  2  length n of the name       2+n  8  length of that file        │
 *   │  2  n  name in the store, UTF-8  10+n  4  its CRC32C, as its trailer │
 *   ├ directory: sections ─────────────────────────────────────────────────┤
 *   │  0  2  length n of the name       2+n  8  length in bytes            │
 *   │  2  n  name, UTF-8               10+n     a line per block:          │
 *   │         0  8  offset in its file        16  4  CRC32C as stored      │
 *   │         8  4  bytes stored; +2³¹: zstd  20 16  hash of the raw       │
 *   │        12  4  file: 0 this, n the nth           bytes, see BlockHash │
 *   ├ trailer ─────────────────────────────────────────────────────────────┤
 *   │  0  8  offset of the directory     24  4  CRC32C of all before       │
 *   │  8  4  length of the directory     28  8  length of the whole file   │
 *   │ 12  4  number of sections          36 16  key of the hashes          │
 *   │ 16  4  number of earlier images    52  4  CRC32C of trailer 0 … 51   │
 *   │ 20  4  CRC32C of the directory     56  8  magic "SNAPDONE"           │
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
    static final int VERSION = 4;

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

    static final int BLOCK_OFFSET_OFFSET = 0;
    static final int BLOCK_STORED_OFFSET = 8;
    static final int BLOCK_FILE_OFFSET = 12;
    static final int BLOCK_CRC_OFFSET = 16;
    static final int BLOCK_HASH_OFFSET = 20;
    static final int BLOCK_LINE_BYTES = 36;
    /** In the number of bytes stored: the block is a zstd frame. */
    static final int COMPRESSED_BIT = 1 << 31;

    static final int TRAILER_BYTES = 64;
    static final int DIRECTORY_OFFSET_OFFSET = 0;
    static final int DIRECTORY_LENGTH_OFFSET = 8;
    static final int SECTION_COUNT_OFFSET = 12;
    static final int BASE_COUNT_OFFSET = 16;
    static final int DIRECTORY_CRC_OFFSET = 20;
    static final int WHOLE_CRC_OFFSET = 24;
    static final int FILE_LENGTH_OFFSET = 28;
    static final int HASH_KEY_OFFSET = 36;
    static final int TRAILER_CRC_OFFSET = 52;
    static final int END_MAGIC_OFFSET = 56;

    /** Bytes of a section that are hashed, compressed and referred to as one. */
    static final int BLOCK_BYTES = 1 << 16;

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
