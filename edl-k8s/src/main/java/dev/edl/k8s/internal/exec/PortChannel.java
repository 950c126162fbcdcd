package dev.edl.k8s.internal.exec;

import dev.edl.exec.Subscription;
import dev.edl.k8s.internal.pods.MainContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connection to one port of one pod by the API server's port-forward, protocol {@code v4.channel.k8s.io}.
 *
 * <p>Each message begins with the number of a stream, 0 for data and 1 for errors; the first message of each stream has
 * the port. It supports one reading and one writing thread at a time, and has no own thread.
 *
 * <p>fabric8's own forwarder sends the next message while one is in flight. The JDK's web socket refuses that, and the
 * message is lost. This class sends messages one after another.
 */
public final class PortChannel implements ByteChannel {
    /** Longest wait in seconds for the connection to open. */
    private static final long CONNECT_SECONDS = 10;

    /** Longest wait in seconds until a message is sent. */
    private static final long SEND_SECONDS = 60;

    private static final long LOOK_NANOS = 200_000;
    private static final int MESSAGE = 32 * 1024;
    /** Number of unread bytes above which the channel requests no more messages. */
    private static final int MOST_WAITING = 256 * 1024;

    private static final int NORMAL_CLOSURE = 1000;

    private final String peer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ReentrantLock writing = new ReentrantLock();
    private final Queue<ByteBuffer> received = new ArrayDeque<>();
    private int waiting;
    private boolean held;
    private int headers;
    private boolean ended;
    private @Nullable IOException failure;
    private OptionalLong deadline = OptionalLong.empty();
    private long silence = Long.MAX_VALUE;
    private volatile boolean closed;
    private volatile @Nullable WebSocket socket;
    private Subscription pods = () -> {};

    /** Creates a channel whose web socket is not open yet. */
    PortChannel(String peer) {
        this.peer = peer;
    }

