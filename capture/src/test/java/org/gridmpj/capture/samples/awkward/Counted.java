package org.gridmpj.capture.samples.awkward;

import mpj.Probe;

/** Has an initialiser that only its own package can call. */
abstract class Counted {
    static final long FIRST = Probe.Call(1);
}
