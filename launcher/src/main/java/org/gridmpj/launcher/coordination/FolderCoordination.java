package org.gridmpj.launcher.coordination;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.job.JobFolder;
import org.jspecify.annotations.Nullable;

/**
 * Held by the launcher: a document in the job folder, written whole, forced and renamed at each change. The folder's lock
 * keeps others out. Guarded by its monitor.
 */
public final class FolderCoordination implements Coordination {
    /** Name of the document. */
    public static final String FILE = "coordination.json";

    private static final long VERSION = 1;

    private final Path file;
    private final TreeMap<Integer, Integer> incarnations = new TreeMap<>();
    private final TreeMap<Integer, String> members = new TreeMap<>();
    private int generation;
    private Committed committed = Committed.NONE;
    private String state = "starting";

    /** Takes up what an earlier launcher has left in the folder, if any. */
    public FolderCoordination(Path jobFolder) {
        this.file = jobFolder.resolve(FILE);
        if (Files.exists(file)) {
            read();
        }
    }

    private void read() {
        try {
            Map<String, @Nullable Object> json = Json.parseObject(Files.readString(file));
            if (!Long.valueOf(VERSION).equals(json.get("version"))) {
                throw new CoordinationFailure(file + " is of version " + json.get("version"), null);
            }
            generation = number(json.get("generation"));
            committed = new Committed(number(json.get("committedGeneration")), number(json.get("committedEpoch")));
            state = String.valueOf(json.get("state"));
            if (json.get("incarnations") instanceof Map<?, ?> map) {
                map.forEach((rank, value) -> incarnations.put(Integer.valueOf(String.valueOf(rank)), number(value)));
            }
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            throw new CoordinationFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static int number(@Nullable Object value) {
        if (value instanceof Long number) {
            return Math.toIntExact(number);
        }
        throw new IllegalArgumentException("a number wanted, not " + value);
    }

    private void write() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("version", VERSION);
        json.put("state", state);
        json.put("generation", generation);
        json.put("committedGeneration", committed.generation());
        json.put("committedEpoch", committed.epoch());
        json.put("incarnations", incarnations);
        try {
            JobFolder.writeWhole(file, Json.write(json) + "\n", true);
        } catch (IOException e) {
            throw new CoordinationFailure(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized int generation() {
        return generation;
    }

    @Override
    public synchronized boolean raiseGeneration(int expected) {
        if (generation != expected) {
            return false;
        }
        generation++;
        write();
        return true;
    }

    @Override
    public synchronized int incarnation(int worldRank) {
        return incarnations.getOrDefault(worldRank, 0);
    }

    @Override
    public synchronized boolean raiseIncarnation(int worldRank, int expected) {
        if (incarnation(worldRank) != expected) {
            return false;
        }
        incarnations.put(worldRank, expected + 1);
        write();
        return true;
    }

    @Override
    public synchronized Committed committed() {
        return committed;
    }

    @Override
    public synchronized boolean commit(Committed epoch) {
        if (!epoch.isLaterThan(committed)) {
            return false;
        }
        committed = epoch;
        write();
        return true;
    }

    @Override
    public synchronized String state() {
        return state;
    }

    @Override
    public synchronized void state(String newState) {
        state = newState;
        write();
    }

    @Override
    public synchronized void join(int worldRank, String member) {
        members.put(worldRank, member);
    }

    @Override
    public synchronized void leave(int worldRank) {
        members.remove(worldRank);
    }

    @Override
    public synchronized SortedMap<Integer, String> members() {
        return new TreeMap<>(members);
    }

    @Override
    public synchronized void close() {
        members.clear();
    }
}
