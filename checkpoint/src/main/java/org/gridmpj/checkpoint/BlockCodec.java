package org.gridmpj.checkpoint;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses blocks where that pays. A short piece of each block is tried first: the digits of doubles, pictures and
 * archives cost an eighth of what compressing them in vain would. Confined to one thread.
 */
final class BlockCodec implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockCodec.class);
    private static final int LEVEL = 1;

    /** Shorter blocks stay as they are: a frame's own bytes eat what is won. */
    private static final int SHORTEST_BYTES = 256;

    private static final int TRIAL_BYTES = ImageFormat.BLOCK_BYTES / 8;

    /** Room for what zstd makes of bytes that do not compress: 1/256 more, and less than 1 KiB. */
    private final byte[] frame = new byte[ImageFormat.BLOCK_BYTES + ImageFormat.BLOCK_BYTES / 256 + 1024];

    private @Nullable ZstdCompressCtx compressor;
    private @Nullable ZstdDecompressCtx decompressor;
    /** The native library cannot be loaded here. */
    private boolean unavailable;

    /**
     * Compresses a block into {@link #frame}.
     *
     * @return length of the frame; 0 if the block is better stored as it is
     */
    int compress(byte[] raw, int length) {
        if (length < SHORTEST_BYTES || unavailable) {
            return 0;
        }
        try {
            ZstdCompressCtx zstd = compressor;
            if (zstd == null) {
                zstd = new ZstdCompressCtx().setLevel(LEVEL);
                compressor = zstd;
            }
            int middle = (length - TRIAL_BYTES) / 2;
            if (length > TRIAL_BYTES && !pays(encode(zstd, raw, middle, TRIAL_BYTES), TRIAL_BYTES)) {
                return 0;
            }
            int encoded = encode(zstd, raw, 0, length);
            return pays(encoded, length) ? encoded : 0;
        } catch (LinkageError e) {
            LOG.info("snapshots are not compressed: zstd's native library cannot be loaded here: {}", e.toString());
            unavailable = true;
            return 0;
        }
    }

    /** What {@link #compress} has made last. */
    byte[] frame() {
        return frame;
    }

    /**
     * Gives back a block.
     *
     * @throws ImageCorruptException if the frame is not one of exactly that many bytes
     */
    void decompress(byte[] stored, int storedLength, byte[] raw, int length) throws ImageCorruptException {
        int decoded;
        try {
            ZstdDecompressCtx zstd = decompressor;
            if (zstd == null) {
                zstd = new ZstdDecompressCtx();
                decompressor = zstd;
            }
            decoded = zstd.decompressByteArray(raw, 0, length, stored, 0, storedLength);
        } catch (ZstdException e) {
            throw new ImageCorruptException("a block cannot be decompressed: " + e.getMessage());
        } catch (LinkageError e) {
            throw new ImageCorruptException("it is compressed, and zstd's native library cannot be loaded here (" + e
                    + "): is the folder of java.io.tmpdir mounted noexec?");
        }
        if (decoded != length) {
            throw new ImageCorruptException("a block has " + decoded + " bytes instead of " + length);
        }
    }

    private int encode(ZstdCompressCtx zstd, byte[] raw, int offset, int length) {
        return zstd.compressByteArray(frame, 0, frame.length, raw, offset, length);
    }

    /** A tenth at least: less is not worth the reader's time. */
    private static boolean pays(int encoded, int length) {
        return encoded < length - length / 10;
    }

    @Override
    public void close() {
        if (compressor != null) {
            compressor.close();
        }
        if (decompressor != null) {
            decompressor.close();
        }
    }
}
