package org.gridmpj.transport.gridtcp;

/**
 * System calls that a rank has made on its connections' descriptors, as far as they moved something or were needed for waiting: what
 * a message costs in the kernel, counted. Calls of links that are closed are not among them.
 *
 * @param sends calls by which bytes left
 * @param receives calls that brought bytes
 * @param watchChanges changes of the set of watched sockets
 * @param blocks waits in the kernel
 * @param wakes of a thread that waited there, by the eventfd
 */
record SystemCallCounts(long sends, long receives, long watchChanges, long blocks, long wakes) {
    /** What has come since an earlier count. */
    SystemCallCounts since(SystemCallCounts before) {
        return new SystemCallCounts(
                sends - before.sends,
                receives - before.receives,
                watchChanges - before.watchChanges,
                blocks - before.blocks,
                wakes - before.wakes);
    }
}
