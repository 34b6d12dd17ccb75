/**
 * The Java agent: which methods can reach an MPI call, and what it makes of them (docs/design/0011-transparent-frames.md).
 */
@NullMarked
package org.gridmpj.capture.instrument;

import org.jspecify.annotations.NullMarked;
