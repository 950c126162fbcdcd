package dev.edl.runtime.wire.frames;

import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.PeerChannel;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A socket that is closed if it transfers too few bytes within a number of ticks. Any thread may call {@link #tick} and
 * {@link #close}; one thread calls the other methods.
 *
 * <p>A frame thus takes at most the allowed ticks, and as many again for each {@value #LEAST} bytes.
 */
final class TimedSocket implements ByteChannel {
    private static final int BUFFER = 256 * 1024;
    private static final int FOR_EVER = Integer.MAX_VALUE;
    /** Number of bytes that must be transferred before the tick count is reset. */
    private static final int LEAST = 1 << 20;

    private final PeerChannel channel;
    private final String name;
    private volatile int allowed;
    private volatile boolean total;
    /** Number of ticks that the next byte allows for its frame; 0 if no timeout will start. */
    private int fromNextByte;

    private final AtomicLong moved = new AtomicLong();
    private volatile long seen;
    private volatile int quiet;
    private volatile @Nullable String tooSlow;

    private TimedSocket(PeerChannel channel, SocketChannel socket) throws IOException {
        this.channel = channel;
        this.name = "connection to " + socket.getRemoteAddress();
    }

    /**
     * Takes over a connected socket and its channel. The connection must call {@link #expect} or {@link #rest} within
     * this many ticks, however many bytes it transfers.
     */
    static TimedSocket of(SocketChannel socket, PeerChannel channel, int ticks) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        TimedSocket timed = new TimedSocket(channel, socket);
        timed.allowed = ticks;
        timed.total = true;
        return timed;
    }

    /** Returns the certificates of both ends. */
    ChannelBinding binding() throws IOException {
        return channel.binding();
    }

    /** Sets the buffer sizes of a channel, which must be done before it is connected. */
    static void buffers(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
    }

    /** Requires {@value #LEAST} bytes, or the end of the frame, within each period of this many ticks from now on. */
    void expect(int ticks) {
        total = false;
        seen = moved.get();
        quiet = 0;
        allowed = ticks;
    }

    /** Stops the timeout until the next byte arrives, which starts it again for its frame. */
    void rest(int ticks) {
        rest();
        fromNextByte = ticks;
    }

    /** Stops the timeout. */
    void rest() {
        allowed = FOR_EVER;
        total = false;
    }

    /** Returns whether the peer has closed the connection, or has sent unrequested bytes. */
    boolean ended() {
        try {
            return channel.readArrived(ByteBuffer.allocate(1)) != 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns the bytes that have arrived and were not read, at most this many; for a connection that has failed. */
    byte[] unread(int most) {
        ByteBuffer arrived = ByteBuffer.allocate(most);
        try {
            int read;
            do {
                read = channel.readArrived(arrived);
            } while (read > 0);
        } catch (IOException e) {
            // The rest has not arrived.
        }
        return Arrays.copyOf(arrived.array(), arrived.position());
    }

    /** Counts a tick; called by one thread at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // A lost reset shortens a timeout by one tick.
    void tick() {
        long now = moved.get();
        if (allowed == FOR_EVER || (!total && now - seen >= LEAST)) {
            seen = now;
            quiet = 0;
        } else if (++quiet >= allowed) {
            long seconds = allowed * Ticker.TICK.toSeconds();
            tooSlow = total
                    ? "the handshake must complete within " + seconds + " s (connections.greeting), and did not"
                    : "a frame must end or " + LEAST + " bytes of it move within " + seconds
                            + " s (connections.silence), moved " + (now - seen);
            close();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        try {
            int read = channel.read(into);
            if (fromNextByte > 0 && read > 0) {
                expect(fromNextByte);
                fromNextByte = 0;
            }
            moved.addAndGet(Math.max(0, read));
            return read;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        try {
            int written = channel.write(from);
            moved.addAndGet(written);
            return written;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    private IOException closed(ClosedChannelException e) {
        String why = tooSlow;
        return why == null ? e : new FrameException(this + ": " + why);
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    /** Ends a wait for bytes, as the end of the stream does; bytes can still be sent. */
    void closeInput() {
        try {
            channel.shutdownInput();
        } catch (IOException e) {
            // The channel is closed, which ends the wait as well.
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The channel cannot be used any further, as intended.
        }
    }

    /** Returns the text for people, for example {@code connection to /127.0.0.1:40001}. */
    @Override
    public String toString() {
        return name;
    }
}
