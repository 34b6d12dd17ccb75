/**
 * N ranks in one JVM, fakes, and the contract suites of each seam.
 */
package org.gridmpj.testkit;
