/**
 * Matching, protocols and progress (MPI standard, chapter 3).
 */
package org.gridmpj.pt2pt;
