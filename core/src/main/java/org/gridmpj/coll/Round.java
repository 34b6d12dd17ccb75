package org.gridmpj.coll;

import java.util.List;

/**
 * Part of a schedule: communications that are started together and, when all are complete, local actions in order.
 *
 * @param communications sends and receives
 * @param local copies and combinations
 * @param receivesAhead how many rounds before this one its receives may be posted, so that a message of a process that is
 *     ahead goes straight to its place: what they are for must not be read or written by those rounds, unless the message
 *     cannot be there before that has been done
 */
record Round(List<Action> communications, List<Action> local, int receivesAhead) {}
