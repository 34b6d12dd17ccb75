package org.gridmpj.checkpoint.disk;

import java.nio.file.FileSystem;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that keeps, in a power cut, what was forced and any part of the rest. It promises no more than POSIX does: a
 * file's bytes are there when the file was forced, its name when its folder was; a rename happens or does not.
 *
 * <p>Not for several threads at once: who uses it takes turns.
 */
public final class VirtualDisk {
    private final Inode root = new Inode(true);
    /** Changes of names that no force has made lasting, in the order in which they were made. */
    private final List<Change> unforced = new ArrayList<>();

    private final Predicate<String> lies;
    private boolean full;

    /** @param lies files and folders, by their paths, of which a force does nothing and says that it has */
    public VirtualDisk(Predicate<String> lies) {
        this.lies = lies;
    }

    /** What a process meets at each access; it may throw. */
    @FunctionalInterface
    public interface Access {
        /** Called before anything is done. */
        void before(Kind kind);
    }

    /** Of accesses. */
    public enum Kind {
        LOOK,
        CHANGE,
        FORCE
    }

    static final class Inode {
        final boolean folder;
        /** Of a folder, as processes see it and as it would be after a power cut. */
        final TreeMap<String, Inode> names = new TreeMap<>();

        final TreeMap<String, Inode> lastingNames = new TreeMap<>();
        byte[] bytes = {};
        byte[] lastingBytes = {};

        Inode(boolean folder) {
            this.folder = folder;
        }
    }

    /** One entry of a folder; {@code after} is null where it is removed. */
    record Entry(Inode folder, String name, @Nullable Inode after) {
        Name place() {
            return new Name(folder, name);
        }
    }

    record Name(Inode folder, String name) {}

    /** What happens wholly or not at all. */
    private record Change(List<Entry> entries) {
        boolean concerns(Set<Inode> folders) {
            return entries.stream().anyMatch(entry -> folders.contains(entry.folder));
        }

        void last() {
            for (Entry entry : entries) {
                put(entry.folder.lastingNames, entry);
            }
        }
    }

    private static void put(Map<String, Inode> names, Entry entry) {
        if (entry.after == null) {
            names.remove(entry.name);
        } else {
            names.put(entry.name, entry.after);
        }
    }

    /** The disk as one process sees it; folder and file names are separated by slashes. */
    public FileSystem mount(Access access) {
        return new DiskMount(this, access);
    }

    /** Nothing can be written any more, or again. */
    public void full(boolean isFull) {
        full = isFull;
    }

    boolean isFull() {
        return full;
    }

    /** The power goes: what was not forced may be there, or not, or in part. No process must use the disk meanwhile. */
    public void powerCut(Random random) {
        Set<Name> lost = new HashSet<>();
        for (Change change : unforced) {
            if (change.entries.stream().map(Entry::place).anyMatch(lost::contains) || random.nextInt(3) == 0) {
                // what came later to the same name is not there either; other names of the folder may be
                change.entries.forEach(entry -> lost.add(entry.place()));
            } else {
                change.last();
            }
        }
        unforced.clear();
        comeBack(root, random, identitySet());
    }

    private static Set<Inode> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static void comeBack(Inode inode, Random random, Set<Inode> seen) {
        if (!seen.add(inode)) {
            return;
        }
        if (inode.folder) {
            inode.names.clear();
            inode.names.putAll(inode.lastingNames);
            inode.names.values().forEach(each -> comeBack(each, random, seen));
        } else if (!Arrays.equals(inode.bytes, inode.lastingBytes)) {
            int kept = random.nextInt(inode.bytes.length + 1);
            inode.bytes = switch (random.nextInt(4)) {
                case 0 -> inode.lastingBytes;
                case 1 -> Arrays.copyOf(inode.bytes, kept);
                case 2 -> Arrays.copyOf(Arrays.copyOf(inode.bytes, kept), inode.bytes.length);
                default -> inode.bytes;
            };
            inode.lastingBytes = inode.bytes;
        }
    }

    /** Turns one bit of a file over that has at least one byte. */
    public void flipBit(String path, Random random) {
        Inode file = find(path);
        if (file != null && file.bytes.length > 0) {
            file.bytes = file.bytes.clone();
            file.bytes[random.nextInt(file.bytes.length)] ^= (byte) (1 << random.nextInt(8));
            file.lastingBytes = file.bytes;
        }
    }

    /** The paths of all files, sorted. */
    public List<String> files() {
        Map<String, Inode> found = new HashMap<>();
        collect("", root, found);
        return found.entrySet().stream()
                .filter(entry -> !entry.getValue().folder)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static void collect(String path, Inode inode, Map<String, Inode> found) {
        found.put(path, inode);
        inode.names.forEach((name, each) -> collect(path + "/" + name, each, found));
    }

    @Nullable
    Inode find(String path) {
        Inode inode = root;
        for (String name : path.split("/")) {
            if (!name.isEmpty()) {
                inode = inode.names.get(name);
                if (inode == null) {
                    return null;
                }
            }
        }
        return inode;
    }

    Inode require(Path path) throws NoSuchFileException {
        Inode inode = find(path.toString());
        if (inode == null) {
            throw new NoSuchFileException(path.toString());
        }
        return inode;
    }

    void change(Entry... entries) {
        Change change = new Change(List.of(entries));
        change.entries.forEach(entry -> put(entry.folder.names, entry));
        unforced.add(change);
    }

    void force(Path path, Inode inode) {
        if (lies.test(path.toString())) {
            return;
        }
        if (inode.folder) {
            forceNames(inode);
        } else {
            inode.lastingBytes = inode.bytes;
        }
    }

    /** With a rename between two folders, what came before it in the other one lasts too. */
    private void forceNames(Inode folder) {
        Set<Inode> folders = identitySet();
        folders.add(folder);
        Set<Change> lasting = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Change change : unforced.reversed()) {
            if (change.concerns(folders)) {
                change.entries.forEach(entry -> folders.add(entry.folder));
                lasting.add(change);
            }
        }
        for (Change change : unforced) {
            if (lasting.contains(change)) {
                change.last();
            }
        }
        unforced.removeAll(lasting);
    }
}
