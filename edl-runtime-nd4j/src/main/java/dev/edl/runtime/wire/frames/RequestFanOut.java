package dev.edl.runtime.wire.frames;

import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.wire.bounds.TimeBound;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to several servers and reads their responses in parallel.
 *
 * <p>The calling thread writes all small requests before it reads: each fits into an empty socket buffer, as does its
 * response, so neither end waits for the other to read. Large requests could deadlock: a server that cannot send its
 * response does not read the buffer that another worker's request waits for. Therefore each server then has its own
 * thread, which reads the response regardless of the other servers.
 */
final class RequestFanOut implements AutoCloseable {
    /** Maximum size in bytes of a small request or response: a quarter of a socket's buffer. */
    static final long SMALL = 64 * 1024;

    private final String name;
    private @Nullable ExecutorService crew;

    /** Half of a call to one shard: sending the request or receiving the response. */
    @FunctionalInterface
    interface Step {
        void on(ShardClient client) throws IOException;
    }

    RequestFanOut(String name) {
        this.name = name;
    }

    /**
     * Sends and receives.
     *
     * @param small whether request and response of each client have at most {@link #SMALL} bytes
     * @param bound bound of each request and its response
     * @return the clients whose connection has failed
     */
    List<ShardClient> run(List<ShardClient> clients, boolean small, TimeBound bound, Step send, Step receive)
            throws InterruptedException {
        List<ShardCall> calls = new ArrayList<>();
        for (ShardClient client : clients) {
            calls.add(new ShardCall(client, bound, send, receive));
        }
        if (small || clients.size() == 1) {
            calls.forEach(ShardCall::send);
            calls.forEach(ShardCall::receive);
        } else {
            side(calls);
        }
        List<ShardClient> failed = new ArrayList<>();
        RuntimeException refused = null;
        for (ShardCall call : calls) {
            if (call.broken != null) {
                throw call.broken;
            }
            if (call.failure instanceof ClosedByInterruptException) {
                Thread.interrupted();
                throw new InterruptedException("interrupted while " + call.client.link() + " was called");
            }
            if (call.failure != null) {
                failed.add(call.client);
            }
            refused = refused == null ? call.refused : refused;
        }
        if (refused != null) {
            throw refused;
        }
        return failed;
    }

    /** Runs the first call on the caller's thread, and the others in parallel. */
    private void side(List<ShardCall> calls) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(calls.size() - 1);
        for (ShardCall call : calls.subList(1, calls.size())) {
            crew().execute(() -> {
                try {
                    call.send();
                    call.receive();
                } finally {
                    ended.countDown();
                }
            });
        }
        calls.get(0).send();
        calls.get(0).receive();
        try {
            if (calls.get(0).failure instanceof ClosedByInterruptException) {
                throw new InterruptedException("interrupted while shards were called");
            }
            ended.await();
        } catch (InterruptedException e) {
            // Calls in progress end with their connection; the next call sends them again.
            calls.forEach(call -> call.client.link().close());
            awaitWhatever(ended);
            Thread.interrupted();
            throw e;
        }
    }

    private static void awaitWhatever(CountDownLatch ended) {
        while (true) {
            try {
                ended.await();
                return;
            } catch (InterruptedException again) {
                // Closed connections end it soon.
            }
        }
    }

    private ExecutorService crew() {
        ExecutorService now = crew;
        if (now == null) {
            now = Executors.newCachedThreadPool(DaemonThreads.numbered(name + " calls shards "));
            crew = now;
        }
        return now;
    }

    @Override
    public void close() {
        ExecutorService now = crew;
        if (now != null) {
            now.shutdownNow();
            DaemonThreads.join(now);
        }
    }

    /** One shard's part of the fan-out. */
    private static final class ShardCall {
        private final ShardClient client;
        private final TimeBound bound;
        private final Step send;
        private final Step receive;
        private @Nullable IOException failure;
        private @Nullable RuntimeException refused;
        private @Nullable Error broken;

        ShardCall(ShardClient client, TimeBound bound, Step send, Step receive) {
            this.client = client;
            this.bound = bound;
            this.send = send;
            this.receive = receive;
        }

        void send() {
            client.link().begin(bound);
            run(send);
        }

        void receive() {
            if (failure == null && refused == null && broken == null) {
                run(receive);
                if (failure == null) {
                    client.link().rest();
                }
            }
        }

        private void run(Step step) {
            try {
                step.on(client);
            } catch (IOException e) {
                failure = e;
                client.fail(e);
            } catch (ShardRequestRejectedException e) {
                refused = e.reason();
            } catch (RuntimeException e) {
                client.link().close();
                refused = e;
            } catch (Error e) {
                // On another thread than the caller's, the error would be lost, and the call would count as completed.
                client.link().close();
                broken = e;
            }
        }
    }
}
