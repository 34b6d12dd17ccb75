/**
 * The image of an object graph: a program's objects, the engine's and their identity.
 */
@NullMarked
package org.gridmpj.capture.heap;

import org.jspecify.annotations.NullMarked;
