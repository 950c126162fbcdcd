package dev.edl.runtime.wire.control;

import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.Welcome;
import dev.edl.runtime.wire.frames.Greeting;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.frames.UnauthenticatedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a caller to connect to the master, and its message connection once it succeeds. Safe for several
 * threads.
 */
final class ConnectAttempt implements MessageConnection.MessageListener, AutoCloseable {
    private final CallerConfig config;
    private final InetSocketAddress address;
    private final MessageConnection connection;
    private final RpcPeer peer;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    /** Receives requests and notifications of the master. */
    private final BiConsumer<ConnectAttempt, Message> messageHandler;

    private volatile @Nullable BulkTransferClient bulk;

    /** Outcome of an attempt. */
    sealed interface Outcome {
        /** The caller was accepted and may begin. */
        record Welcomed(Welcome welcome) implements Outcome {}

        /** The training has finished. */
        record Finished() implements Outcome {}

        /** The authenticated master rejects the caller; retries do not help. */
        record Refused(String reason) implements Outcome {}

        /**
         * No authenticated master answered, so another attempt may succeed.
         *
         * @param unauthenticated whether another program answered at the master's address
         */
        record Unreachable(String reason, boolean unauthenticated) implements Outcome {}
    }

    /**
     * Creates an attempt that has not dialed yet.
     *
     * @throws IOException when the socket cannot be used
     */
    ConnectAttempt(
            CallerConfig config,
            SocketChannel channel,
            Executor network,
            BiConsumer<ConnectAttempt, Message> messageHandler)
            throws IOException {
        this.config = config;
        this.messageHandler = messageHandler;
        this.address = config.address().get();
        MessageChannel messages = MessageChannel.caller(
                channel,
                config.handshake().security(),
                "the master of " + config.hello().name(),
                config.timers());
        this.connection = new MessageConnection(messages, config.timers(), network, config.settings());
        this.peer = new RpcPeer(connection);
    }

    /** Dials on a thread of the executor. {@link #outcome()} completes with the result. */
    void open(Executor network) {
        network.execute(() -> connection.run(this::greet, this));
    }

    private boolean greet() throws IOException {
        MessageChannel channel = connection.wire();
        try {
            channel.connect(address, TimeBound.connect(config.settings()));
            channel.greet(
                    config.handshake(),
                    Greeting.Purpose.master(config.run()),
                    config.hello().texts(),
                    TimeBound.greeting(config.settings()));
        } catch (UnauthenticatedException e) {
            outcome.complete(new Outcome.Unreachable("the master at " + address + " " + e.getMessage(), true));
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new IOException(address + ": " + ExceptionText.of(e), e);
        }
        connection.markAuthenticated();
        return true;
    }

    RpcPeer rpcPeer() {
        return peer;
    }

    /** Returns a future that completes with the attempt's outcome. */
    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** Returns a future that completes, with the reason, once the connection has ended. */
    CompletableFuture<String> ended() {
        return ended;
    }

    BulkTransferClient bulk(Welcome welcome) {
        BulkTransferClient client = new BulkTransferClient(
                address,
                config.handshake(),
                Greeting.Purpose.content(config.run(), welcome.session()),
                config.timers(),
                config.settings());
        bulk = client;
        if (ended.isDone()) {
            client.end();
        }
        return client;
    }

    @Override
    public void received(Message message) {
        if (message.kind() == Message.Kind.DONE || message.kind() == Message.Kind.FAILED) {
            peer.answered(message);
        } else if (outcome.isDone()) {
            messageHandler.accept(this, message);
        } else {
            decide(message);
        }
        connection.messageHandled();
    }

    @Override
    public void ended(boolean orderly, String reason) {
        if (connection.wire().isRefused()) {
            outcome.complete(
                    new Outcome.Refused("the master at " + address + " refuses " + config.hello() + ": " + reason));
        }
        disconnect(reason);
    }

    /** Handles the master's decision about this caller. */
    private void decide(Message message) {
        switch (message.name()) {
            case MessageNames.WELCOME ->
                outcome.complete(new Outcome.Welcomed(MessageJson.value(message.body(), Welcome.class)));
            case MessageNames.FINISHED -> {
                outcome.complete(new Outcome.Finished());
                disconnect("closed by this end");
            }
            default -> throw new IllegalArgumentException("\"" + message.name() + "\" is not expected");
        }
    }

    private void disconnect(String reason) {
        outcome.complete(new Outcome.Unreachable(reason, false));
        peer.closed(reason);
        ended.complete(reason);
        BulkTransferClient beside = bulk;
        if (beside != null) {
            beside.end();
        }
    }

    boolean isOpen() {
        return !peer.isClosed();
    }

    /** Ends the connection in an orderly way. */
    @Override
    public void close() {
        disconnect("closed by this end");
    }

    /** Closes the connection at once, as a network failure does. */
    void cut() {
        connection.wire().close("cut off by this end");
    }
}
