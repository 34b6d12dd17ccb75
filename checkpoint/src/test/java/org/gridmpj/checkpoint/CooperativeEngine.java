package org.gridmpj.checkpoint;

import java.time.Duration;
import java.util.Map;
import org.gridmpj.snapshot.CutCopy;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.Departure;
import org.gridmpj.snapshot.SnapshotEngine;
import org.gridmpj.snapshot.StackCapture;
import org.gridmpj.snapshot.TokenBinder;

/** The engine of a program that takes its snapshots itself: nothing is captured, and no rank moves. */
interface CooperativeEngine extends SnapshotEngine {
    private static UnsupportedOperationException transparent() {
        return new UnsupportedOperationException("this engine's program takes its snapshots itself");
    }

    @Override
    default void captureWith(StackCapture capture, CutListener listener) {
        throw transparent();
    }

    @Override
    default boolean requestCut(int epoch) {
        throw transparent();
    }

    @Override
    default boolean cut(CutCopy copy) {
        throw transparent();
    }

    @Override
    default boolean practise(CutCopy copy) {
        throw transparent();
    }

    @Override
    default void abandonCut(int epoch, String reason) {
        throw transparent();
    }

    @Override
    default void leave(boolean leaving) {
        throw transparent();
    }

    @Override
    default String departureObstacle() {
        throw transparent();
    }

    @Override
    default boolean depart(Departure departure) {
        throw transparent();
    }

    @Override
    default void rehearse() {
        throw transparent();
    }

    @Override
    default void takeOver(Map<String, byte[]> channels) {
        throw transparent();
    }

    @Override
    default boolean awaitLinks(Duration timeout) {
        throw transparent();
    }

    @Override
    default void bindTokens(TokenBinder binder) {}

    @Override
    default void adopt(Object engineState, byte[] inFlight) {
        throw transparent();
    }
}
