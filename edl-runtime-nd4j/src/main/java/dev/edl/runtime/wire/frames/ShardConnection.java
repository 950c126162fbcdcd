package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.wire.bounds.TimeBound;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a shard client, which reconnects after each failure. Any thread may call {@link #absent} and
 * {@link #close}.
 */
final class ShardConnection {
    private static final System.Logger LOG = System.getLogger(ShardConnection.class.getName());

    private final InetSocketAddress server;
    private final ShardClientConfig config;
    private final ShardFrameLayout layout;
    private final ConnectionSettings settings;
    private final ConnectionBuffers buffers;
    private volatile @Nullable BoundedChannel socket;
    private @Nullable FrameInput in;
    private @Nullable FrameOutput out;
    private volatile boolean absent;
    /** Whether the connection was ended and must not reconnect. */
    private volatile boolean ended;

    private @Nullable IOException failure;
    private int request;
    /** Whether the current connection has delivered a response. */
    private boolean used;
    /** Whether a failed authentication was logged since the last successful one. */
    private boolean warned;

    ShardConnection(
            InetSocketAddress server, ShardClientConfig config, ShardFrameLayout layout, ConnectionSettings settings) {
        this.server = server;
        this.config = config;
        this.layout = layout;
        this.settings = settings;
        this.buffers = ConnectionBuffers.allocate(ConnectionBuffers.bytes(layout));
    }

    boolean absent() {
        return absent;
    }

    boolean open() {
        BoundedChannel now = socket;
        return now != null && now.isOpen();
    }

    /** Returns whether the server still has the connection open. Call it between two requests. */
    boolean alive() {
        BoundedChannel now = socket;
        if (now != null && now.isOpen() && now.ended()) {
            now.close();
        }
        return open();
    }

    String shard() {
        return layout.range().name();
    }

    boolean used() {
        return used;
    }

    @Nullable
    IOException failure() {
        return failure;
    }

    FrameInput in() throws IOException {
        FrameInput now = in;
        if (now == null) {
            throw new FrameException("no connection to " + this);
        }
        return now;
    }

    private FrameOutput out() throws IOException {
        FrameOutput now = out;
        if (now == null) {
            throw new FrameException("no connection to " + this);
        }
        return now;
    }

    /** Connects; a server without a shard counts as absent. */
    void connect() throws IOException {
        close();
        used = false;
        SocketChannel open = SocketChannel.open();
        try {
            BoundedChannel.buffers(open);
            // Resolve the name again: a server's successor may have another address.
            InetSocketAddress address = new InetSocketAddress(server.getHostString(), server.getPort());
            BoundedChannel made = BoundedChannel.caller(
                    open, config.handshake().security(), "connection to " + address, config.timers(), false);
            socket = made;
            if (ended) {
                throw new ClosedChannelException();
            }
            made.keepAlive(settings.keepAlive());
            made.connect(address, TimeBound.connect(settings));
            greet(made);
            absent = false;
            failure = null;
        } catch (UnauthenticatedException e) {
            close(open);
            throw unauthenticated(e);
        } catch (IOException | RuntimeException e) {
            close(open);
            throw e;
        }
    }

    private void close(SocketChannel open) throws IOException {
        close();
        open.close();
    }

    private void greet(BoundedChannel made) throws IOException {
        FrameInput input = new FrameInput(made, buffers.received(), made);
        FrameOutput output = new FrameOutput(made, buffers.sent());
        in = input;
        out = output;
        TimeBound bound = TimeBound.greeting(settings);
        List<String> identity = List.of(config.run(), config.worker(), layout.place(), layout.model());
        long end = config.timers().nanoTime() + bound.time().toNanos();
        made.startGreeting(bound);
        made.greet(input, output, config.handshake(), layout.purpose(config.run()), identity, ++request);
        Duration left = Duration.ofNanos(Math.max(1, end - config.timers().nanoTime()));
        made.reads().begin(new TimeBound(left, bound.setting()));
        answer(FrameKind.WELCOME);
        input.life();
        input.end();
        made.reads().end();
        warned = false;
    }

    /** Returns the failure, and logs the first one at once: the token may be wrong, which a long wait would hide. */
    private FrameException unauthenticated(UnauthenticatedException e) {
        FrameException failure = new FrameException(this + " " + e.getMessage());
        if (!warned) {
            warned = true;
            LOG.log(System.Logger.Level.WARNING, config.worker() + " retries: " + failure.getMessage());
        }
        return failure;
    }

    /** Begins the next request, whose response must arrive within the allowed silence. */
    FrameOutput begin(FrameKind kind, int flags, long a, long b, long body) throws IOException {
        return out().begin(kind, flags, ++request, a, b, body);
    }

    /** Bounds the next request and its response. */
    void begin(TimeBound bound) {
        BoundedChannel now = socket;
        if (now != null) {
            now.reads().begin(bound);
        }
    }

    /** Stops the bound, because the response has arrived. */
    void rest() {
        used = true;
        BoundedChannel now = socket;
        if (now != null) {
            now.reads().end();
        }
    }

    int requests() {
        return request;
    }

    /** Reads the header of a frame that responds to the last request. */
    void answer(FrameKind kind) throws IOException {
        FrameInput input = in();
        if (!input.next(next -> expected(next, kind) ? layout.answered(next) : FrameLimits.NONE)) {
            throw new FrameException(this + " ended the connection");
        }
        if (input.request() != request) {
            throw input.refused("the answer must be to request " + request + ", was to " + input.request());
        }
        if (input.kind() == kind) {
            return;
        }
        String text = input.text();
        input.end();
        switch (input.kind()) {
            case REFUSED -> throw new ShardModelMismatchException(this + ": " + text);
            case AWAY -> throw new FrameException(this + ": " + text);
            default -> {
                throw new ShardRequestRejectedException(
                        input.a() == FrameKind.BOUND_OVER
                                ? new ShardTimeoutException(text)
                                : new IllegalStateException(this + ": " + text));
            }
        }
    }

    private static boolean expected(FrameKind kind, FrameKind wanted) {
        return switch (kind) {
            case REFUSED, AWAY, ERROR -> true;
            default -> kind == wanted;
        };
    }

    /** Returns the server's reason if it has ended the connection while a request was being sent. */
    private IOException reason(IOException why) {
        BoundedChannel now = socket;
        if (now == null || !now.isOpen()) {
            return why;
        }
        byte[] unread = now.unread(FrameInput.HEADER + FrameLimits.TEXT);
        try {
            FrameInput last = new FrameInput(
                    Channels.newChannel(new ByteArrayInputStream(unread)),
                    ByteBuffer.allocate(FrameInput.HEADER + unread.length).order(ByteOrder.LITTLE_ENDIAN),
                    this);
            if (!last.next(kind -> kind == FrameKind.AWAY ? layout.answered(kind) : FrameLimits.NONE)) {
                return why;
            }
            String text = last.text();
            last.end();
            LOG.log(System.Logger.Level.WARNING, () -> config.worker() + " connects again to " + this + ": " + text);
            return new FrameException(this + ": " + text);
        } catch (IOException noReason) {
            return why;
        }
    }

    /** Closes the connection; the shard is absent until it is connected again. */
    void fail(IOException why) {
        failure = reason(why);
        absent = true;
        close();
    }

    /** Closes the connection, even while it is connecting, and prevents reconnects. */
    void end() {
        ended = true;
        close();
    }

    void close() {
        BoundedChannel now = socket;
        if (now != null) {
            now.close();
        }
    }

    /** Returns the text for people, for example {@code ps-1 at 127.0.0.1:40001}. */
    @Override
    public String toString() {
        return layout.range().name() + " at " + server.getHostString() + ":" + server.getPort();
    }
}
