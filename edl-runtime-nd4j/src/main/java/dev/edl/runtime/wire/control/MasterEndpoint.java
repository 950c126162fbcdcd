package dev.edl.runtime.wire.control;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.frames.Greeting;
import dev.edl.runtime.wire.frames.MessageChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The listening address at which workers and servers connect to the master of this process. It outlives each master:
 * without one, connections wait for the next. Safe for several threads.
 *
 * <pre>{@code
 * MasterEndpoint listener = MasterEndpoint.open(address, side);
 * listener.registers(lead, registration);      // servers get their assignments, and their shards are attached
 * listener.serves(lead, worker -> port);       // workers get tasks
 * listener.finish();                           // later callers are told that the training has finished
 * listener.retire();                           // tells every open connection that the master has left
 * listener.close();
 * }</pre>
 */
public final class MasterEndpoint implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MasterEndpoint.class.getName());
    private static final int BACKLOG = 512;
    /** Pause before the next accept when the process has no more file descriptors. */
    private static final long PAUSE_NANOS = 10_000_000;

    private final MasterEndpointConfig config;
    private final SessionRegistry sessions;
    /** Each connection has a reading thread; a message connection also has a writing thread. */
    private final ExecutorService network;

    private final ServerSocketChannel listening;
    private final int port;
    private final Set<MessageChannel> connections = ConcurrentHashMap.newKeySet();
    /** Downloads are large, so only a few run at a time and others wait. */
    private final Semaphore downloads;

    private final Set<Thread> transferring = ConcurrentHashMap.newKeySet();

    private MasterEndpoint(ServerSocketChannel listening, MasterEndpointConfig config) {
        this.config = config;
        this.listening = listening;
        this.port = listening.socket().getLocalPort();
        this.sessions = new SessionRegistry(config);
        this.network = DaemonThreads.network(config.name());
        this.downloads = new Semaphore(config.settings().threads());
        network.execute(this::accept);
    }

    /**
     * Listens on one address.
     *
     * @throws IOException when the address is in use or not local
     */
    public static MasterEndpoint open(InetSocketAddress address, MasterEndpointConfig config) throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listening.bind(address, BACKLOG);
            return new MasterEndpoint(listening, config);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    /** Returns the listening port. */
    public int port() {
        return port;
    }

    /** Starts to accept registrations of servers with a master. */
    public void registers(Leadership lead, RegistrationPort master) {
        sessions.registers(lead, master);
    }

    /**
     * Starts to accept workers for a master.
     *
     * @param masters returns the master port of a worker by its name
     */
    public void serves(Leadership lead, Function<String, MasterPort> masters) {
        sessions.serves(lead, masters);
    }

    /**
     * Ends the connections of the current master without notifying a watch. New connections wait for the next master.
     */
    public void retire() {
        sessions.retire();
    }

    /** Notifies later callers that the training has finished. Open connections stay. */
    public void finish() {
        sessions.finish();
    }

    /** Notifies the watch that a worker is gone; called by a component that has learned of the worker's end. */
    public void gone(String worker) {
        sessions.gone(worker);
    }

    /** Returns the number of open connections of workers and servers that have a session with the master. */
    public int streams() {
        return sessions.open();
    }

    /** Returns the number of connections that wait for a master. */
    int waiting() {
        return sessions.waiting();
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                greet(listening.accept());
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                // No thread, file descriptor or memory now: later callers wait in the system's queue.
                if (listening.isOpen()) {
                    LOG.log(System.Logger.Level.WARNING, this + " could not accept a caller", e);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private void greet(SocketChannel channel) throws IOException {
        try {
            MessageChannel messages = MessageChannel.called(
                    channel,
                    config.handshake().security(),
                    "the caller at " + channel.getRemoteAddress(),
                    config.timers(),
                    TimeBound.greeting(config.settings()));
            ConnectionSettings settings = config.settings();
            MessageConnection connection = new MessageConnection(messages, config.timers(), network, settings);
            PendingConnection pending = new PendingConnection(sessions, connection);
            if (!sessions.greets(pending)) {
                messages.close();
                return;
            }
            connections.add(messages);
            try {
                network.execute(() -> {
                    try {
                        connection.run(() -> greet(connection, pending), pending);
                    } finally {
                        connections.remove(messages);
                    }
                });
            } catch (RuntimeException | OutOfMemoryError noThread) {
                connections.remove(messages);
                sessions.left(pending);
                throw noThread;
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Authenticates a caller. Returns whether messages follow; a bulk connection was already served.
     */
    private boolean greet(MessageConnection connection, PendingConnection pending)
            throws IOException, InterruptedException {
        MessageChannel channel = connection.wire();
        Greeting.Caller caller = channel.answer(config.handshake(), this::purpose);
        if (!caller.session().isEmpty()) {
            if (pending.standsAside()) {
                sessions.left(pending);
                transfer(session(caller.session()), channel);
            }
            return false;
        }
        connection.markAuthenticated();
        try {
            pending.greeted(Hello.of(caller.identity()));
        } catch (IllegalArgumentException other) {
            pending.refuse(String.valueOf(other.getMessage()));
        }
        return true;
    }

    private Greeting.Purpose purpose(String session) throws IOException {
        if (session.isEmpty()) {
            return Greeting.Purpose.master(config.run());
        }
        session(session);
        return Greeting.Purpose.content(config.run(), session);
    }

    private CallerSession session(String name) throws IOException {
        return sessions.session(name).orElseThrow(() -> new IOException("no open connection has this session"));
    }

    private void transfer(CallerSession session, MessageChannel channel) throws IOException, InterruptedException {
        ConnectionSettings settings = config.settings();
        BulkTransfer transfer = new BulkTransfer(channel, TimeBound.silence(settings));
        Message request = transfer.receive(TimeBound.greeting(settings));
        transferring.add(Thread.currentThread());
        try {
            if (request.name().equals(MessageNames.MODEL) || request.name().equals(MessageNames.SAVED)) {
                download(request, session, transfer, channel);
            } else {
                upload(request, session, transfer);
            }
        } finally {
            transferring.remove(Thread.currentThread());
        }
    }

    private void download(Message request, CallerSession session, BulkTransfer transfer, MessageChannel messages)
            throws IOException, InterruptedException {
        ConnectionSettings settings = config.settings();
        long pause = Math.min(settings.keepAlive().toNanos(), settings.silence().toNanos() / 2);
        while (!downloads.tryAcquire(pause, TimeUnit.NANOSECONDS)) {
            // A ping shows a waiting worker that it is queued, so that it does not give up. It fails if the worker has
            // left.
            messages.ping(TimeBound.silence(settings));
            messages.flush(TimeBound.silence(settings));
        }
        try {
            session.download(request, transfer);
            transfer.finish();
        } finally {
            downloads.release();
        }
    }

    /**
     * Uploads are not limited: the sender's connection is not read meanwhile, and the master has requested the content.
     */
    private static void upload(Message request, CallerSession session, BulkTransfer transfer)
            throws IOException, InterruptedException {
        Message answer;
        try {
            session.upload(request, transfer.in());
            answer = Message.done(0, null);
        } catch (RuntimeException failure) {
            answer = Message.failed(0, RemoteFailure.of(failure));
        }
        // The sender reads the response only after it has sent its last byte.
        transfer.in().transferTo(OutputStream.nullOutputStream());
        transfer.send(answer);
    }

    /** Ends all connections and threads. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            // The socket accepts no caller any more, as intended.
            LOG.log(System.Logger.Level.DEBUG, toString(), e);
        }
        sessions.close();
        transferring.forEach(Thread::interrupt);
        // Connected callers notice at once that the master has left.
        DaemonThreads.end(
                network, config.settings().close().toMillis() / 2, () -> connections.forEach(MessageChannel::close));
    }

    /** Returns the text for people, for example {@code mnist-master-0 on port 50001}. */
    @Override
    public String toString() {
        return config.name() + " on port " + port();
    }
}
