/**
 * What a program that keeps its own state says to the checkpointer, in the words of AgentTeamwork (Fukuda, Kashiwagi,
 * Kobayashi: PACRIM 2005).
 */
@NullMarked
package org.gridmpj.ateam;

import org.jspecify.annotations.NullMarked;
