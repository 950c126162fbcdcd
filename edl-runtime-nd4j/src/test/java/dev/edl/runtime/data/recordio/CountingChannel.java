package dev.edl.runtime.data.recordio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** A channel that counts the bytes that are read through it. */
public final class CountingChannel implements SeekableByteChannel {
    private final SeekableByteChannel channel;
    private long bytes;

    public CountingChannel(SeekableByteChannel channel) {
        this.channel = channel;
    }

    /** Bytes that were read so far. */
    public long bytes() {
        return bytes;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = channel.read(into);
        bytes += Math.max(0, count);
        return count;
    }

    @Override
    public long position() throws IOException {
        return channel.position();
    }

    @Override
    public SeekableByteChannel position(long newPosition) throws IOException {
        channel.position(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return channel.size();
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
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
