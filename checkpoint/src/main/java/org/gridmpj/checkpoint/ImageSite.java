package org.gridmpj.checkpoint;

import java.io.IOException;
import java.util.Set;

/**
 * Where the images of a job are, as its launcher sees it: beside the manifests, or on several hosts with copies. Called
 * by one thread at a time.
 */
public interface ImageSite {
    /** An epoch is about to be committed: throws if this image of it is not kept. */
    void require(RankImage image) throws IOException;

    /**
     * Reads an image, every byte.
     *
     * @throws ImageCorruptException if no good one is left
     * @throws ImagesUnknownException if there may be one where nobody has answered
     */
    void verify(EpochManifest manifest, RankImage image) throws IOException;

    /** Whether all images are beside the manifests: one that is not whole now never will be, as no host can come back. */
    boolean isOwnFolder();

    /** A generation begins: images of older epochs are leftovers, but for those that were committed. */
    void sweep(int generation, Set<EpochId> committed);

    /** The manifest of an epoch is gone, if there was one: its images are not needed any more. */
    void removed(EpochId id);
}
