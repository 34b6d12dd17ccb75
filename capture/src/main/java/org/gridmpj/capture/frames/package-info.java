/**
 * The frames of program threads as plain data: how instrumented methods save themselves and are entered again.
 */
@NullMarked
package org.gridmpj.capture.frames;

import org.jspecify.annotations.NullMarked;
