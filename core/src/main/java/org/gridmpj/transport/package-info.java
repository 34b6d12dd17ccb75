/**
 * The seam to the wire. {@link org.gridmpj.transport.Transport} carries the drawing, the threading rules and the
 * ownership of buffers; the modules {@code transport-*} implement it and are found by ServiceLoader.
 */
package org.gridmpj.transport;
