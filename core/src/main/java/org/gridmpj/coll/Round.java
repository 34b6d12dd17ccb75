package org.gridmpj.coll;

import java.util.List;

/**
 * Part of a schedule: communications that are started together and, when all are complete, local actions in order.
 *
 * @param communications sends and receives
 * @param local copies and combinations
 */
record Round(List<Action> communications, List<Action> local) {}
