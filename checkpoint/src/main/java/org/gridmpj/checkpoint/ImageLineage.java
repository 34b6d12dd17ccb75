package org.gridmpj.checkpoint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An image that the next one of its rank can be an increment to, and what is behind it. The images from the last full one
 * on are a lineage: they are kept and go together, so each of them can be restored for as long as it is there.
 *
 * @param fullEpoch number of the last full image
 * @param increments how many have come since
 * @param keptBytes length of all files of the lineage
 * @param liveBytes stored bytes that the newest of them needs
 * @param key of the hashes of all of them
 * @param sections by name
 */
record ImageLineage(
        int fullEpoch,
        int increments,
        long keptBytes,
        long liveBytes,
        BlockHash.Key key,
        Map<String, List<Block>> sections) {
    private static final int MOST_INCREMENTS = 8;

    ImageLineage {
        sections = Map.copyOf(sections);
    }

    /** Whether the next image is better a full one: long lineages cost reading, and more than half garbage costs disk. */
    boolean isExhausted() {
        return increments >= MOST_INCREMENTS || keptBytes > 2 * liveBytes;
    }

    /** The block of that number, if there is one. */
    @Nullable
    Block block(String section, int number) {
        List<Block> blocks = sections.getOrDefault(section, List.of());
        return number < blocks.size() ? blocks.get(number) : null;
    }

    /** The lineage that ends with an image just written. */
    static ImageLineage of(ImageBase written, int epoch, WrittenBlocks blocks) {
        ImageLineage before = blocks.before();
        Map<String, List<Block>> sections = new HashMap<>();
        long live = 0;
        for (SectionEntry section : blocks.sections()) {
            sections.put(
                    section.name(),
                    section.blocks().stream().map(block -> block.from(written)).toList());
            for (Block block : section.blocks()) {
                live += block.storedBytes();
            }
        }
        long bytes = written.summary().bytes();
        return before == null
                ? new ImageLineage(epoch, 0, bytes, live, blocks.key(), sections)
                : new ImageLineage(
                        before.fullEpoch,
                        before.increments + 1,
                        before.keptBytes + bytes,
                        live,
                        blocks.key(),
                        sections);
    }

    /**
     * What a writer has written.
     *
     * @param before null if it was a full image
     * @param key of its hashes
     */
    record WrittenBlocks(@Nullable ImageLineage before, BlockHash.Key key, List<SectionEntry> sections) {
        WrittenBlocks {
            sections = List.copyOf(sections);
        }
    }
}
