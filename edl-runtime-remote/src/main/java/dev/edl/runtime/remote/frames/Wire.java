package dev.edl.runtime.remote.frames;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One connection, which is closed when it stands still for too many ticks. {@link #tick} and {@link #close} are for any thread, the
 * rest for one.
 */
final class Wire implements ByteChannel {
    private static final int BUFFER = 256 * 1024;
    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final SocketChannel channel;
    private volatile int allowed;
    private volatile boolean total;
    private final AtomicInteger moved = new AtomicInteger();
    private volatile int seen;
    private volatile int quiet;

    private Wire(SocketChannel channel) {
        this.channel = channel;
    }

    /** Takes over a connected channel, which has so many ticks until {@link #expect} or {@link #rest}, however much it moves. */
    static Wire of(SocketChannel channel, int ticks) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Wire wire = new Wire(channel);
        wire.allowed = ticks;
        wire.total = true;
        return wire;
    }

    /** Sets the buffers of a channel, which has to be done before it is connected. */
    static void buffers(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
    }

    /** From now on bytes have to move within each so many ticks. */
    void expect(int ticks) {
        total = false;
        quiet = 0;
        allowed = ticks;
    }

    /** From now on nothing has to move. */
    void rest() {
        allowed = FOR_EVER;
        total = false;
    }

    /** Whether the other end has closed the connection, or has sent something that nobody asked for. */
    boolean ended() {
        try {
            channel.configureBlocking(false);
            try {
                return channel.read(ByteBuffer.allocate(1)) != 0;
            } finally {
                channel.configureBlocking(true);
            }
        } catch (IOException e) {
            return true;
        }
    }

    /** Counts a tick, of one thread at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // A reset that is lost costs a connection one tick of its patience.
    void tick() {
        int now = moved.get();
        if (allowed == FOR_EVER || (!total && now != seen)) {
            seen = now;
            quiet = 0;
        } else if (++quiet >= allowed) {
            close();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = channel.read(into);
        moved.incrementAndGet();
        return read;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int written = channel.write(from);
        moved.incrementAndGet();
        return written;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It cannot be used any further, which is all that was wanted.
        }
    }

    /** Returns the text for people, for example {@code wire to /127.0.0.1:40001}. */
    @Override
    public String toString() {
        return "wire to " + channel.socket().getRemoteSocketAddress();
    }
}
