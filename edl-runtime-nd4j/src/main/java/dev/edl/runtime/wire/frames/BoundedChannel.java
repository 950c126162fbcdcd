package dev.edl.runtime.wire.frames;

import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.bounds.TransferBound;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import dev.edl.runtime.wire.tls.PeerChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is closed when a transfer exceeds its bound. One thread reads and one writes, or one thread does
 * both; any thread may close.
 */
final class BoundedChannel implements ByteChannel {
    private static final int BUFFER = 256 * 1024;
    /** Number of unanswered probes after which the system closes an idle connection. */
    private static final int PROBES = 4;
    /** Longest time to the first probe in seconds, by Linux. */
    private static final int LONGEST_KEEP_ALIVE = 32_767;

    private final SocketChannel socket;
    private final PeerChannel channel;
    private final TransferBound reads;
    private final TransferBound writes;
    private final AtomicReference<@Nullable String> closed = new AtomicReference<>();
    private final TimerService timers;
    private volatile boolean late;
    private @Nullable TimeBound greeting;
    private volatile Runnable cancelGreeting = () -> {};
    private volatile boolean greetingLate;
    private volatile String peer;

    private BoundedChannel(SocketChannel socket, PeerChannel channel, String peer, TimerService timers, boolean duplex)
            throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.socket = socket;
        this.channel = channel;
        this.peer = peer;
        this.timers = timers;
        this.reads = new TransferBound(timers, duplex ? "sent" : "transferred", this::expire);
        this.writes = duplex ? new TransferBound(timers, "read", this::expire) : reads;
    }

    /**
     * Returns the caller's end of a connection, over a socket that is not connected yet.
     *
     * @param peer name of the peer, for messages
     * @param duplex whether a second thread writes, so that each direction has its own bound
     */
    static BoundedChannel caller(
            SocketChannel socket, ChannelSecurity security, String peer, TimerService timers, boolean duplex)
            throws IOException {
        return new BoundedChannel(socket, security.caller(socket), peer, timers, duplex);
    }

    /** Returns the called end of a connection over an accepted socket. All else is as for {@link #caller}. */
    static BoundedChannel called(
            SocketChannel socket, ChannelSecurity security, String peer, TimerService timers, boolean duplex)
            throws IOException {
        return new BoundedChannel(socket, security.called(socket), peer, timers, duplex);
    }

    /** Sets the buffer sizes of a channel for large frames, which must be done before it is connected. */
    static void buffers(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
    }

    /**
     * Enables the system's probes of an idle connection, which close it if the peer's host has not answered for twice this time.
     * For connections without pings: a worker that computes reads and writes nothing.
     */
    void keepAlive(Duration time) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            int seconds = (int) Math.max(1, Math.min(time.toSeconds(), LONGEST_KEEP_ALIVE));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, Math.max(1, seconds / PROBES));
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
    }

    /** Returns the bound of received bytes; if one thread reads and writes, also the bound of sent bytes. */
    TransferBound reads() {
        return reads;
    }

    /** Returns the bound of sent bytes. */
    TransferBound writes() {
        return writes;
    }

    /** Renames the peer once it is authenticated. */
    void name(String known) {
        peer = known;
    }

    /** An operation that may wait for the peer. */
    @FunctionalInterface
    private interface Operation<T> {
        T run() throws IOException;
    }

    /** Connects to an address. */
    void connect(InetSocketAddress address, TimeBound bound) throws IOException {
        if (address.isUnresolved()) {
            throw new UnknownHostException(address.getHostString());
        }
        Runnable cancel = timers.schedule(bound.time(), () -> close(peer + " has not answered within " + bound));
        try {
            socket.connect(address);
        } catch (IOException e) {
            throw reason(e);
        } finally {
            cancel.run();
        }
    }

    /** Starts the time in which both ends must authenticate, however many bytes they send. */
    void startGreeting(TimeBound bound) {
        greeting = bound;
        cancelGreeting = timers.schedule(bound.time(), () -> {
            greetingLate = true;
            // The reason can still be sent.
            closeInput();
            cancelGreeting = timers.schedule(bound.time(), this::close);
        });
    }

    /** Greets the called end. See {@link Greeting#call}. */
    void greet(
            FrameInput in,
            FrameOutput out,
            Handshake handshake,
            Greeting.Purpose purpose,
            List<String> identity,
            int request)
            throws IOException {
        try {
            greeting(() -> {
                Greeting.call(in, out, channel.binding(), handshake, purpose, identity, request);
                return true;
            });
        } catch (FrameException | SSLException other) {
            throw new UnauthenticatedException("cannot be greeted: " + other.getMessage());
        }
    }

    /** Authenticates the caller. See {@link Greeting#answer}. */
    Greeting.Caller answer(FrameInput in, FrameOutput out, Handshake handshake, Greeting.Purposes purposes)
            throws IOException {
        try {
            return greeting(() -> Greeting.answer(in, out, channel.binding(), handshake, purposes));
        } catch (UnauthenticatedException late) {
            throw new FrameException("the caller " + late.getMessage());
        }
    }

    private <T> T greeting(Operation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (IOException e) {
            throw greetingLate ? new UnauthenticatedException("did not authenticate within " + greeting) : reason(e);
        } finally {
            cancelGreeting.run();
        }
    }

    boolean isConnected() {
        return socket.isConnected();
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

    @Override
    public int read(ByteBuffer into) throws IOException {
        try {
            int read = channel.read(into);
            reads.moved(read);
            return read;
        } catch (IOException e) {
            throw reason(e);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        try {
            int written = channel.write(from);
            writes.moved(written);
            return written;
        } catch (IOException e) {
            throw reason(e);
        }
    }

    /** Returns the reason of the close by this end, if that has caused a failure. */
    private IOException reason(IOException failure) {
        String why = closed.get();
        if (why == null || failure instanceof ClosedByInterruptException) {
            return failure;
        }
        return late ? new FrameException(why) : new IOException(why, failure);
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

    /** Shuts down the output, so that the peer reads the end of the stream. */
    void closeOutput() throws IOException {
        channel.shutdownOutput();
    }

    private void expire(String why) {
        late = true;
        close(peer + " " + why);
    }

    /** Closes the connection; failed transfers get the reason of the first close. */
    void close(String why) {
        closed.compareAndSet(null, why);
        close();
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
        cancelGreeting.run();
        try {
            channel.close();
        } catch (IOException e) {
            // The channel cannot be used any further, as intended.
        }
    }

    /** Returns the text for people: the peer's name. */
    @Override
    public String toString() {
        return peer;
    }
}
