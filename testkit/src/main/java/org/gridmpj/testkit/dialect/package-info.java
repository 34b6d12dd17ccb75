/**
 * Small programs as users of mpiJava and MPJ Express write them, each checking its own result, and the suite that runs
 * them at several numbers of ranks over a transport.
 */
package org.gridmpj.testkit.dialect;
