/**
 * Logs between engine and transport, so that one rank alone can go back to its snapshot ({@code --ft local}): what was sent
 * to each peer since the last committed cut, and what was received from it. Absent, and without any cost, otherwise. See
 * {@link org.gridmpj.transport.log.LoggedTransport}.
 */
package org.gridmpj.transport.log;
