package dev.edl.runtime.remote.control;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.remote.control.internal.Args;
import dev.edl.runtime.remote.control.internal.ChunkInput;
import dev.edl.runtime.remote.control.internal.ChunkOutput;
import dev.edl.runtime.remote.control.internal.Failure;
import dev.edl.runtime.remote.control.internal.Message;
import dev.edl.runtime.remote.control.internal.Methods;
import dev.edl.runtime.remote.control.internal.Threads;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The address at which workers and servers reach the master of this process. It outlives a master: streams wait at it until one
 * leads. Safe for several threads.
 *
 * <pre>{@code
 * MasterListener listener = MasterListener.open(address, side);
 * listener.registers(lead, registration);      // servers get their orders, and their shards are attached
 * listener.serves(lead, worker -> port, Set.of());       // workers get tasks
 * listener.finish();                           // callers that come now have nothing to do
 * listener.retire();                           // every open stream hears that the master has left
 * listener.close();
 * }</pre>
 */
public final class MasterListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MasterListener.class.getName());

    private final MasterSide side;
    private final Desks desks;
    private final ExecutorService bulk;
    private final EventLoopGroup network;
    private final Server server;

    private MasterListener(InetSocketAddress address, MasterSide side) throws IOException {
        this.side = side;
        this.desks = new Desks(side);
        this.bulk = Threads.pool(side.name() + "-bulk", side.settings().threads());
        this.network = Threads.network(side.name());
        ControlSettings settings = side.settings();
        // Handlers wait for nothing, so the network's thread may call them.
        this.server = NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(network)
                .workerEventLoopGroup(network)
                .channelType(NioServerSocketChannel.class)
                .directExecutor()
                .maxInboundMessageSize(Methods.LARGEST)
                .keepAliveTime(settings.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(settings.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveTime(settings.keepAlive().toNanos() / 2, TimeUnit.NANOSECONDS)
                .addService(ServerServiceDefinition.builder(Methods.SERVICE)
                        .addMethod(Methods.WORK, stream(Hello.Role.WORKER))
                        .addMethod(Methods.SERVE, stream(Hello.Role.SERVER))
                        .addMethod(Methods.MODEL, ServerCalls.asyncServerStreamingCall(this::download))
                        .addMethod(Methods.SAVED, ServerCalls.asyncServerStreamingCall(this::download))
                        .addMethod(Methods.UPLOAD, ServerCalls.asyncClientStreamingCall(this::upload))
                        .build())
                .build();
        try {
            server.start();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Listens on one address.
     *
     * @throws IOException when the address is taken or not this machine's
     */
    public static MasterListener open(InetSocketAddress address, MasterSide side) throws IOException {
        return new MasterListener(address, side);
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** Lets servers register with a master from now on. */
    public void registers(Leadership lead, RegistrationPort master) {
        desks.registers(lead, master);
    }

    /**
     * Lets workers work with a master from now on.
     *
     * @param masters gives the worker of a name its end of the master
     * @param holders workers that hold tasks of an earlier master: one that does not come within the grace is gone
     */
    public void serves(Leadership lead, Function<String, MasterPort> masters, Set<String> holders) {
        desks.serves(lead, masters, holders);
    }

    /** Ends the streams of the master that has led; no watch hears of it. Streams that come wait for the next master. */
    public void retire() {
        desks.retire();
    }

    /** Tells callers that come from now on that all is done. Open streams stay. */
    public void finish() {
        desks.finish();
    }

    /** Tells the watch that a worker has ended, which another one has seen. */
    public void gone(String worker) {
        desks.gone(worker);
    }

    /** Returns the number of streams that work with the master. */
    public int streams() {
        return desks.open();
    }

    private ServerCallHandler<Message, Message> stream(Hello.Role role) {
        return ServerCalls.asyncBidiStreamingCall(out -> {
            Visitor visitor = new Visitor(desks, side.credential(), role, (ServerCallStreamObserver<Message>) out);
            desks.greets(visitor);
            return visitor;
        });
    }

    private void download(Message request, StreamObserver<byte[]> observer) {
        ServerCallStreamObserver<byte[]> out = (ServerCallStreamObserver<byte[]>) observer;
        Optional<Desk> desk = desk(request);
        if (desk.isEmpty()) {
            out.onError(unknown());
            return;
        }
        ChunkOutput chunks =
                new ChunkOutput(out, request.name(), side.settings().chunk());
        out.setOnCancelHandler(chunks::end);
        bulk(out, () -> {
            desk.get().download(request, chunks);
            chunks.close();
        });
    }

    private Optional<Desk> desk(Message request) {
        Args.Given given = new Args.Given(request);
        return given.has("session") ? desks.session(given.text("session")) : Optional.empty();
    }

    private static RuntimeException unknown() {
        return Status.PERMISSION_DENIED
                .withDescription("no open stream has this session")
                .asRuntimeException();
    }

    /** Something that may wait, for a call that ends with an error when it fails. */
    @FunctionalInterface
    private interface Waiting {
        void run() throws IOException, InterruptedException;
    }

    private void bulk(StreamObserver<?> call, Waiting work) {
        try {
            bulk.execute(() -> {
                try {
                    work.run();
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                } catch (IOException | RuntimeException failure) {
                    LOG.log(System.Logger.Level.DEBUG, "a call beside a stream has failed", failure);
                    end(call, failure);
                }
            });
        } catch (RejectedExecutionException closing) {
            end(call, closing);
        }
    }

    private static void end(StreamObserver<?> call, Exception failure) {
        try {
            call.onError(Status.ABORTED
                    .withDescription(Failure.of(failure).message())
                    .asRuntimeException());
        } catch (IllegalStateException ended) {
            LOG.log(System.Logger.Level.DEBUG, "the caller has left", ended);
        }
    }

    private StreamObserver<byte[]> upload(StreamObserver<Message> observer) {
        ServerCallStreamObserver<Message> out = (ServerCallStreamObserver<Message>) observer;
        out.disableAutoRequest();
        out.request(1);
        return new Upload(out);
    }

    /** Takes bytes; no thread waits for those of a stranger. */
    private final class Upload implements StreamObserver<byte[]> {
        private final ServerCallStreamObserver<Message> out;
        private @Nullable ChunkInput content;

        private Upload(ServerCallStreamObserver<Message> out) {
            this.out = out;
            out.setOnCancelHandler(() -> fail("the sender has left"));
        }

        @Override
        public void onNext(byte[] chunk) {
            ChunkInput open = content;
            if (open != null) {
                open.received(chunk);
                return;
            }
            Message head = ChunkInput.head(chunk);
            Optional<Desk> desk = desk(head);
            if (desk.isEmpty()) {
                out.onError(unknown());
                return;
            }
            ChunkInput begun = new ChunkInput(head.name(), side.settings().chunk(), out::request);
            content = begun;
            bulk(out, () -> {
                Message answer;
                try {
                    answer = Message.done(0, desk.get().upload(head, begun));
                } catch (RuntimeException failure) {
                    answer = Message.failed(0, Failure.of(failure));
                }
                out.onNext(answer);
                out.onCompleted();
            });
        }

        private void fail(String reason) {
            ChunkInput open = content;
            if (open != null) {
                open.failed(reason);
            }
        }

        @Override
        public void onError(Throwable ended) {
            fail("the sender has left");
        }

        @Override
        public void onCompleted() {
            ChunkInput open = content;
            if (open != null) {
                open.completed();
            } else {
                out.onError(unknown());
            }
        }
    }

    /** Ends all streams and threads. */
    @Override
    public void close() {
        desks.close();
        bulk.shutdownNow();
        server.shutdown();
        try {
            // Callers that are there hear at once that the master has left.
            if (!server.awaitTermination(side.settings().close().toNanos() / 2, TimeUnit.NANOSECONDS)) {
                server.shutdownNow();
                server.awaitTermination(side.settings().close().toNanos() / 2, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        Threads.end(network, side.settings().close().toMillis());
    }

    /** Returns the text for people, for example {@code mnist-master-0 on port 50001}. */
    @Override
    public String toString() {
        return side.name() + " on port " + port();
    }
}
