/**
 * GridTcp: the message-recording, error-recovering channel (the 2005 design), here on Netty.
 *
 * <pre>
 *   engine ── offer ──▶ GridTcpEndpoint ──▶ Channel ◀── poll ── GridTcpTransport
 *                                            │  ▲                     │
 *                              Outbound ◀────┘  └────▶ Inbound        │  hellos, links
 *                           numbers, retention      order, fence      ▼
 *                                  │                   ▲          Connections (Netty's thread):
 *                                  └──── Link ─────────┘          dial, accept, TLS, proof of the secret
 *                                         │
 *                      FdLink: the caller on the descriptor, or NettyLink: Netty's thread
 * </pre>
 *
 * {@link org.gridmpj.transport.gridtcp.Channel} is a state machine without I/O, threads or clock; a seeded simulator in the
 * tests runs it over a network that loses, cuts and delays, and catches every {@code ChannelRule} that is left out.
 */
package org.gridmpj.transport.gridtcp;
