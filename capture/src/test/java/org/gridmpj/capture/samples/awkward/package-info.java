/** What {@link org.gridmpj.capture.samples.Awkward} uses of another package. */
package org.gridmpj.capture.samples.awkward;
