/**
 * {@code mpjagent}: one per host; starts, watches and ends the ranks that launchers place there, and keeps their images.
 */
package org.gridmpj.launcher.agent;
