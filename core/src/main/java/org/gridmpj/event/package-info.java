/**
 * What a flight recording of a rank shows (JDK Flight Recorder). Any layer may use it; it imports nothing of ours.
 */
package org.gridmpj.event;
