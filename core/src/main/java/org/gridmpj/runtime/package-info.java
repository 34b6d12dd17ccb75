/**
 * The composition root: the only place that constructs everything.
 */
package org.gridmpj.runtime;
