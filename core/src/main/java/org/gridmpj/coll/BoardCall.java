package org.gridmpj.coll;

/** What a rank does on a {@link Board}, as one number that all ranks of a call must have alike. */
final class BoardCall {
    private static final int OPERATION_SHIFT = 56;
    private static final int ROOT_SHIFT = 48;
    private static final long ROOT_MASK = 0xFF;
    private static final long BYTES_MASK = (1L << ROOT_SHIFT) - 1;

    private static final Choosable[] OPERATIONS = Choosable.values();

    private BoardCall() {}

    /** Bytes are those of the selection table. */
    static long of(Choosable operation, int root, long bytes) {
        return ((long) operation.code() << OPERATION_SHIFT) | ((long) root << ROOT_SHIFT) | (bytes & BYTES_MASK);
    }

    /** "allgather of 8 bytes", for people. */
    static String describe(long call) {
        int code = (int) (call >>> OPERATION_SHIFT);
        Choosable which = null;
        for (Choosable each : OPERATIONS) {
            which = each.code() == code ? each : which;
        }
        if (which == null) {
            return "no collective";
        }
        String direction = switch (which) {
            case BCAST -> " from rank ";
            case REDUCE, GATHER -> " to rank ";
            default -> "";
        };
        String root = direction.isEmpty() ? "" : direction + ((call >>> ROOT_SHIFT) & ROOT_MASK);
        return which.word() + " of " + (call & BYTES_MASK) + " bytes" + root;
    }
}
