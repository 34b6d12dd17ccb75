/**
 * The one seam to the module {@code checkpoint}.
 */
package org.gridmpj.snapshot;
