/**
 * The user's program: a class, a jar or a single source file; what it expects in main's arguments.
 */
package org.gridmpj.launcher.program;
