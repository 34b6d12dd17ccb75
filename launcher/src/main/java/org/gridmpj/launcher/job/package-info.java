/**
 * One local job: its folder, its processes, their output, and what happens when one of them ends.
 */
package org.gridmpj.launcher.job;
