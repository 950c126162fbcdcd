package dev.edl.runtime.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A channel that calls a test before it is forced or locked. */
final class StepChannel extends FileChannel {
    private final FileChannel stored;
    private final Path path;
    private final StepFileSystem.Steps steps;

    StepChannel(FileChannel stored, Path path, StepFileSystem.Steps steps) {
        this.stored = stored;
        this.path = path;
        this.steps = steps;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        steps.before(StepFileSystem.Step.FORCE, path);
        stored.force(metaData);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return stored.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return stored.read(into, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return stored.write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return stored.write(from, offset, length);
    }

    @Override
    public long position() throws IOException {
        return stored.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        stored.position(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return stored.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        stored.truncate(size);
        return this;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return stored.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return stored.transferFrom(source, position, count);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return stored.read(into, position);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        return stored.write(from, position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return stored.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return stored.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        steps.before(StepFileSystem.Step.LOCK, path);
        return stored.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        stored.close();
    }
}
