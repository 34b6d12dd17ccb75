package org.gridmpj.coll;

/**
 * Which algorithm for which size: one table. It sees only what all processes of a collective know alike (p, bytes,
 * whether they are objects), since all must choose the same.
 *
 * <pre>
 *   operation        short / few processes              long / many
 *   Bcast            binomial                           scatter + allgather   from 512 KiB, p ≥ 8
 *   Gather, Scatter  linear                             binomial              p ≥ 24 and blocks to 2 KiB
 *   Allgather        Bruck          blocks to 8 KiB     ring
 *   Alltoall         Bruck          p ≥ 8, to 256 B     linear; pairwise from 256 KiB
 *   Allreduce        recursive doubling to 16 KiB       Rabenseifner, p items and more
 *   Reduce_scatter   by Reduce      to 4 KiB, or not commutative     pairwise
 * </pre>
 *
 * Few processes gather linearly whatever the size: programs whose counts differ between sender and root then still work
 * as the peers of this library let them.
 */
final class CollectiveSelector {
    private static final long BCAST_LONG_BYTES = 512 * 1024;
    private static final int BCAST_LONG_PROCESSES = 8;
    private static final int TREE_PROCESSES = 24;
    private static final long TREE_BLOCK_BYTES = 2 * 1024;
    private static final long BRUCK_ALLGATHER_BYTES = 8 * 1024;
    private static final int BRUCK_ALLTOALL_PROCESSES = 8;
    private static final long BRUCK_ALLTOALL_BYTES = 256;
    private static final long PAIRWISE_ALLTOALL_BYTES = 256 * 1024;
    private static final long DOUBLING_ALLREDUCE_BYTES = 16 * 1024;
    private static final long REDUCE_SCATTER_SHORT_BYTES = 4 * 1024;

    private CollectiveSelector() {}

    enum Bcast {
        BINOMIAL,
        SCATTER_ALLGATHER
    }

    /** Of Gather and of Scatter. */
    enum Rooted {
        LINEAR,
        BINOMIAL
    }

    enum Allgather {
        BRUCK,
        RING
    }

    enum Alltoall {
        BRUCK,
        LINEAR,
        PAIRWISE
    }

    enum Allreduce {
        RECURSIVE_DOUBLING,
        RABENSEIFNER
    }

    enum ReduceScatter {
        BY_REDUCE,
        PAIRWISE
    }

    static Bcast bcast(int processes, Region buffer) {
        return !buffer.isObjects() && processes >= BCAST_LONG_PROCESSES && buffer.bytes() >= BCAST_LONG_BYTES
                ? Bcast.SCATTER_ALLGATHER
                : Bcast.BINOMIAL;
    }

    static Rooted rooted(int processes, Region block) {
        return !block.isObjects() && processes >= TREE_PROCESSES && block.bytes() <= TREE_BLOCK_BYTES
                ? Rooted.BINOMIAL
                : Rooted.LINEAR;
    }

    static Allgather allgather(Region block) {
        return !block.isObjects() && block.bytes() <= BRUCK_ALLGATHER_BYTES ? Allgather.BRUCK : Allgather.RING;
    }

    static Alltoall alltoall(int processes, Region block) {
        if (block.isObjects()) {
            return Alltoall.LINEAR;
        }
        if (processes >= BRUCK_ALLTOALL_PROCESSES && block.bytes() <= BRUCK_ALLTOALL_BYTES) {
            return Alltoall.BRUCK;
        }
        return block.bytes() >= PAIRWISE_ALLTOALL_BYTES ? Alltoall.PAIRWISE : Alltoall.LINEAR;
    }

    static Allreduce allreduce(int processes, Region vector) {
        return !vector.isObjects() && vector.bytes() > DOUBLING_ALLREDUCE_BYTES && vector.count() >= processes
                ? Allreduce.RABENSEIFNER
                : Allreduce.RECURSIVE_DOUBLING;
    }

    static ReduceScatter reduceScatter(Region vector, boolean commutative) {
        return commutative && !vector.isObjects() && vector.bytes() > REDUCE_SCATTER_SHORT_BYTES
                ? ReduceScatter.PAIRWISE
                : ReduceScatter.BY_REDUCE;
    }
}
