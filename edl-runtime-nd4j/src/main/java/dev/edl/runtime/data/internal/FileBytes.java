package dev.edl.runtime.data;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/**
 * A file to read, as a channel that an interrupted thread can use as any other: a {@code FileChannel} would be closed
 * under it. Buffers must have an array. Not safe for several threads.
 */
final class FileBytes implements SeekableByteChannel {
    private final RandomAccessFile file;
    private boolean closed;

    FileBytes(Path file) throws IOException {
        this.file = new RandomAccessFile(file.toFile(), "r");
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = file.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
        if (count > 0) {
            into.position(into.position() + count);
        }
        return count;
    }

    @Override
    public long position() throws IOException {
        return file.getFilePointer();
    }

    @Override
    public SeekableByteChannel position(long newPosition) throws IOException {
        file.seek(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.length();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        file.close();
    }
}
