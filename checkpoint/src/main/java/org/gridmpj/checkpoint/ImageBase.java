package org.gridmpj.checkpoint;

/**
 * An image that a later one refers to.
 *
 * @param file its name in the store
 */
record ImageBase(String file, ImageSummary summary) {}
