/**
 * What can go wrong, in the words of the MPI standard (chapter 9.4, error codes and classes).
 *
 * <p>Everything above may throw {@link org.gridmpj.error.MpiFailure}; nothing here imports anything of ours.
 */
package org.gridmpj.error;
