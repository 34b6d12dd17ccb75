/** Programs that are captured at each of their calls: what the language has. */
package org.gridmpj.capture.samples;