    /**
     * Connects to a port of a pod.
     *
     * @param pods returns the known pod of a name
     * @param changes subscribes a callback that runs whenever a pod may have changed
     * @param name full name of the pod
     * @throws IOException when the pod does not run, or the API server refuses or does not answer
     * @throws IllegalArgumentException for an invalid port
     */
    public static PortChannel open(
            KubernetesClient client,
            Function<String, Optional<Pod>> pods,
            Function<Runnable, Subscription> changes,
            String name,
            int port)
            throws IOException, InterruptedException {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be from 1 to 65535, was " + port + "; for example 50001");
        }
        PortChannel channel = new PortChannel(name + ":" + port);
        Pod pod = pods.apply(name).orElseThrow(() -> channel.lost("the pod is gone"));
        String uid = pod.getMetadata().getUid();
        String container = MainContainer.name(pod);
        Optional<UnreachableContainer> before = UnreachableContainer.stops(pod, uid, container);
        if (before.isPresent()) {
            throw channel.lost(before.get().describe());
        }
        channel.connect(client, pod, port);
        // The connection does not show when its node is gone.
        channel.follow(changes.apply(
                () -> UnreachableContainer.stops(pods.apply(name).orElse(null), uid, container)
                        .ifPresent(stop -> channel.fail(channel.lost(stop.describe())))));
        return channel;
    }

    private void connect(KubernetesClient client, Pod pod, int port) throws IOException, InterruptedException {
        String path = "api/v1/namespaces/" + pod.getMetadata().getNamespace() + "/pods/"
                + pod.getMetadata().getName() + "/portforward?ports=" + port;
        var connecting = client.getHttpClient()
                .newWebSocketBuilder()
                .uri(URI.create(client.getMasterUrl() + path))
                .connectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
                .subprotocol("v4.channel.k8s.io")
                .buildAsync(receiver());
        try {
            awaitOpen(connecting);
        } catch (ExecutionException e) {
            throw refused(client, pod, e.getCause() == null ? e : e.getCause());
        }
    }

    /** Waits for the web socket. Closes a web socket that opens after the wait. */
    void awaitOpen(CompletableFuture<WebSocket> connecting)
            throws IOException, InterruptedException, ExecutionException {
        try {
            socket = connecting.get(CONNECT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw lost("the API server does not answer within " + CONNECT_SECONDS + " s");
        } finally {
            if (socket == null) {
                var unused = connecting.thenAccept(PortChannel::end);
            }
        }
    }

    private static void end(WebSocket open) {
        open.sendClose(NORMAL_CLOSURE, "closed");
        // Data that arrives before the peer closes is discarded.
        open.request();
    }

    /** Returns the listener of the web socket. */
    WebSocket.Listener receiver() {
        return new Receiver();
    }

    private IOException refused(KubernetesClient client, Pod pod, Throwable why) {
        IOException refused = lost(WebSocketFailure.describe(client, pod, "pods/portforward", why));
        refused.initCause(why);
        return refused;
    }

    private IOException lost(String why) {
        return new IOException("cannot connect to " + peer + ": " + why);
    }

    private void follow(Subscription subscription) {
        lock.lock();
        try {
            pods = subscription;
        } finally {
            lock.unlock();
        }
        if (closed) {
            subscription.close();
        }
    }

    /** Bounds reads: after this moment of {@link System#nanoTime}, a read without data fails. */
    public void until(long moment) {
        lock.lock();
        try {
            deadline = OptionalLong.of(moment);
        } finally {
            lock.unlock();
        }
    }

    /** Bounds the wait of each read, because the peer gives signs of life. */
    public void silence(Duration longest) {
        lock.lock();
        try {
            silence = TimeUnit.NANOSECONDS.convert(longest);
        } finally {
            lock.unlock();
        }
    }

    private void fail(IOException why) {
        lock.lock();
        try {
            if (failure == null && !ended) {
                failure = why;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        boolean more = false;
        int count = 0;
        lock.lock();
        try {
            long begin = System.nanoTime();
            while (received.isEmpty() && !ended && failure == null && !closed) {
                long now = System.nanoTime();
                long left = deadline.isEmpty() ? Long.MAX_VALUE : deadline.getAsLong() - now;
                left = Math.min(left, silence - (now - begin));
                if (changed.awaitNanos(left) <= 0) {
                    throw new IOException("reading from " + peer + ": no data within the time limit");
                }
            }
            if (closed) {
                throw new AsynchronousCloseException();
            }
            ByteBuffer next = received.peek();
            if (next == null) {
                IOException why = failure;
                if (why != null) {
                    throw new IOException(why.getMessage(), why);
                }
                return -1;
            }
            while (next != null && into.hasRemaining()) {
                int part = Math.min(next.remaining(), into.remaining());
                into.put(into.position(), next, next.position(), part);
                into.position(into.position() + part);
                next.position(next.position() + part);
                count += part;
                if (!next.hasRemaining()) {
                    received.remove();
                    next = received.peek();
                }
            }
            waiting -= count;
            if (held && waiting < MOST_WAITING) {
                held = false;
                more = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new IOException("reading from " + peer + " was interrupted", e);
        } finally {
            lock.unlock();
        }
        WebSocket from = socket;
        if (more && from != null) {
            from.request();
        }
        return count;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        writing.lock();
        try {
            int before = bytes.remaining();
            while (bytes.hasRemaining()) {
                ByteBuffer message = ByteBuffer.allocate(1 + Math.min(MESSAGE, bytes.remaining()));
                message.put((byte) 0);
                int part = message.remaining();
                message.put(bytes.slice(bytes.position(), part)).flip();
                send(message);
                bytes.position(bytes.position() + part);
            }
            return before;
        } finally {
            writing.unlock();
        }
    }

    /** Sends a message after the previous one; a web socket refuses overlapping sends. */
    private void send(ByteBuffer message) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SEND_SECONDS);
        WebSocket to = socket;
        while (true) {
            check();
            if (to != null && to.queueSize() == 0 && to.send(message.duplicate())) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException("writing to " + peer + ": no data was accepted within " + SEND_SECONDS + " s");
            }
            LockSupport.parkNanos(LOOK_NANOS);
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                close();
                throw new IOException("writing to " + peer + " was interrupted");
            }
        }
    }

    private void check() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            IOException why = failure;
            if (why != null) {
                throw new IOException(why.getMessage(), why);
            }
            if (ended) {
                throw new IOException("writing to " + peer + ": the connection is closed");
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** Closes the connection. A read or write that another thread has begun ends. */
    @Override
    public void close() {
        Subscription following;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            following = pods;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        following.close();
        WebSocket open = socket;
        if (open != null) {
            end(open);
        }
    }

    /** Listener that receives the API server's messages. */
    private final class Receiver implements WebSocket.Listener {
        @Override
        public void onMessage(WebSocket from, String text) {
            onMessage(from, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void onMessage(WebSocket from, ByteBuffer message) {
            boolean more = true;
            lock.lock();
            try {
                if (headers < 2) {
                    headers++;
                } else if (message.hasRemaining() && message.get() == 0) {
                    if (message.hasRemaining() && !closed) {
                        ByteBuffer kept = ByteBuffer.allocate(message.remaining())
                                .put(message)
                                .flip();
                        received.add(kept);
                        waiting += kept.remaining();
                    }
                    held = waiting >= MOST_WAITING;
                    more = !held;
                } else {
                    fail(lost(StandardCharsets.UTF_8.decode(message).toString().strip()));
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            if (more) {
                from.request();
            }
        }

        @Override
        public void onClose(WebSocket from, int code, String reason) {
            lock.lock();
            try {
                if (failure == null) {
                    if (code == NORMAL_CLOSURE || closed) {
                        ended = true;
                    } else {
                        failure = lost("the connection was closed with code " + code
                                + (reason.isBlank() ? "" : ", " + reason));
                    }
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onError(WebSocket from, Throwable why) {
            fail(lost(String.valueOf(why.getMessage())));
        }
    }
}
