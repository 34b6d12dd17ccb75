/**
 * The reference transport, {@code --transport java}: one non-blocking TCP connection per pair of ranks on java.nio,
 * nothing but the JDK.
 *
 * <pre>
 *   JavaTransport ── Peer ──┬── StagedOutput   frames → permanent direct buffer → write
 *        │                  └── StagedInput    read → permanent direct buffer → frames → FrameSink
 *        └── Connector ──── Handshake ── Hello    only while connecting
 * </pre>
 *
 * It does not recover: a connection that ends without a farewell is a lost peer. All I/O is done by the thread that polls.
 */
package org.gridmpj.transport.nio;
