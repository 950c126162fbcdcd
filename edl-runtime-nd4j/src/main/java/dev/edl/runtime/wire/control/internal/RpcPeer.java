package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.internal.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sends requests, responses and notifications over one end of a message connection. Safe for several threads. */
public final class RpcPeer {
    private static final System.Logger LOG = System.getLogger(RpcPeer.class.getName());

    private final MessageConnection connection;
    private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong told = new AtomicLong();
    private @Nullable String closed;

    /** Thrown when the connection has ended, so that a request has no response. */
    public static final class PeerClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public PeerClosedException(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Creates the RPC layer of a message connection. */
    public RpcPeer(MessageConnection connection) {
        this.connection = connection;
    }

    /**
     * Sends a request, and waits for the response.
     *
     * @param bound the longest wait; the connection ends when it expires
     * @throws PeerClosedException when the connection ends first
     * @throws RemoteFailure.Answered when the peer responds with a failure
     */
    public JsonNode request(String call, Object body, Duration bound) throws InterruptedException {
        return await(call, requestAsync(call, body), bound);
    }

    /** Sends a request without waiting; {@link #await} returns the response. */
    public CompletableFuture<JsonNode> requestAsync(String call, Object body) {
        long id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        boolean sent = false;
        try {
            sent = send(Message.ask(id, call, body));
        } finally {
            if (!sent) {
                asked.remove(id);
                answer.completeExceptionally(new PeerClosedException(reason()));
            }
        }
        return answer;
    }

    /** Waits for a response as {@link #request} does. */
    public JsonNode await(String call, CompletableFuture<JsonNode> answer, Duration bound) throws InterruptedException {
        try {
            return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            String reason = connection.wire() + " has not answered \"" + call + "\" within " + DurationText.of(bound)
                    + ", the bound connections.answer";
            LOG.log(System.Logger.Level.WARNING, reason);
            end(reason);
            throw new PeerClosedException(reason);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(call, e.getCause());
        }
    }

    /** Sends a notification. Returns whether the connection was open. */
    public boolean sendNotification(String call, Object body) {
        told.incrementAndGet();
        return send(Message.tell(call, body));
    }

    public void respond(long id, @Nullable Object body) {
        send(Message.done(id, body));
    }

    public void respondFailure(long id, Throwable cause) {
        send(Message.failed(id, RemoteFailure.of(cause)));
    }

    /** Completes the request that a response belongs to. Drops the response if no request waits for it. */
    public void answered(Message message) {
        CompletableFuture<JsonNode> answer = asked.remove(message.id());
        if (answer == null) {
            return;
        }
        if (message.kind() == Message.Kind.DONE) {
            answer.complete(message.body());
            return;
        }
        try {
            answer.completeExceptionally(
                    new RemoteFailure.Answered(MessageJson.value(message.body(), RemoteFailure.class)));
        } catch (IllegalArgumentException unreadable) {
            answer.completeExceptionally(unreadable);
        }
    }

    /** Returns whether a message sent now is written soon; if not, the caller should batch its notifications. */
    public boolean isReady() {
        return connection.isReady();
    }

    private boolean send(Message message) {
        byte[] bytes = MessageJson.bytes(message);
        if (bytes.length > MessageConnection.LARGEST) {
            throw new IllegalArgumentException(
                    message + " has " + bytes.length + " bytes; a message has at most " + MessageConnection.LARGEST);
        }
        return connection.send(bytes);
    }

    /** Marks the connection as closed: no message is sent any more, and pending requests fail. */
    public void closed(String reason) {
        synchronized (this) {
            if (closed == null) {
                closed = reason;
            }
        }
        connection.end(null);
        List<CompletableFuture<JsonNode>> waiting = new ArrayList<>(asked.values());
        asked.clear();
        waiting.forEach(answer -> answer.completeExceptionally(new PeerClosedException(reason)));
    }

    /** Ends the connection with an error, which is sent to the peer. */
    public void end(String reason) {
        connection.end(reason);
        closed(reason);
    }

    /** Ends the connection in an orderly way. */
    public void complete() {
        closed("closed by this end");
    }

    public boolean isClosed() {
        return connection.isEnded();
    }

    private String reason() {
        synchronized (this) {
            return closed == null ? connection.wire() + " has ended the stream" : closed;
        }
    }

    /** Returns the number of requests that this end has sent. */
    public long requests() {
        return ids.get();
    }

    /** Returns the number of notifications that this end has sent. */
    public long news() {
        return told.get();
    }

    /** Returns the text for people: the peer's name. */
    @Override
    public String toString() {
        return connection.wire().toString();
    }
}
