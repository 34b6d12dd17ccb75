package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.gridmpj.transport.HostMemory;

/** Memory shared by more ranks than the two of a link; nudges go by the links. */
final class HostSegments implements HostMemory {
    /** Gives the links by shared memory. */
    interface Links {
        /** Whether there is a link by shared memory to a rank. Under the progress lock. */
        boolean isShared(int worldRank);

        /** Wakes a rank if there is. Under the progress lock. */
        void nudge(int worldRank);
    }

    private final Links links;

    HostSegments(Links links) {
        this.links = links;
    }

    private record Segment(SharedFile file, long bytes) implements Created {
        @Override
        public MemorySegment memory() {
            return file.memory();
        }

        @Override
        public long[] place() {
            return new long[] {SharedFile.hostId(), ProcessHandle.current().pid(), file.descriptor(), bytes};
        }

        @Override
        public void hide() {
            file.close();
        }
    }

    @Override
    public Created create(long bytes) throws IOException {
        if (SharedFile.hostId() == 0) {
            throw new IOException("this system has no /dev/shm or no /proc");
        }
        return new Segment(SharedFile.create(bytes), bytes);
    }

    @Override
    public MemorySegment attach(long[] place) throws IOException {
        if (place[0] == 0 || place[0] != SharedFile.hostId()) {
            throw new IOException("it is of another host");
        }
        return SharedFile.attach(place[1], (int) place[2], place[3]);
    }

    @Override
    public boolean isAtHand(int worldRank) {
        return links.isShared(worldRank);
    }

    @Override
    public void nudge(int worldRank) {
        links.nudge(worldRank);
    }
}
