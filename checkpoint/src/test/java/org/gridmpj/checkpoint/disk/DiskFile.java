package org.gridmpj.checkpoint.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;

/** An open file, or a folder that is open to be forced, on a {@link VirtualDisk}. */
final class DiskFile extends FileChannel {
    private final VirtualDisk disk;
    private final VirtualDisk.Access access;
    private final Path path;
    private final VirtualDisk.Inode inode;
    private final boolean appends;
    private int position;

    DiskFile(VirtualDisk disk, VirtualDisk.Access access, Path path, VirtualDisk.Inode inode, boolean appends) {
        this.disk = disk;
        this.access = access;
        this.path = path;
        this.inode = inode;
        this.appends = appends;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int read = read(target, position);
        position += Math.max(read, 0);
        return read;
    }

    @Override
    public int read(ByteBuffer target, long from) throws IOException {
        requireOpen();
        if (from >= inode.bytes.length) {
            return -1;
        }
        int length = Math.min(target.remaining(), inode.bytes.length - (int) from);
        target.put(inode.bytes, (int) from, length);
        return length;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException("scattering");
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        requireOpen();
        access.before(VirtualDisk.Kind.CHANGE);
        if (disk.isFull()) {
            throw new IOException("No space left on device");
        }
        int at = appends ? inode.bytes.length : position;
        int length = source.remaining();
        // an array of its own for each state: the lasting one stays as it is
        inode.bytes = Arrays.copyOf(inode.bytes, Math.max(inode.bytes.length, at + length));
        source.get(inode.bytes, at, length);
        position = at + length;
        return length;
    }

    @Override
    public int write(ByteBuffer source, long to) {
        throw new UnsupportedOperationException("writing at a position");
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException("gathering");
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long newPosition) {
        position = Math.toIntExact(newPosition);
        return this;
    }

    @Override
    public long size() {
        return inode.bytes.length;
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException("truncating");
    }

    @Override
    public void force(boolean metaData) throws IOException {
        requireOpen();
        access.before(VirtualDisk.Kind.FORCE);
        disk.force(path, inode);
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("transfer");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) {
        throw new UnsupportedOperationException("transfer");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("mapping");
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException("locks");
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException("locks");
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    protected void implCloseChannel() {
        // nothing is held
    }
}
