package org.gridmpj.testkit.graph;

/** The codecs of core alone. */
final class JavaObjectCodecTest extends ObjectCodecContract {}
