package dev.edl.runtime.remote.control;

import dev.edl.runtime.remote.control.internal.Args;
import dev.edl.runtime.remote.control.internal.BulkCalls;
import dev.edl.runtime.remote.control.internal.Calls;
import dev.edl.runtime.remote.control.internal.Json;
import dev.edl.runtime.remote.control.internal.Message;
import dev.edl.runtime.remote.control.internal.Methods;
import dev.edl.runtime.remote.control.internal.Talk;
import dev.edl.runtime.remote.control.internal.Welcome;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One attempt of a caller to reach the master, and its stream when it succeeds. Safe for several threads. */
final class Connection implements AutoCloseable {
    private final Caller caller;
    private final InetSocketAddress address;
    private final ManagedChannel channel;
    private final byte[] mine;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    /** Takes requests and news of the master. */
    private final BiConsumer<Connection, Message> ear;

    private @Nullable Talk talk;
    private volatile @Nullable BulkCalls bulk;

    /** What comes of an attempt. */
    sealed interface Outcome {
        /** The caller may begin. */
        record Welcomed(Welcome welcome) implements Outcome {}

        /** All is done. */
        record Finished() implements Outcome {}

        /** No repetition helps. */
        record Refused(String reason) implements Outcome {}

        /** The master is not there. */
        record Away(String reason) implements Outcome {}
    }

    Connection(
            Caller caller,
            MethodDescriptor<Message, Message> method,
            EventLoopGroup network,
            BiConsumer<Connection, Message> ear) {
        this.caller = caller;
        this.ear = ear;
        this.address = caller.address().get();
        this.mine = caller.credential().nonce();
        long keepAlive = caller.settings().keepAlive().toNanos();
        this.channel = NettyChannelBuilder.forAddress(address)
                .eventLoopGroup(network)
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .usePlaintext()
                .disableRetry()
                .maxInboundMessageSize(Methods.LARGEST)
                .keepAliveTime(keepAlive, TimeUnit.NANOSECONDS)
                .keepAliveTimeout(keepAlive, TimeUnit.NANOSECONDS)
                .build();
        ClientCall<Message, Message> call = channel.newCall(method, CallOptions.DEFAULT);
        ClientCalls.asyncBidiStreamingCall(call, new Stream());
        talk().tell(Calls.GREET, Args.of("nonce", mine));
    }

    Talk talk() {
        return Objects.requireNonNull(talk);
    }

    /** Returns what comes of the attempt, once that is known. */
    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** Returns why the stream has ended, once it has. */
    CompletableFuture<String> ended() {
        return ended;
    }

    BulkCalls bulk(Welcome welcome) {
        BulkCalls calls =
                new BulkCalls(channel, welcome.session(), caller.settings().chunk());
        bulk = calls;
        if (ended.isDone()) {
            calls.end();
        }
        return calls;
    }

    private final class Stream implements ClientResponseObserver<Message, Message> {
        @Override
        public void beforeStart(ClientCallStreamObserver<Message> out) {
            talk = new Talk("the master of " + caller.hello().name(), out);
        }

        @Override
        public void onNext(Message message) {
            try {
                if (message.kind() == Message.Kind.DONE || message.kind() == Message.Kind.FAILED) {
                    talk().answered(message);
                } else if (outcome.isDone()) {
                    ear.accept(Connection.this, message);
                } else {
                    shake(new Args.Given(message));
                }
            } catch (IllegalArgumentException unreadable) {
                away("the master has sent what cannot be read: " + unreadable.getMessage());
            }
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            Throwable cause = status.getCause();
            away(status.getDescription() + (cause == null ? "" : ": " + cause.getMessage()));
        }

        @Override
        public void onCompleted() {
            away("the master has ended the stream");
        }
    }

    private void shake(Args.Given given) {
        switch (given.call()) {
            case Calls.PROVE -> {
                byte[] theirs = given.value("nonce", byte[].class);
                byte[] proof = caller.credential().proof("master", mine, theirs);
                if (!MessageDigest.isEqual(proof, given.value("proof", byte[].class))) {
                    end(new Outcome.Refused("the master at " + address + " does not know the token of this job"));
                    return;
                }
                String side = caller.hello().role().side();
                talk().tell(
                                Calls.HELLO,
                                Args.of("proof", caller.credential().proof(side, mine, theirs))
                                        .and("hello", caller.hello()));
            }
            case Calls.WELCOME -> outcome.complete(new Outcome.Welcomed(Json.value(given.body(), Welcome.class)));
            case Calls.FINISHED -> end(new Outcome.Finished());
            case Calls.REFUSED ->
                end(new Outcome.Refused(
                        "the master at " + address + " refuses " + caller.hello() + ": " + given.text("reason")));
            default -> throw new IllegalArgumentException("\"" + given.call() + "\" is not expected");
        }
    }

    private void end(Outcome how) {
        outcome.complete(how);
        away("this end has left");
    }

    private void away(String reason) {
        outcome.complete(new Outcome.Away(reason));
        talk().complete();
        talk().closed(reason);
        ended.complete(reason);
        BulkCalls beside = bulk;
        if (beside != null) {
            beside.end();
        }
        channel.shutdown();
    }

    boolean isOpen() {
        return !talk().isClosed();
    }

    /** Ends the stream in peace. */
    @Override
    public void close() {
        away("this end has left");
    }

    /** Ends the stream as a connection that breaks does. */
    void cut() {
        channel.shutdownNow();
    }

    /** Ends the stream at once and waits for the end of the connection. */
    void end(long millis) {
        close();
        try {
            if (!channel.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                channel.shutdownNow();
            }
        } catch (InterruptedException e) {
            channel.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
