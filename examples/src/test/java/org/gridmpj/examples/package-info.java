/** Runs the example programs, which lie in the default package, on ranks that are threads of one JVM. */
package org.gridmpj.examples;
