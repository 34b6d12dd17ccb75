/**
 * What launchers and agents have in common: how agents are found, how both trust each other, and what they say.
 */
package org.gridmpj.launcher.hosts;
