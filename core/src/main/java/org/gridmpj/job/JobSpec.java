package org.gridmpj.job;

/**
 * What every rank of a job agrees on from the start.
 *
 * @param jobName short readable name, as printed by mpjrun
 * @param size number of ranks
 * @param generation how often the whole job was rolled back or resumed, from 0; frames and handshakes of another
 *     generation are refused
 */
public record JobSpec(String jobName, int size, int generation) {}
