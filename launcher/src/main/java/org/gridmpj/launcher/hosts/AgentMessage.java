package org.gridmpj.launcher.hosts;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What launcher and agent tell each other, after the mutual proof of the cluster's secret. {@code life} counts the starts
 * of all ranks together: what belongs to an earlier life is dropped.
 *
 * <pre>
 *   launcher                                  agent
 *    │── Open(job, its secret, request …) ──────▶│   ranks of this job that are still there are ended
 *    │◀─ Wanted(parts) ──────────────────────────│   jars that the agent has not seen yet
 *    │── Part(…) × n ───────────────────────────▶│   … Wanted() when all are there
 *    │── Start(life, rank, incarnation) ────────▶│
 *    │◀─ Started(life, rank, pid) ───────────────│
 *    │◀─▶ Control(life, rank, frame) ───────────▶│   the rank's own control messages, relayed
 *    │◀─ Output(…)          Consumed(…) ────────▶│   at most a window of bytes is under way: a slow reader
 *    │── Input(…) ─────────▶     ◀── Consumed(…) │   never holds up a heartbeat
 *    │── Kill(life, rank) ──────────────────────▶│
 *    │◀─ Exited(life, rank, status) ─────────────│
 *    │◀─▶ Beat() ───────────────────────────────▶│   four in a lease; after a lease of silence the agent ends the ranks
 *    │── Copy, Check, Put(request, file …) ─────▶│   images of snapshots
 *    │◀─ Done(request, error) ───────────────────│
 *
 *   agent                                     partner
 *    │── Store(job, file, bytes, crc) ──────────▶│   a copy of an image: written, forced, read again, renamed
 *    │── Part(…) × n ───────────────────────────▶│
 *    │◀─ Done(0, error) ─────────────────────────│
 * </pre>
 */
public sealed interface AgentMessage {
    /** Largest number of bytes of a {@link Part}, {@link Output} or {@link Input}. */
    int CHUNK_BYTES = 64 << 10;

    /** Bytes of one stream of one rank that may be under way without {@link Consumed}. */
    int WINDOW_BYTES = 256 << 10;

    /** {@link Consumed#stream()} of standard input, output and error. */
    int STDIN = 0;

    int STDOUT = 1;
    int STDERR = 2;

    /**
     * A job begins, or goes on, at this agent.
     *
     * @param job unique in the cluster, usable as the name of a folder
     * @param secret of the job; the connection is encrypted
     * @param request as JobRequest's JSON
     * @param parts names of the jars of the program's class path, in order: hashes of their content
     * @param leaseMillis after so much silence the agent ends the ranks of this job
     */
    record Open(String job, String secret, String request, boolean draftNames, List<String> parts, int leaseMillis)
            implements AgentMessage {
        public Open {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return "Open[" + job + "]"; // the secret is for no log
        }
    }

    /** The agent needs these jars; none if it is ready. */
    record Wanted(List<String> parts) implements AgentMessage {
        public Wanted {
            parts = List.copyOf(parts);
        }
    }

    /** More bytes of a jar or an image. */
    record Part(String name, boolean last, ByteBuffer bytes) implements AgentMessage {}

    record Start(int life, int worldRank, int incarnation) implements AgentMessage {}

    record Started(int life, int worldRank, long pid) implements AgentMessage {}

    /** One frame of {@code ControlCodec}, either way. */
    record Control(int life, int worldRank, ByteBuffer frame) implements AgentMessage {}

    /** Standard output or error; no bytes: its end. */
    record Output(int life, int worldRank, int stream, ByteBuffer bytes) implements AgentMessage {}

    /** Standard input; no bytes: its end. */
    record Input(int life, int worldRank, ByteBuffer bytes) implements AgentMessage {}

    /** So many bytes of a stream have gone on: as many more may come. */
    record Consumed(int life, int worldRank, int stream, int bytes) implements AgentMessage {}

    record Kill(int life, int worldRank) implements AgentMessage {}

    /**
     * A rank's process has ended, or could not be started.
     *
     * @param problem empty, or why it could not be started
     */
    record Exited(int life, int worldRank, int status, String problem) implements AgentMessage {}

    /** I am here. */
    record Beat() implements AgentMessage {}

    /** Copy an image of yours to the agent at this address. */
    record Copy(int request, String file, long bytes, int crc32c, String host, int port) implements AgentMessage {}

    /** Read an image of yours, every byte. */
    record Check(int request, String file, long bytes, int crc32c) implements AgentMessage {}

    /** Keep this small file: a manifest. */
    record Put(int request, String file, ByteBuffer content) implements AgentMessage {}

    /** An epoch is not needed any more. */
    record Remove(String epochFolder) implements AgentMessage {}

    /** The job has ended for good: its folder goes. */
    record Forget() implements AgentMessage {}

    /** Agent to agent: an image comes. */
    record Store(String job, String file, long bytes, int crc32c) implements AgentMessage {}

    /** The answer to a request; an empty error is success. */
    record Done(int request, String error) implements AgentMessage {}
}
