/**
 * Collective operations (MPI standard, chapter 6), each a resumable schedule over point-to-point operations, one class per algorithm.
 */
package org.gridmpj.coll;
