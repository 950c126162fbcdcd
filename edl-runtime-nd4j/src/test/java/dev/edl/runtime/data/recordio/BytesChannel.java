package dev.edl.runtime.data.recordio;

import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** Read-only file in memory, so that thousands of corrupt variants are fast. */
final class BytesChannel implements SeekableByteChannel {
    private final ByteBuffer bytes;

    BytesChannel(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer into) {
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(into.remaining(), bytes.remaining());
        into.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        return count;
    }

    @Override
    public long position() {
        return bytes.position();
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
        bytes.position((int) newPosition);
        return this;
    }

    @Override
    public long size() {
        return bytes.capacity();
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
        return true;
    }

    @Override
    public void close() {}
}
