package org.gridmpj.checkpoint;

/**
 * How far the program's streams have come, in bytes since its JVM began.
 *
 * @param stdout written to System.out, everything flushed
 * @param stderr written to System.err
 * @param stdin taken from System.in
 */
record StreamPositions(long stdout, long stderr, long stdin) {}
