/**
 * Arrays and objects ↔ bytes (MPI standard, chapter 5), without element loops where a bulk copy will do.
 */
package org.gridmpj.datatype;
