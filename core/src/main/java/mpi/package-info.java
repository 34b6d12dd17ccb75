/**
 * The drop-in facade: mpiJava 1.2 and MPJ Express. Each method checks, translates, calls the engine, and converts its
 * errors; nothing under {@code org.gridmpj} imports this package.
 */
package mpi;
