package dev.edl.runtime.wire.control;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.Welcome;
import dev.edl.runtime.wire.frames.Bound;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLException;
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
    private final byte[] mine;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    /** Receives requests and notifications of the master. */
    private final BiConsumer<ConnectAttempt, Message> ear;

    private volatile @Nullable BulkTransferClient bulk;
    /** Whether the other end has proved that it has the job's token; used by the thread that reads. */
    private volatile boolean proved;
    /** Cancels the bound of the authentication. */
    private volatile Runnable greeted = () -> {};
    /** Certificates of both ends; used by the thread that reads. */
    private ChannelBinding binding = ChannelBinding.PLAIN;

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
         * @param stranger whether another program answered at the master's address
         */
        record Away(String reason, boolean stranger) implements Outcome {}
    }

    /**
     * Makes an attempt that has not dialed yet.
     *
     * @throws IOException when the socket cannot be used
     */
    ConnectAttempt(
            CallerConfig config, SocketChannel channel, Executor network, BiConsumer<ConnectAttempt, Message> ear)
            throws IOException {
        this.config = config;
        this.ear = ear;
        this.address = config.address().get();
        this.mine = config.credential().nonce();
        ConnectionSettings settings = config.settings();
        MessageChannel messages = MessageChannel.caller(
                channel, config.credential().security(), "the master of " + config.hello().name(), config.timers());
        this.connection = new MessageConnection(messages, config.timers(), network, settings);
        this.peer = new RpcPeer(connection);
    }

    /** Dials on a thread of the executor. {@link #outcome()} completes with the result. */
    void open(Executor network) {
        network.execute(() -> connection.run(this::greet, this));
    }

    private @Nullable Message greet() throws IOException {
        try {
            connection.wire().connect(address, Bound.connect(config.settings()));
            Bound greeting = Bound.greeting(config.settings());
            greeted = config.timers().schedule(greeting.time(), () -> late(greeting));
            binding = connection.wire().binding(greeting);
        } catch (SSLException mismatch) {
            outcome.complete(stranger("cannot be greeted: " + mismatch.getMessage()));
            throw mismatch;
        } catch (IOException | RuntimeException e) {
            throw new IOException(address + ": " + ExceptionText.of(e), e);
        }
        peer.sendNotification(MessageNames.GREET, Map.of("nonce", mine));
        return connection.read();
    }

    private void late(Bound bound) {
        if (!proved) {
            String what = "did not authenticate within " + bound;
            outcome.complete(stranger(what));
            connection.wire().close("the master " + what);
        }
    }

    RpcPeer talk() {
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
        BulkGreeting greeting = new BulkGreeting(config.credential(), welcome.session());
        ConnectionSettings settings = config.settings();
        BulkTransferClient client = new BulkTransferClient(
                address,
                config.credential().security(),
                config.timers(),
                transfer -> greeting.call(transfer, Bound.greeting(settings)),
                settings);
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
            ear.accept(this, message);
        } else {
            shake(message);
        }
        connection.messageHandled();
    }

    @Override
    public void ended(boolean inPeace, String reason) {
        greeted.run();
        if (connection.wire().isRefused()) {
            outcome.complete(refused(reason));
        } else if (!proved && connection.wire().isExplained()) {
            outcome.complete(stranger("ended the connection before it authenticated: " + reason));
        }
        away(reason);
    }

    private void shake(Message message) {
        if (!proved) {
            prove(message);
            return;
        }
        switch (message.name()) {
            case MessageNames.WELCOME ->
                outcome.complete(new Outcome.Welcomed(MessageJson.value(message.body(), Welcome.class)));
            case MessageNames.FINISHED -> end(new Outcome.Finished());
            case MessageNames.REFUSED -> end(refused(message.value("reason", String.class)));
            default -> throw new IllegalArgumentException("\"" + message.name() + "\" is not expected");
        }
    }

    /** Checks the master's proof. Any other message may come from a stranger at that address, so it ends nothing. */
    private void prove(Message message) {
        if (message.name().equals(MessageNames.REFUSED)) {
            end(refused(message.value("reason", String.class)));
            return;
        }
        if (!message.name().equals(MessageNames.PROVE)) {
            end(stranger("sent \"" + message.name() + "\" before it authenticated"));
            return;
        }
        byte[] theirs = message.value("nonce", byte[].class);
        byte[] proof = config.credential().proof("master", binding, mine, theirs);
        if (!MessageDigest.isEqual(proof, message.value("proof", byte[].class))) {
            end(stranger("failed to authenticate with this job's token"));
            return;
        }
        proved = true;
        greeted.run();
        connection.markAuthenticated();
        String side = config.hello().role().side();
        peer.sendNotification(
                MessageNames.HELLO,
                Map.of(
                        "proof",
                        config.credential().proof(side, binding, mine, theirs),
                        "hello",
                        config.hello(),
                        "ports",
                        RemotePorts.SIGNATURE));
    }

    private Outcome refused(String reason) {
        return proved
                ? new Outcome.Refused("the master at " + address + " refuses " + config.hello() + ": " + reason)
                : stranger("refused " + config.hello() + " before it authenticated: " + reason);
    }

    private Outcome stranger(String what) {
        return new Outcome.Away("the master at " + address + " " + what, true);
    }

    private void end(Outcome how) {
        outcome.complete(how);
        away("closed by this end");
    }

    private void away(String reason) {
        outcome.complete(new Outcome.Away(reason, false));
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
        away("closed by this end");
    }

    /** Closes the connection at once, as a network failure does. */
    void cut() {
        connection.wire().close("cut off by this end");
    }
}
