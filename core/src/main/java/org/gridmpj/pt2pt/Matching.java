package org.gridmpj.pt2pt;

import org.gridmpj.datatype.BaseType;
import org.gridmpj.transport.FrameHeader;

/** The rule by which an envelope matches a receive (MPI standard, 3.2.4); the source is matched by the queues' lists. */
final class Matching {
    private Matching() {}

    /**
     * Whether a receive accepts an envelope.
     *
     * @param matchType whether the datatype must match too (the 2005 report); packed bytes match every type
     */
    static boolean accepts(long contextId, int tag, boolean matchType, int typeCode, FrameHeader header) {
        return header.contextId == contextId
                && (tag == PointToPoint.ANY_TAG || tag == header.tag)
                && (!matchType || typesMatch(typeCode, header.typeCode));
    }

    private static boolean typesMatch(int wanted, int sent) {
        int packed = BaseType.PACKED.code();
        return wanted == sent || wanted == packed || sent == packed;
    }
}
