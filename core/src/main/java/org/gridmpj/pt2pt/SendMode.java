package org.gridmpj.pt2pt;

/** The four modes of sending (MPI standard, 3.4). */
public enum SendMode {
    STANDARD,
    BUFFERED,
    SYNCHRONOUS,
    READY
}
