package org.gridmpj.comm;

import org.gridmpj.pt2pt.PointToPoint;

/** What all communicators of one process share. */
record ProcessScope(PointToPoint pointToPoint, int worldRank, CreationExchange exchange, LiveContexts contexts) {}
