package org.gridmpj.launcher.job;

import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;

/** What the job's one thread reacts to, in the order of arrival. {@code life} counts the starts of all ranks together. */
sealed interface JobEvent {
    /** A process has proved the secret and said which rank it is. */
    record Connected(ControlMessage.Hello hello, ControlLine link) implements JobEvent {}

    /**
     * A rank has said something.
     *
     * @param incarnation which of its processes
     */
    record Said(int life, int worldRank, int incarnation, ControlMessage message) implements JobEvent {}

    /**
     * A rank's process has ended and all that it wrote and said has been read; the output of one that has died may still
     * wait for who reads the launcher's.
     */
    record Exited(int life, int worldRank, int incarnation, int status) implements JobEvent {}

    /** mpjctl asks for a snapshot, and waits for EpochCommitted or SnapshotFailed on this link. */
    record SnapshotAsked(ControlLine asker, String reason) implements JobEvent {}

    /**
     * A restore drill has ended.
     *
     * @param host where, or an empty text if all ranks are on one
     * @param remedy what was done about an image that is damaged at that host, if the snapshot can be used all the same
     */
    record Drilled(SnapshotDrill.Result result, int worldRank, String host, Drills.Remedy remedy) implements JobEvent {}

    /** The launcher is to end: a last snapshot, as soon as may be. */
    record Terminated() implements JobEvent {}

    /** mpjctl asks that a rank goes on at another host, and waits for Moved on this link. */
    record MoveAsked(ControlLine asker, ControlMessage.Move move) implements JobEvent {}

    /**
     * The image of a rank that moves is where its new process is, or is not to be had there.
     *
     * @param image which one
     * @param error empty if it is there
     */
    record Shipped(String image, String error) implements JobEvent {}

    /**
     * What a rank that has died goes back to is where its new process is, or is not to be had there.
     *
     * @param incarnation of the new process
     * @param error empty if it is there
     */
    record Brought(int life, int worldRank, int incarnation, String error) implements JobEvent {}

    /** A host is given up. */
    record HostLost(RankPlaces.Host host, String cause) implements JobEvent {}

    /** No rank is to stay at a host. */
    record HostDraining(String host) implements JobEvent {}

    /** The launcher's standard output cannot be written. */
    record OutputLost(SharedOutput.Loss loss) implements JobEvent {}
}
