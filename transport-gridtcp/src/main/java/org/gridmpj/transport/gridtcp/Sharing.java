package org.gridmpj.transport.gridtcp;

/**
 * What a hello says of shared memory: the dialer offers a segment, the acceptor says whether it has mapped it.
 *
 * @param hostId where both must be to share memory ({@link SharedFile#hostId}); 0: no offer, not accepted
 * @param pid process in which the segment is open
 * @param descriptor under which it is open there
 * @param number what stands in the segment's head, never 0: under the descriptor of a late offer another may be open
 * @param segmentBytes its length
 */
record Sharing(long hostId, long pid, int descriptor, long number, int segmentBytes) {
    /** No shared memory. */
    static final Sharing NONE = new Sharing(0, 0, 0, 0, 0);

    boolean isOffered() {
        return hostId != 0;
    }
}
