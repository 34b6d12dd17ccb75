package org.gridmpj.launcher.hosts;

/**
 * One process of a rank, at one agent. A rank that moves has two for a while, perhaps at the same agent, and comes back to
 * an agent where it was before.
 *
 * @param life counts the starts of all ranks together: what belongs to an earlier life is dropped
 * @param incarnation counts the processes of the rank
 */
public record RankProcess(int life, int worldRank, int incarnation) {}
