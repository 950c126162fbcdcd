package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.bounds.TimerService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves one parameter shard to workers, with a daemon thread for each connection. Safe for several threads.
 *
 * <p>A shard can be placed and withdrawn while workers are connected; they wait for its successor. A push is received
 * completely and verified before it reaches the shard, so that a connection that ends within one has no effect.
 *
 * <pre>{@code
 * try (ShardServer server = ShardServer.listen(address, new ServedShard(run, 0, 2, contents, tables, handshake),
 *     ConnectionSettings.defaults(), timers)) {
 *   server.place(new HostedShard(shard, term, life));
 * }
 * }</pre>
 */
public final class ShardServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ShardServer.class.getName());
    private static final int RECEIVE_BUFFER = 256 * 1024;
    private static final int BACKLOG = 512;
    /** Maximum number of buffers that are kept for later connections: at most 8 MiB. */
    private static final int SPARE = 16;
    /** Pause before the next accept when the process has no more file descriptors or threads. */
    private static final long PAUSE_NANOS = 10_000_000;
    /** The time between two looks whether callers in a round have left. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final ServedShard served;
    private final ShardFrameLayout layout;
    private final ConnectionSettings settings;
    private final StagingPool staging;
    private final ServerSocketChannel listening;
    private final InetSocketAddress address;
    private final TimerService timers;
    private final Thread acceptor;
    private final Supplier<ConnectionBuffers> allocation;
    /** Buffers of ended connections, kept for later ones. */
    private final Deque<ConnectionBuffers> spare = new ArrayDeque<>();
    /** Buffers of a connection that is sent away, because there is no memory for others. */
    private final ConnectionBuffers reserve = ConnectionBuffers.allocate(ConnectionBuffers.LEAST);

    private boolean reserved;
    /** The reason why the last allocation failed; null after a success. */
    private @Nullable String full;
    /** Whether a failed allocation was already repeated since the last look; each takes half a second. */
    private boolean tried;
    /** Open connections and their threads, in order of arrival. */
    private final Map<ServerConnection, Thread> connections = new LinkedHashMap<>();

    private volatile @Nullable HostedShard shard;
    /** Cancels the next look at the connections. */
    private Runnable nextLook = () -> {};

    private boolean closed;

    private ShardServer(
            ServerSocketChannel listening,
            ServedShard served,
            ConnectionSettings settings,
            TimerService timers,
            Supplier<ConnectionBuffers> allocation)
            throws IOException {
        this.served = served;
        this.layout = served.layout();
        this.settings = settings;
        int length = layout.range().length();
        this.staging = new StagingPool(length, StagingPool.buffers(length, settings.stagingBytes()));
        this.listening = listening;
        this.address = (InetSocketAddress) listening.getLocalAddress();
        this.timers = timers;
        this.allocation = allocation;
        this.acceptor = daemon(this::accept, "accepts workers");
    }

    /**
     * Starts to listen, without a shard.
     *
     * @param address the only address to listen on; port 0 selects a free port
     * @param timers timers of the connections' bounds
     */
    public static ShardServer listen(
            InetSocketAddress address, ServedShard served, ConnectionSettings settings, TimerService timers)
            throws IOException {
        int bytes = ConnectionBuffers.bytes(served.layout());
        return listen(address, served, settings, timers, () -> ConnectionBuffers.allocate(bytes));
    }

    static ShardServer listen(
            InetSocketAddress address,
            ServedShard served,
            ConnectionSettings settings,
            TimerService timers,
            Supplier<ConnectionBuffers> allocation)
            throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listening.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
            listening.bind(address, BACKLOG);
            ShardServer server = new ShardServer(listening, served, settings, timers, allocation);
            server.acceptor.start();
            server.lookLater();
            return server;
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    /** Returns the listening address. */
    public InetSocketAddress address() {
        return address;
    }

    /** Serves a life of the shard. Replaces an earlier life, whose connections end. */
    public void place(HostedShard placed) {
        if (!placed.range().equals(layout.range())) {
            throw new IllegalArgumentException("the slot of " + layout.range() + " does not fit " + placed.range());
        }
        withdraw();
        shard = placed;
    }

    /**
     * Withdraws the shard; workers wait until the next one is placed. Connections end, so that no worker uses values of
     * this life. Calls that wait in the shard end when it is retired.
     */
    public void withdraw() {
        shard = null;
        all().keySet().forEach(ServerConnection::close);
    }

    /** Forgets connections whose threads have ended; {@link #close} waits for the others. */
    private void prune() {
        synchronized (connections) {
            connections.values().removeIf(thread -> !thread.isAlive());
        }
    }

    private Map<ServerConnection, Thread> all() {
        synchronized (connections) {
            return Map.copyOf(connections);
        }
    }

    @Nullable
    HostedShard shard() {
        return shard;
    }

    ServedShard served() {
        return served;
    }

    StagingPool staging() {
        return staging;
    }

    /** Returns buffers for a connection, which must give them back when it ends; null if there is no memory. */
    private @Nullable ConnectionBuffers buffers() {
        String why;
        synchronized (spare) {
            ConnectionBuffers kept = spare.poll();
            if (kept != null || (full != null && tried)) {
                return kept;
            }
            tried = true;
            boolean known = full != null;
            try {
                ConnectionBuffers made = allocation.get();
                full = null;
                return made;
            } catch (OutOfMemoryError e) {
                why = String.valueOf(e.getMessage());
                full = why;
            }
            if (known) {
                return null;
            }
        }
        int open = all().size();
        LOG.log(
                System.Logger.Level.WARNING,
                () -> this + " has " + open + " connections and sends further callers away until one ends: " + why);
        return null;
    }

    /** Returns the reserved buffers; null if another connection uses them. */
    private @Nullable ConnectionBuffers reserve() {
        synchronized (spare) {
            boolean used = reserved;
            reserved = true;
            return used ? null : reserve;
        }
    }

    @SuppressWarnings("ReferenceEquality") // Buffers are equal if their bytes are.
    void give(ConnectionBuffers used) {
        synchronized (spare) {
            if (used == reserve) {
                reserved = false;
            } else if (spare.size() < SPARE || full != null) {
                spare.push(used);
            }
        }
    }

    private @Nullable String full() {
        synchronized (spare) {
            return full;
        }
    }

    private Thread daemon(Runnable work, String what) {
        return DaemonThreads.thread(work, layout.range().name() + " " + what);
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                serve(listening.accept());
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                // Closed, or the caller has left, or there is no memory or thread now.
                if (listening.isOpen()) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private void serve(SocketChannel channel) throws IOException {
        ConnectionBuffers free = buffers();
        ConnectionBuffers buffers = free == null ? reserve() : free;
        if (buffers == null) {
            channel.close();
            return;
        }
        try {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, RECEIVE_BUFFER);
            BoundedChannel socket = BoundedChannel.called(
                    channel,
                    served.handshake().security(),
                    "connection to " + channel.getRemoteAddress(),
                    timers,
                    false);
            socket.keepAlive(settings.keepAlive());
            socket.startGreeting(TimeBound.greeting(settings));
            ServerConnection connection = new ServerConnection(
                    this, socket, buffers, layout, TimeBound.silence(settings), free == null ? full() : null);
            Thread thread = daemon(connection, "serves " + channel.getRemoteAddress());
            synchronized (connections) {
                if (closed) {
                    socket.close();
                    give(buffers);
                    return;
                }
                prune();
                makeRoom();
                connections.put(connection, thread);
                thread.start();
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            give(buffers);
            channel.close();
            throw e;
        }
    }

    /**
     * Closes the oldest unauthenticated connection if there are too many. A worker authenticates within milliseconds.
     */
    private void makeRoom() {
        List<ServerConnection> strangers = connections.keySet().stream()
                .filter(ServerConnection::isStranger)
                .toList();
        if (strangers.size() >= settings.strangers()) {
            strangers.get(0).close();
        }
    }

    private void lookLater() {
        synchronized (connections) {
            if (!closed) {
                nextLook = timers.schedule(LOOK, this::poll);
            }
        }
    }

    private void poll() {
        try {
            synchronized (spare) {
                tried = false;
            }
            prune();
            all().keySet().forEach(ServerConnection::poll);
        } finally {
            lookLater();
        }
    }

    /** Ends all connections and all threads. */
    @Override
    public void close() {
        synchronized (connections) {
            closed = true;
            nextLook.run();
        }
        Map<ServerConnection, Thread> all = all();
        try {
            listening.close();
        } catch (IOException e) {
            // The socket accepts no caller any more, as intended.
        }
        all.keySet().forEach(ServerConnection::close);
        all.values().forEach(Thread::interrupt);
        all.values().forEach(DaemonThreads::join);
        DaemonThreads.join(acceptor);
    }

    /** Returns the text for people, for example {@code server of ps-0[0..325) at /127.0.0.1:40001}. */
    @Override
    public String toString() {
        return "server of " + layout.range() + " at " + address;
    }
}
