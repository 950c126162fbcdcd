package dev.edl.runtime.wire.frames;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import dev.edl.runtime.wire.tls.PeerChannel;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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

    private static final byte[] NOTHING = {};

    private final SocketChannel socket;
    private final PeerChannel channel;
    private final FrameInput in;
    private final FrameOutput out;
    private final Alarm alarm;
    private final AtomicReference<@Nullable String> closed = new AtomicReference<>();
    private volatile String peer;
    private volatile boolean refused;
    private volatile boolean explained;
    /** Setting that bounds each transfer, for messages. */
    private volatile String setting = "twice connections.keepAlive";
    /** Body of the last frame that was read. */
    private byte[] body = NOTHING;

    private String text = "";
    /** Whether a frame of another protocol was received. */
    private boolean foreign;

    /** Runs a task once, after a delay, on another thread. Returns an action that cancels the task. */
    @FunctionalInterface
    public interface Alarm {
        Runnable after(Duration delay, Runnable task);
    }

    /** An operation that may wait for the peer. */
    @FunctionalInterface
    private interface Move {
        void make() throws IOException;
    }

    private MessageChannel(SocketChannel socket, PeerChannel channel, String peer, Alarm alarm) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.socket = socket;
        this.channel = channel;
        this.peer = peer;
        this.alarm = alarm;
        this.in = new FrameInput(channel, BUFFER, this);
        this.out = new FrameOutput(channel, BUFFER);
    }

    /**
     * Returns the caller's end of a connection over a socket that is not connected yet.
     *
     * @param peer name of the peer in messages
     */
    public static MessageChannel caller(SocketChannel socket, ChannelSecurity security, String peer, Alarm alarm)
            throws IOException {
        return new MessageChannel(socket, security.caller(socket), peer, alarm);
    }

    /**
     * Returns the called end of a connection over an accepted socket.
     *
     * @param peer name of the peer in messages
     */
    public static MessageChannel called(SocketChannel socket, ChannelSecurity security, String peer, Alarm alarm)
            throws IOException {
        return new MessageChannel(socket, security.called(socket), peer, alarm);
    }

    /** Renames the peer once it is authenticated. */
    public void name(String known) {
        peer = known;
    }

    /** Sets the name of the setting that bounds the next transfers, for messages. */
    public void boundedBy(String name) {
        setting = name;
    }

    /** Returns the peer's name. */
    public String peer() {
        return peer;
    }

    /** Connects to an address. */
    public void connect(InetSocketAddress address, Duration bound) throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("the name is not known");
        }
        bounded("connections.connect", bound, "answered", () -> socket.connect(address));
    }

    public boolean isConnected() {
        return socket.isConnected();
    }

    /** Returns whether the peer has refused this end, so that retries do not help. */
    public boolean isRefused() {
        return refused;
    }

    /** Returns whether the peer has ended the connection with a reason, and does not refuse this end. */
    public boolean isExplained() {
        return explained;
    }

    /** Returns the certificates of both ends. Makes the handshake of TLS if no transfer has made it. */
    public ChannelBinding binding(Duration bound) throws IOException {
        ChannelBinding[] binding = {ChannelBinding.PLAIN};
        bounded("connections.greeting", bound, "sent", () -> binding[0] = channel.binding());
        return binding[0];
    }

    private void bounded(Duration bound, String what, Move move) throws IOException {
        bounded(setting, bound, what, move);
    }

    private void bounded(String name, Duration bound, String what, Move move) throws IOException {
        Runnable inTime = alarm.after(
                bound,
                () -> close(peer + " has " + what + " nothing for " + DurationText.of(bound) + ", the bound " + name));
        try {
            move.make();
        } catch (IOException e) {
            String why = closed.get();
            throw why == null ? e : new IOException(why, e);
        } finally {
            inTime.run();
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
    public byte @Nullable [] message(int most, Duration bound) throws IOException {
        return next(FrameKind.MESSAGE, most, bound);
    }

    /**
     * Waits for the next chunk of content.
     *
     * @return bytes of the chunk; null after the last one
     * @throws IOException when the connection has ended, with the peer's reason
     */
    public byte @Nullable [] chunk(Duration bound) throws IOException {
        return next(FrameKind.CHUNK, CHUNK, bound);
    }

    private byte @Nullable [] next(FrameKind kind, int most, Duration bound) throws IOException {
        while (true) {
            bounded(bound, "sent", () -> read(kind, most));
            switch (in.kind()) {
                case LAST -> {
                    return null;
                }
                case PING -> {}
                case REFUSED -> {
                    refused = true;
                    throw new IOException(text);
                }
                case ERROR -> {
                    explained = true;
                    throw new IOException(text);
                }
                default -> {
                    return body;
                }
            }
        }
    }

    private void read(FrameKind kind, int most) throws IOException {
        try {
            if (!in.next(next -> limit(next, kind, most))) {
                throw new EOFException(peer + " has left");
            }
            body = in.kind() == kind ? in.content() : NOTHING;
            text = in.kind() == FrameKind.REFUSED || in.kind() == FrameKind.ERROR ? in.text() : "";
            in.end();
        } catch (OtherProtocolException other) {
            foreign = true;
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
    public void write(byte[] message, Duration bound) throws IOException {
        write(FrameKind.MESSAGE, message, bound);
    }

    /** Writes a chunk of content, of at most {@link #CHUNK} bytes. */
    public void writeChunk(byte[] content, Duration bound) throws IOException {
        write(FrameKind.CHUNK, content, bound);
    }

    /** Sends a ping. */
    public void ping(Duration bound) throws IOException {
        write(FrameKind.PING, NOTHING, bound);
    }

    private void write(FrameKind kind, byte[] bytes, Duration bound) throws IOException {
        bounded(
                bound,
                "read",
                () -> out.begin(kind, 0, 0, bytes.length, 0, FrameOutput.padded(bytes.length))
                        .content(bytes)
                        .end());
    }

    /** Sends the buffered frames. */
    public void flush(Duration bound) throws IOException {
        bounded(bound, "read", out::flush);
    }

    /**
     * Sends the last frame of this end, after which it sends nothing.
     *
     * @param why the reason for the end; null if everything was sent
     */
    public void last(@Nullable String why, Duration bound) throws IOException {
        if (why == null) {
            write(FrameKind.LAST, NOTHING, bound);
        } else {
            FrameKind kind = foreign ? FrameKind.REFUSED : FrameKind.ERROR;
            bounded(
                    bound,
                    "read",
                    () -> out.begin(kind, 0, 0, 0, 0, FrameOutput.sizeOf(why))
                            .text(why)
                            .end());
        }
        flush(bound);
    }

    /** Shuts down the output, so that the peer reads the end of the stream. */
    public void shutdown() throws IOException {
        channel.shutdownOutput();
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
        closed.compareAndSet(null, why);
        try {
            channel.close();
        } catch (IOException e) {
            // The channel cannot be used any further, as intended.
        }
    }

    @Override
    public void close() {
        close("the connection is closed");
    }

    /** Returns the text for people: the peer's name. */
    @Override
    public String toString() {
        return peer;
    }
}
