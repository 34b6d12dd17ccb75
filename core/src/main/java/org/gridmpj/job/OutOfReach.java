package org.gridmpj.job;

/**
 * A peer that a rank has had no link with for long, though there should be one.
 *
 * @param worldRank of the peer
 * @param at its address, as the IP table has it
 * @param seconds for how long
 * @param obstacle what the last try came to
 */
public record OutOfReach(int worldRank, String at, int seconds, String obstacle) {}
