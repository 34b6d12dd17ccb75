package org.gridmpj.launcher.hosts;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What launcher and agent tell each other, after the mutual proof of the cluster's secret. What concerns
 * a {@link RankProcess} that is not there any more is dropped.
 *
 * <pre>
 *   launcher                                  agent
 *    │── Open(job, its secret, request …) ──────▶│   ranks of this job that are still there are ended
 *    │◀─ Wanted(parts) ──────────────────────────│   jars that the agent has not seen yet
 *    │── Part(…) × n ───────────────────────────▶│   … Wanted() when all are there
 *    │── Start(process) ───────────────────────▶│
 *    │◀─ Started(process, pid) ─────────────────│
 *    │◀─▶ Control(process, frame) ─────────────▶│   the rank's own control messages, relayed
 *    │◀─ Output(…)          Consumed(…) ────────▶│   at most a window of bytes is under way: a slow reader
 *    │── Input(…) ─────────▶     ◀── Consumed(…) │   never holds up a heartbeat
 *    │── Kill(process) ─────────────────────────▶│
 *    │◀─ Exited(process, status) ───────────────│
 *    │◀─▶ Beat() ───────────────────────────────▶│   four in a lease; after a lease of silence the agent ends the ranks
 *    │── Copy, Check, Put(request, file …) ─────▶│   images of snapshots
 *    │── Drill(request, rank, manifest) ────────▶│   Done has what the drill says
 *    │── Ship(request, file, host, port) ───────▶│   the image of a rank that moves
 *    │◀─ Done(request, error) ───────────────────│
 *
 *   agent                                     partner
 *    │── Store(job, file, bytes, crc) ──────────▶│   a copy of an image: written, forced, read again, renamed
 *    │── Part(…) × n ───────────────────────────▶│
 *    │◀─ Beat() × n ─────────────────────────────│   while it is forced and read
 *    │◀─ Done(0, error) ─────────────────────────│
 *    │── Deliver(job, file) ────────────────────▶│   the image of a rank that moves: written, renamed
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

    record Start(RankProcess of) implements AgentMessage {}

    record Started(RankProcess of, long pid) implements AgentMessage {}

    /** One frame of {@code ControlCodec}, either way. */
    record Control(RankProcess of, ByteBuffer frame) implements AgentMessage {}

    /** Standard output or error; no bytes: its end. */
    record Output(RankProcess of, int stream, ByteBuffer bytes) implements AgentMessage {}

    /** Standard input; no bytes: its end. */
    record Input(RankProcess of, ByteBuffer bytes) implements AgentMessage {}

    /** So many bytes of a stream have gone on: as many more may come. */
    record Consumed(RankProcess of, int stream, int bytes) implements AgentMessage {}

    record Kill(RankProcess of) implements AgentMessage {}

    /**
     * A rank's process has ended, or could not be started.
     *
     * @param problem empty, or why it could not be started
     */
    record Exited(RankProcess of, int status, String problem) implements AgentMessage {}

    /** I am here. */
    record Beat() implements AgentMessage {}

    /** Copy an image of yours to the agent at this address. */
    record Copy(int request, String file, long bytes, int crc32c, String host, int port) implements AgentMessage {}

    /** Read an image of yours, every byte. */
    record Check(int request, String file, long bytes, int crc32c) implements AgentMessage {}

    /** Keep this small file: a manifest. */
    record Put(int request, String file, ByteBuffer content) implements AgentMessage {}

    /**
     * Keep this manifest, the newest, and try the image of a rank of that epoch. {@link Done} has the text of a drill's result; any
     * other says that there was none.
     */
    record Drill(int request, int worldRank, String file, ByteBuffer content) implements AgentMessage {}

    /** Send the image of a rank that moves to the agent at this address. */
    record Ship(int request, String file, String host, int port) implements AgentMessage {}

    /** The image of a rank that moves is not needed any more. */
    record Discard(String file) implements AgentMessage {}

    /** An epoch is not needed any more. */
    record Remove(String epochFolder) implements AgentMessage {}

    /** Of the epochs of earlier generations these are needed, and no other, whoever has written them. */
    record Keep(int generation, List<String> epochFolders) implements AgentMessage {
        public Keep {
            epochFolders = List.copyOf(epochFolders);
        }
    }

    /** The job has ended for good: its folder goes. */
    record Forget() implements AgentMessage {}

    /** From mpjctl, the first message of a connection: the job was removed, and what this agent keeps of it is to go. Done answers. */
    record Drop(String job) implements AgentMessage {}

    /** Agent to agent: an image comes. */
    record Store(String job, String file, long bytes, int crc32c) implements AgentMessage {}

    /** Agent to agent: the image of a rank that moves comes. */
    record Deliver(String job, String file) implements AgentMessage {}

    /** The answer to a request; an empty error is success. That to {@link Drill} is what the drill says. */
    record Done(int request, String error) implements AgentMessage {}
}
