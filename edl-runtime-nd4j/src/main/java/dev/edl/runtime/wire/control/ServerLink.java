package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A parameter server's link to the current master and its successors. It also delivers the master's requests to the
 * server's shard. For the server's thread, except for {@link #close}.
 *
 * <pre>{@code
 * ServerLink link = ServerLink.of(caller, host::shard);
 * RegistrationPort master = link.master(context::check).orElseThrow();
 * ShardAssignment order = master.register(index);
 * host.place(template.shard(index, order), order);
 * link.keep(order.life(), context::check);         // reports it to this master and to each later one
 * }</pre>
 */
public final class ServerLink implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ServerLink.class.getName());

    /** Milliseconds between two checks whether the caller was stopped. */
    private static final long LOOK = 100;

    /** Delay before the server dials again once a master has reported that the training has finished. */
    private static final Duration AFTER_FINISH = Duration.ofSeconds(1);

    private final CallerConfig config;
    private final ShardRequestHandler handler;
    private final ExecutorService threads;
    private final MasterDialer dialer;
    private volatile @Nullable Present present;

    private record Present(ConnectAttempt connection, BulkTransferClient bulk, RegistrationPort master) {}

    private ServerLink(CallerConfig config, Supplier<Optional<ShardPort>> shard) {
        this.config = config;
        this.handler = new ShardRequestHandler("ps-" + config.hello().index(), shard, config.codec());
        this.threads = DaemonThreads.pool(
                config.hello().name() + "-orders", config.settings().threads());
        this.dialer = new MasterDialer(config, this::received);
    }

    /**
     * Creates a link that has not dialed yet.
     *
     * @param shard supplies the placed shard; empty if there is none
     */
    public static ServerLink of(CallerConfig config, Supplier<Optional<ShardPort>> shard) {
        return new ServerLink(config, shard);
    }

    /**
     * Returns the server's port to the master, waiting for one while there is none. Returns empty when the training has
     * finished.
     *
     * @param check throws when the server was stopped
     * @throws TryAgainException when no master was reachable within the absence timeout
     * @throws MasterRejectedException when an authenticated master refuses the server
     */
    public Optional<RegistrationPort> master(Runnable check) {
        return reach(check).map(Present::master);
    }

    private Optional<Present> reach(Runnable check) {
        Present last = present;
        if (last != null && last.connection.isOpen()) {
            return Optional.of(last);
        }
        Optional<MasterDialer.ReachedMaster> reached = dialer.dial(check);
        if (reached.isEmpty()) {
            return Optional.empty();
        }
        ConnectAttempt attempt = reached.get().connection();
        BulkTransferClient bulk = attempt.bulk(reached.get().welcome());
        Present next = new Present(attempt, bulk, new RemoteServerRegistration(config, attempt.rpcPeer(), bulk));
        present = next;
        return Optional.of(next);
    }

    /**
     * Reports a life of the shard to the current master and to each successor until the server is stopped.
     *
     * <p>Also does so after the training has finished. A master that is killed before it exits has a successor, which
     * reads the final state from the shards. Returns once the training has finished and no master was reachable within the absence timeout.
     *
     * @param check throws when the server was stopped
     * @throws TryAgainException when another server has replaced this one, or the training has not finished and no
     *     master was reachable within the absence timeout
     */
    public void keep(ShardLife life, Runnable check) throws InterruptedException {
        boolean finished = false;
        while (true) {
            Optional<Present> now;
            try {
                now = reach(check);
            } catch (TryAgainException away) {
                if (finished) {
                    return;
                }
                throw away;
            }
            if (now.isEmpty()) {
                finished = true;
                pause(check);
                continue;
            }
            ConnectAttempt attempt = now.get().connection;
            try {
                now.get().master.ready(config.hello().index(), life);
                await(attempt.ended(), check);
            } catch (MasterGoneException next) {
                // The connection may still be open although the master no longer leads.
                attempt.close();
                check.run();
            }
        }
    }

    private void pause(Runnable check) throws InterruptedException {
        CompletableFuture<String> over = new CompletableFuture<>();
        Runnable cancel = config.timers().schedule(AFTER_FINISH, () -> over.complete("over"));
        try {
            await(over, check);
        } finally {
            cancel.run();
        }
    }

    private static void await(CompletableFuture<String> event, Runnable check) throws InterruptedException {
        while (true) {
            check.run();
            try {
                event.get(LOOK, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException notYet) {
                LOG.log(System.Logger.Level.TRACE, "still waiting");
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private void received(ConnectAttempt attempt, Message message) {
        if (message.kind() != Message.Kind.ASK) {
            return;
        }
        try {
            threads.execute(() -> order(attempt, message));
        } catch (RejectedExecutionException closing) {
            LOG.log(System.Logger.Level.DEBUG, "ignoring a request while the server shuts down");
        }
    }

    /** Content that belongs to a response and is uploaded over a bulk connection. */
    private record Content(long upload, BulkTransferClient.Writer writer) {}

    private void order(ConnectAttempt attempt, Message message) {
        RpcPeer peer = attempt.rpcPeer();
        Content[] content = new Content[1];
        try {
            Object answer = handler.handle(
                    message,
                    version -> peer.sendNotification(MessageNames.PINNED_NOW, Map.of("version", version)),
                    (upload, writer) -> content[0] = new Content(upload, writer));
            peer.respond(message.id(), answer);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return;
        } catch (RuntimeException failure) {
            peer.respondFailure(message.id(), failure);
            return;
        }
        if (content[0] != null) {
            send(attempt, content[0]);
        }
    }

    private void send(ConnectAttempt attempt, Content content) {
        Present now = present;
        if (now == null || now.connection != attempt) {
            // The master that sent the request is gone.
            return;
        }
        try {
            now.bulk.upload(MessageNames.ANSWER, Map.of("id", content.upload), content.writer);
        } catch (IOException | RuntimeException failure) {
            LOG.log(
                    attempt.isOpen() ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                    "could not send the content of a response to the master",
                    failure);
        }
    }

    Optional<ConnectAttempt> connection() {
        return Optional.ofNullable(present).map(Present::connection);
    }

    /** Ends the connection and the threads. */
    @Override
    public void close() {
        threads.shutdownNow();
        dialer.close();
    }
}
