/** What {@link org.gridmpj.capture.samples.Hidden} uses of another package. */
package org.gridmpj.capture.samples.hidden;
