package org.gridmpj.checkpoint.disk;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A path on a {@link VirtualDisk}: names between slashes; there are no links, and no "." and "..". */
final class DiskPath implements Path {
    private final DiskMount mount;
    private final boolean absolute;
    private final List<String> names;

    DiskPath(DiskMount mount, boolean absolute, List<String> names) {
        this.mount = mount;
        this.absolute = absolute;
        this.names = List.copyOf(names);
    }

    private DiskPath with(boolean isAbsolute, List<String> others) {
        return new DiskPath(mount, isAbsolute, others);
    }

    @Override
    public FileSystem getFileSystem() {
        return mount;
    }

    @Override
    public boolean isAbsolute() {
        return absolute;
    }

    @Override
    public @Nullable Path getRoot() {
        return absolute ? with(true, List.of()) : null;
    }

    @Override
    public @Nullable Path getFileName() {
        return names.isEmpty() ? null : with(false, List.of(names.getLast()));
    }

    @Override
    public @Nullable Path getParent() {
        if (names.isEmpty() || (!absolute && names.size() == 1)) {
            return null;
        }
        return with(absolute, names.subList(0, names.size() - 1));
    }

    @Override
    public int getNameCount() {
        return names.size();
    }

    @Override
    public Path getName(int index) {
        return with(false, List.of(names.get(index)));
    }

    @Override
    public Path subpath(int from, int to) {
        return with(false, names.subList(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof DiskPath path
                && path.absolute == absolute
                && path.names.size() <= names.size()
                && names.subList(0, path.names.size()).equals(path.names);
    }

    @Override
    public boolean endsWith(Path other) {
        return other instanceof DiskPath path
                && path.names.size() <= names.size()
                && names.subList(names.size() - path.names.size(), names.size()).equals(path.names);
    }

    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path resolve(Path other) {
        DiskPath path = (DiskPath) other;
        return path.absolute
                ? path
                : with(
                        absolute,
                        Stream.concat(names.stream(), path.names.stream()).toList());
    }

    @Override
    public Path relativize(Path other) {
        if (!other.startsWith(this)) {
            throw new IllegalArgumentException(other + " is not in " + this);
        }
        return with(false, ((DiskPath) other).names.subList(names.size(), other.getNameCount()));
    }

    @Override
    public URI toUri() {
        return URI.create("disk:" + this);
    }

    @Override
    public Path toAbsolutePath() {
        return with(true, names);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("nobody watches");
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DiskPath path
                && path.mount.equals(mount)
                && path.absolute == absolute
                && path.names.equals(names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(absolute, names);
    }

    @Override
    public String toString() {
        return (absolute ? "/" : "") + String.join("/", names);
    }
}
