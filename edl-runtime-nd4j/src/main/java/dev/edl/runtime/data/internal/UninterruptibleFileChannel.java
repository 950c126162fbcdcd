package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/**
 * Readable file channel that an interrupt does not close, unlike a {@code FileChannel}. Not safe for several threads.
 */
public final class UninterruptibleFileChannel implements SeekableByteChannel {
    private final OpenFile file;
    private long position;
    private boolean closed;

    public UninterruptibleFileChannel(Path file) throws IOException {
        this.file = OpenFile.read(file);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int start = into.position();
        boolean whole = file.read(into, position);
        int count = into.position() - start;
        position += count;
        return count == 0 && !whole ? -1 : count;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
        position = newPosition;
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
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

    /** Reads exactly {@code size} bytes at an offset; the caller must have checked that the file is long enough. */
    public static byte[] exactly(Path file, SeekableByteChannel channel, long offset, int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(size);
        channel.position(offset);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new CorruptFileException(
                        file, offset, size + " bytes", buffer.position() + " bytes and the end of the file");
            }
        }
        return buffer.array();
    }
}
