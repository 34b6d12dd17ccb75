package org.gridmpj.checkpoint.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.gridmpj.checkpoint.disk.VirtualDisk.Entry;
import org.gridmpj.checkpoint.disk.VirtualDisk.Inode;
import org.gridmpj.checkpoint.disk.VirtualDisk.Kind;
import org.jspecify.annotations.Nullable;

/** A {@link VirtualDisk} as one process sees it, with what {@link java.nio.file.Files} needs for small files in folders. */
final class DiskMount extends FileSystem {
    private final VirtualDisk disk;
    private final VirtualDisk.Access access;
    private final Provider provider = new Provider();

    DiskMount(VirtualDisk disk, VirtualDisk.Access access) {
        this.disk = disk;
        this.access = access;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        String text = more.length == 0 ? first : first + "/" + String.join("/", more);
        List<String> names =
                Arrays.stream(text.split("/")).filter(name -> !name.isEmpty()).toList();
        return new DiskPath(this, text.startsWith("/"), names);
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(getPath("/"));
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void close() {
        // it goes with its process
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        throw new UnsupportedOperationException("stores");
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        throw new UnsupportedOperationException("patterns");
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("users");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("nobody watches");
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent(), "not the root");
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private final class Provider extends FileSystemProvider {
        @Override
        public String getScheme() {
            return "disk";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
            throw new UnsupportedOperationException("mounts");
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return DiskMount.this;
        }

        @Override
        public Path getPath(URI uri) {
            return DiskMount.this.getPath(uri.getPath());
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            boolean creates =
                    options.contains(StandardOpenOption.CREATE) || options.contains(StandardOpenOption.CREATE_NEW);
            access.before(creates ? Kind.CHANGE : Kind.LOOK);
            Inode inode = disk.find(path.toString());
            if (inode != null && options.contains(StandardOpenOption.CREATE_NEW)) {
                throw new FileAlreadyExistsException(path.toString());
            }
            if (inode == null && !creates) {
                throw new NoSuchFileException(path.toString());
            }
            if (inode == null) {
                inode = make(path, false);
            }
            return new DiskFile(disk, access, path, inode, options.contains(StandardOpenOption.APPEND));
        }

        private Inode make(Path path, boolean folder) throws IOException {
            Inode above = disk.require(parent(path));
            if (disk.isFull()) {
                throw new IOException("No space left on device");
            }
            Inode made = new Inode(folder);
            disk.change(new Entry(above, name(path), made));
            return made;
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            access.before(Kind.LOOK);
            List<Path> paths = disk.require(folder).names.keySet().stream()
                    .map(folder::resolve)
                    .toList();
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return paths.iterator();
                }

                @Override
                public void close() {
                    // nothing is held
                }
            };
        }

        @Override
        public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
            access.before(Kind.CHANGE);
            if (disk.find(folder.toString()) != null) {
                throw new FileAlreadyExistsException(folder.toString());
            }
            make(folder, true);
        }

        @Override
        public void delete(Path path) throws IOException {
            access.before(Kind.CHANGE);
            Inode inode = disk.require(path);
            if (!inode.names.isEmpty()) {
                throw new DirectoryNotEmptyException(path.toString());
            }
            disk.change(new Entry(disk.require(parent(path)), name(path), null));
        }

        @Override
        public void move(Path from, Path to, CopyOption... options) throws IOException {
            access.before(Kind.CHANGE);
            Inode inode = disk.require(from);
            Inode there = disk.find(to.toString());
            if (there != null && there.folder && !there.names.isEmpty()) {
                throw new DirectoryNotEmptyException(to.toString());
            }
            disk.change(
                    new Entry(disk.require(parent(from)), name(from), null),
                    new Entry(disk.require(parent(to)), name(to), inode));
        }

        @Override
        public void copy(Path from, Path to, CopyOption... options) {
            throw new UnsupportedOperationException("copying");
        }

        @Override
        public boolean isSameFile(Path one, Path other) {
            return one.equals(other);
        }

        @Override
        public boolean isHidden(Path path) {
            return false;
        }

        @Override
        public FileStore getFileStore(Path path) {
            throw new UnsupportedOperationException("stores");
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            access.before(Kind.LOOK);
            disk.require(path);
        }

        @Override
        public <V extends FileAttributeView> @Nullable V getFileAttributeView(
                Path path, Class<V> type, LinkOption... options) {
            return null;
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            access.before(Kind.LOOK);
            return type.cast(new Attributes(disk.require(path)));
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
            throw new UnsupportedOperationException("attributes by name");
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
            throw new UnsupportedOperationException("attributes by name");
        }
    }

    private record Attributes(Inode inode) implements BasicFileAttributes {
        private static final FileTime TIME = FileTime.fromMillis(0);

        @Override
        public FileTime lastModifiedTime() {
            return TIME;
        }

        @Override
        public FileTime lastAccessTime() {
            return TIME;
        }

        @Override
        public FileTime creationTime() {
            return TIME;
        }

        @Override
        public boolean isRegularFile() {
            return !inode.folder;
        }

        @Override
        public boolean isDirectory() {
            return inode.folder;
        }

        @Override
        public boolean isSymbolicLink() {
            return false;
        }

        @Override
        public boolean isOther() {
            return false;
        }

        @Override
        public long size() {
            return inode.bytes.length;
        }

        @Override
        public @Nullable Object fileKey() {
            return null;
        }
    }
}
