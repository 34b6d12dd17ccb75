package org.gridmpj.capture.samples.hidden;

/** Of a package-private interface. */
interface Corner {}
