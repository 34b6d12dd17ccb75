/**
 * The contract of the {@link org.gridmpj.transport.Transport} seam as a suite that each implementation subclasses, with the
 * fakes that it needs on the engine's side of the seam.
 */
package org.gridmpj.testkit.transport;
