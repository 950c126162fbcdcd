package dev.edl.runtime.wire.frames;

import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the control plane, which transfers messages and content in frames. Each frame must make progress
 * within a bound, or the connection is closed. One thread reads, one writes, and any may close.
 */
public final class MessageChannel implements AutoCloseable {
    /** Largest size of a chunk of content in bytes. */
    public static final int CHUNK = 256 * 1024;

    /** Buffer size of each direction in bytes. */
    private static final int BUFFER = 32 * 1024;

    private static final System.Logger LOG = System.getLogger(MessageChannel.class.getName());
    private static final byte[] NOTHING = {};

    private final BoundedChannel channel;
    private final FrameInput in;
    private final FrameOutput out;
    private volatile boolean refused;
    /** Body of the last frame that was read. */
    private byte[] body = NOTHING;

    private String text = "";
    /** Whether this end refuses the peer, so that retries do not help. */
    private volatile boolean refuses;

    /** Writes frames. */
    @FunctionalInterface
    private interface Writing {
        void write() throws IOException;
    }

    private MessageChannel(BoundedChannel channel) {
        this.channel = channel;
        this.in = new FrameInput(channel, BUFFER, channel);
        this.out = new FrameOutput(channel, BUFFER);
    }

    /**
     * Returns the caller's end of a connection over a socket that is not connected yet.
     *
     * @param peer name of the peer in messages
     */
    public static MessageChannel caller(
            SocketChannel socket, ChannelSecurity security, String peer, TimerService timers) throws IOException {
        try {
            return new MessageChannel(BoundedChannel.caller(socket, security, peer, timers, true));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Returns the called end of a connection over an accepted socket.
     *
     * @param peer name of the peer in messages
     * @param greeting time from now in which the caller must authenticate
     */
    public static MessageChannel called(
            SocketChannel socket, ChannelSecurity security, String peer, TimerService timers, TimeBound greeting)
            throws IOException {
        BoundedChannel channel = BoundedChannel.called(socket, security, peer, timers, true);
        channel.startGreeting(greeting);
        return new MessageChannel(channel);
    }

    /** Renames the peer once it is authenticated. */
    public void name(String known) {
        channel.name(known);
    }

    /** Connects to an address. */
    public void connect(InetSocketAddress address, TimeBound bound) throws IOException {
        channel.connect(address, bound);
    }

    public boolean isConnected() {
        return channel.isConnected();
    }

    /** Returns whether the peer has refused this end, so that retries do not help. */
    public boolean isRefused() {
        return refused;
    }

    /** Refuses the peer: {@link #last} sends the reason as one for which retries do not help. */
    public void refuse() {
        refuses = true;
    }

    /**
     * Greets the master.
     *
     * @param identity texts by which this end identifies itself
     * @throws UnauthenticatedException when the called end does not prove the token and the purpose in time
     */
    public void greet(Handshake handshake, Greeting.Purpose purpose, List<String> identity, TimeBound bound)
            throws IOException {
        channel.startGreeting(bound);
        channel.greet(in, out, handshake, purpose, identity, 0);
    }

    /**
     * Authenticates the caller.
     *
     * @throws IOException when the caller does not prove the token and the purpose in time
     */
    public Greeting.Caller answer(Handshake handshake, Greeting.Purposes purposes) throws IOException {
        try {
            return channel.answer(in, out, handshake, purposes);
        } catch (RefusedCallerException refused) {
            LOG.log(System.Logger.Level.WARNING, channel + " is refused: " + refused.getMessage());
            refuses = true;
            throw refused;
        } catch (ProtocolVersionException other) {
            refuses = true;
            throw other;
        }
    }

    /**
     * Waits for the next message.
     *
     * @param most largest allowed size of the message in bytes
     * @return bytes of the message; null when the peer has ended the connection in an orderly way
     * @throws FrameException when a frame of another kind was received
     * @throws IOException when the connection has ended, with the peer's reason
     */
    public byte @Nullable [] message(int most, TimeBound bound) throws IOException {
        return next(FrameKind.MESSAGE, most, bound);
    }

    /**
     * Waits for the next chunk of content.
     *
     * @return bytes of the chunk; null after the last one
     * @throws IOException when the connection has ended, with the peer's reason
     */
    public byte @Nullable [] chunk(TimeBound bound) throws IOException {
        return next(FrameKind.CHUNK, CHUNK, bound);
    }

    private byte @Nullable [] next(FrameKind kind, int most, TimeBound bound) throws IOException {
        while (true) {
            channel.reads().begin(bound);
            try {
                read(kind, most);
            } finally {
                channel.reads().end();
            }
            switch (in.kind()) {
                case LAST -> {
                    return null;
                }
                case PING -> {}
                case REFUSED -> {
                    refused = true;
                    throw new IOException(text);
                }
                case ERROR -> throw new IOException(text);
                default -> {
                    return body;
                }
            }
        }
    }

    private void read(FrameKind kind, int most) throws IOException {
        try {
            if (!in.next(next -> limit(next, kind, most))) {
                throw new EOFException(channel + " has left");
            }
            body = in.kind() == kind ? in.content() : NOTHING;
            text = in.kind() == FrameKind.REFUSED || in.kind() == FrameKind.ERROR ? in.text() : "";
            in.end();
        } catch (ProtocolVersionException other) {
            refuses = true;
            throw other;
        }
    }

    private static long limit(FrameKind next, FrameKind kind, int most) {
        return switch (next) {
            case LAST, PING -> 0;
            case REFUSED, ERROR -> FrameLimits.TEXT + Integer.BYTES;
            default -> next == kind ? FrameOutput.padded(most) : FrameLimits.NONE;
        };
    }

    /** Writes a message, which may stay in the buffer until {@link #flush}. */
    public void write(byte[] message, TimeBound bound) throws IOException {
        write(FrameKind.MESSAGE, message, bound);
    }

    /** Writes a chunk of content, of at most {@link #CHUNK} bytes. */
    public void writeChunk(byte[] content, TimeBound bound) throws IOException {
        write(FrameKind.CHUNK, content, bound);
    }

    /** Sends a ping. */
    public void ping(TimeBound bound) throws IOException {
        write(FrameKind.PING, NOTHING, bound);
    }

    private void write(FrameKind kind, byte[] bytes, TimeBound bound) throws IOException {
        writing(
                bound,
                () -> out.begin(kind, 0, 0, bytes.length, 0, FrameOutput.padded(bytes.length))
                        .content(bytes)
                        .end());
    }

    private void writing(TimeBound bound, Writing frames) throws IOException {
        channel.writes().begin(bound);
        try {
            frames.write();
        } finally {
            channel.writes().end();
        }
    }

    /** Sends the buffered frames. */
    public void flush(TimeBound bound) throws IOException {
        writing(bound, out::flush);
    }

    /**
     * Sends the last frame of this end, after which it sends nothing.
     *
     * @param why the reason for the end; null if everything was sent
     */
    public void last(@Nullable String why, TimeBound bound) throws IOException {
        if (why == null) {
            write(FrameKind.LAST, NOTHING, bound);
        } else {
            FrameKind kind = refuses ? FrameKind.REFUSED : FrameKind.ERROR;
            writing(
                    bound,
                    () -> out.begin(kind, 0, 0, 0, 0, FrameOutput.sizeOf(why))
                            .text(why)
                            .end());
        }
        flush(bound);
    }

    /** Shuts down the output, so that the peer reads the end of the stream. */
    public void shutdown() throws IOException {
        channel.closeOutput();
    }

    /**
     * Reads and discards input up to its end, so that the peer receives the last frames. Ends with {@link #close} at
     * the latest.
     */
    public void drain() {
        ByteBuffer unread = ByteBuffer.allocate(1024);
        try {
            while (channel.read(unread) >= 0) {
                unread.clear();
            }
        } catch (IOException gone) {
            // The peer is gone, so nothing is lost.
        }
    }

    /** Closes the connection; a waiting thread gets the reason of the first close. */
    public void close(String why) {
        channel.close(why);
    }

    @Override
    public void close() {
        close("the connection is closed");
    }

    /** Returns the text for people: the peer's name. */
    @Override
    public String toString() {
        return channel.toString();
    }
}
