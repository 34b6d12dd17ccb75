/**
 * The command line: {@code mpjrun} starts and watches jobs, {@code mpjctl} looks after them.
 */
package org.gridmpj.launcher;
