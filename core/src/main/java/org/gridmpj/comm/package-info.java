/**
 * Rank algebra: groups, communicators, topologies, attributes (MPI standard, chapters 7 and 8).
 */
package org.gridmpj.comm;
