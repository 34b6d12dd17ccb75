/**
 * Methods of the JDK that call the program back, written anew so that their frames can be captured. The agent puts them in the
 * place of the JDK's where a program hands over code that can reach an MPI call, and instruments them as it does the program.
 *
 * <p>No static fields here: these classes are loaded once for each program.
 */
@NullMarked
package org.gridmpj.capture.library;

import org.jspecify.annotations.NullMarked;
