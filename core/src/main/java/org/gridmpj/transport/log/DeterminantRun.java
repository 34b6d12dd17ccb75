package org.gridmpj.transport.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Determinants of one rank in a row, as they go to their holder and come back from it.
 *
 * <pre>
 *   version (int) · n (int) · number of the first (long) · number of the first that is still of use (long) · n × determinant
 * </pre>
 *
 * In the byte order of the machines, which is one in a job.
 *
 * @param first number of the first one, or of the next if there is none
 * @param keepFrom those with a lower number are of no use any more
 */
record DeterminantRun(long first, long keepFrom, List<Determinant> determinants) {
    static final int VERSION = 1;
    private static final int HEADER_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    /** Number that the one behind the last has. */
    long end() {
        return first + determinants.size();
    }

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + determinants.size() * Determinant.BYTES)
                .order(ByteOrder.nativeOrder());
        bytes.putInt(VERSION).putInt(determinants.size()).putLong(first).putLong(keepFrom);
        determinants.forEach(each -> each.write(bytes));
        return bytes.array();
    }

    /** @throws IllegalArgumentException if it is none */
    static DeterminantRun decode(ByteBuffer bytes) {
        if (bytes.getInt() != VERSION) {
            throw new IllegalArgumentException("determinants of another version");
        }
        int count = bytes.getInt();
        long first = bytes.getLong();
        long keepFrom = bytes.getLong();
        List<Determinant> determinants = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            determinants.add(Determinant.read(bytes));
        }
        return new DeterminantRun(first, keepFrom, determinants);
    }

    static DeterminantRun decode(byte[] encoded) {
        return decode(ByteBuffer.wrap(encoded).order(ByteOrder.nativeOrder()));
    }
}
