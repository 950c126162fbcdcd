package dev.edl.runtime.remote.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A caller's calls beside its stream, which move many bytes. */
public final class BulkCalls {
    private final Channel channel;
    private final String session;
    private final Duration bound;
    private final Set<ClientCall<?, ?>> active = new HashSet<>();
    private boolean ended;

    /** Writes the content of an upload. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream to) throws IOException;
    }

    /**
     * Reads the content of a download.
     *
     * @param <T> what it is read to
     */
    @FunctionalInterface
    public interface Reader<T> {
        T read(JsonNode head, InputStream from) throws IOException;
    }

    public BulkCalls(Channel channel, String session, Duration bound) {
        this.channel = channel;
        this.session = session;
        this.bound = bound;
    }

    private <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method) {
        ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
        synchronized (active) {
            active.add(call);
        }
        return call;
    }

    private void over(ClientCall<?, ?> call) {
        synchronized (active) {
            active.remove(call);
        }
    }

    /** Whether the stream has ended, so that a call that has begun just now ends as well. */
    private boolean isEnded() {
        synchronized (active) {
            return ended;
        }
    }

    /** The stream has ended: the calls beside it end, too. */
    public void end() {
        List<ClientCall<?, ?>> all;
        synchronized (active) {
            ended = true;
            all = List.copyOf(active);
        }
        all.forEach(call -> call.cancel("the stream has ended", null));
    }

    /**
     * Reads what the master sends.
     *
     * @throws Failure.Answered when the master has it not
     * @throws IOException when it does not come whole
     */
    public <T> T download(MethodDescriptor<Message, byte[]> method, Args args, Reader<T> reader) throws IOException {
        ClientCall<Message, byte[]> call = call(method);
        ChunkInput in = new ChunkInput(method.getBareMethodName() + " of the master", bound, call::request);
        ClientCalls.asyncServerStreamingCall(
                call,
                Message.ask(0, Objects.requireNonNull(method.getBareMethodName()), args.and("session", session)),
                new Download(in));
        try {
            if (isEnded()) {
                throw new IOException("the stream has ended");
            }
            Message head = in.head();
            if (head.kind() == Message.Kind.FAILED) {
                throw new Failure.Answered(Json.value(head.body(), Failure.class));
            }
            return reader.read(head.body(), in);
        } finally {
            // Without effect on a call that has ended.
            call.cancel("read", null);
            over(call);
        }
    }

    private static final class Download implements ClientResponseObserver<Message, byte[]> {
        private final ChunkInput in;

        private Download(ChunkInput in) {
            this.in = in;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<Message> call) {
            call.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(byte[] chunk) {
            in.received(chunk);
        }

        @Override
        public void onError(Throwable failure) {
            in.failed(String.valueOf(Status.fromThrowable(failure).getDescription()));
        }

        @Override
        public void onCompleted() {
            in.completed();
        }
    }

    /**
     * Sends bytes to the master, and waits for its answer.
     *
     * @param wait the longest wait for the answer behind the last byte
     * @throws Failure.Answered when the master could not take them
     * @throws IOException when they do not arrive whole
     */
    public void upload(String name, Args args, Writer content, Duration wait) throws IOException, InterruptedException {
        Upload upload = new Upload(name, bound);
        ClientCall<byte[], Message> call = call(Methods.UPLOAD);
        ClientCalls.asyncClientStreamingCall(call, upload);
        Message answer;
        try {
            send(upload, Message.ask(0, name, args.and("session", session)), content);
            answer = upload.answer(wait);
        } finally {
            // Without effect on a call that has ended.
            call.cancel("given up", null);
            over(call);
        }
        if (answer.kind() == Message.Kind.FAILED) {
            throw new Failure.Answered(Json.value(answer.body(), Failure.class));
        }
    }

    private void send(Upload upload, Message head, Writer content) throws IOException {
        if (isEnded()) {
            throw new IOException("the stream has ended");
        }
        ChunkOutput out = upload.out();
        try {
            out.head(head);
            content.write(out);
            out.close();
        } catch (IOException refused) {
            // The master may answer before it has read all.
            if (!upload.answer.isDone()) {
                throw refused;
            }
        }
    }

    private static final class Upload implements ClientResponseObserver<byte[], Message> {
        private final String name;
        private final Duration bound;
        private final CompletableFuture<Message> answer = new CompletableFuture<>();
        private @Nullable ChunkOutput out;

        private Upload(String name, Duration bound) {
            this.name = name;
            this.bound = bound;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<byte[]> call) {
            out = new ChunkOutput(call, name, bound);
        }

        ChunkOutput out() {
            return Objects.requireNonNull(out);
        }

        @Override
        public void onNext(Message message) {
            answer.complete(message);
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
            out().end();
        }

        @Override
        public void onCompleted() {
            answer.completeExceptionally(new IOException(name + ": the master has not answered"));
            out().end();
        }

        Message answer(Duration wait) throws IOException, InterruptedException {
            try {
                return answer.get(wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException failure) {
                throw new IOException(name + ": the master has not answered", failure);
            }
        }
    }
}
