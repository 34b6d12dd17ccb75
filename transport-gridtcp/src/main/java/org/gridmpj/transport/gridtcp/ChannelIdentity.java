package org.gridmpj.transport.gridtcp;

/**
 * Whose channel it is.
 *
 * @param worldRank the own rank
 * @param peerRank the other end
 * @param generation of the job
 * @param incarnation of the own rank
 */
record ChannelIdentity(int worldRank, int peerRank, int generation, int incarnation) {}
