package org.gridmpj.capture.samples.awkward;

/** A class that no other package may name. */
abstract class Token {}
