package dev.edl.runtime.wire.frames;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to several servers and reads their answers, with all of them under way at once.
 *
 * <p>Small requests are all written by the calling thread before it reads: each fits into an empty socket buffer, as does its answer,
 * so neither end waits for the other to read. Large ones would not: a server that cannot send its answer keeps the buffer that another
 * worker's request waits for, and two workers would wait for each other. So each server then has a thread, which reads its answer
 * whatever the other servers do.
 */
final class RequestFanOut implements AutoCloseable {
    /** A quarter of a socket's buffer. */
    static final long SMALL = 64 * 1024;

    private final String name;
    private final AtomicInteger threads = new AtomicInteger();
    private @Nullable ExecutorService crew;

    /** One half of a request at one shard. */
    @FunctionalInterface
    interface Step {
        void on(ShardClient lane) throws IOException;
    }

    RequestFanOut(String name) {
        this.name = name;
    }

    /**
     * Sends and receives.
     *
     * @param small whether request and answer of each lane have at most {@link #SMALL} bytes
     * @param ticks within which bytes have to move
     * @return the lanes whose connection has failed
     */
    List<ShardClient> run(List<ShardClient> lanes, boolean small, int ticks, Step send, Step receive)
            throws InterruptedException {
        List<ShardCall> turns = new ArrayList<>();
        for (ShardClient lane : lanes) {
            turns.add(new ShardCall(lane, ticks, send, receive));
        }
        if (small || lanes.size() == 1) {
            turns.forEach(ShardCall::send);
            turns.forEach(ShardCall::receive);
        } else {
            side(turns);
        }
        List<ShardClient> failed = new ArrayList<>();
        RuntimeException refused = null;
        for (ShardCall turn : turns) {
            if (turn.broken != null) {
                throw turn.broken;
            }
            if (turn.failure instanceof ClosedByInterruptException) {
                Thread.interrupted();
                throw new InterruptedException("interrupted while " + turn.lane.link() + " was called");
            }
            if (turn.failure != null) {
                failed.add(turn.lane);
            }
            refused = refused == null ? turn.refused : refused;
        }
        if (refused != null) {
            throw refused;
        }
        return failed;
    }

    /** The first lane is the caller's. */
    private void side(List<ShardCall> turns) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(turns.size() - 1);
        for (ShardCall turn : turns.subList(1, turns.size())) {
            crew().execute(() -> {
                try {
                    turn.send();
                    turn.receive();
                } finally {
                    ended.countDown();
                }
            });
        }
        turns.get(0).send();
        turns.get(0).receive();
        try {
            if (turns.get(0).failure instanceof ClosedByInterruptException) {
                throw new InterruptedException("interrupted while shards were called");
            }
            ended.await();
        } catch (InterruptedException e) {
            // What is under way ends with its connection, and is sent again by the next call.
            turns.forEach(turn -> turn.lane.link().close());
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
            now = Executors.newCachedThreadPool(work -> {
                Thread thread = new Thread(work, name + " calls shards " + threads.getAndIncrement());
                thread.setDaemon(true);
                return thread;
            });
            crew = now;
        }
        return now;
    }

    @Override
    public void close() {
        ExecutorService now = crew;
        if (now != null) {
            now.shutdownNow();
            ThreadShutdown.join(now);
        }
    }

    /** One lane's part. */
    private static final class ShardCall {
        private final ShardClient lane;
        private final int ticks;
        private final Step send;
        private final Step receive;
        private @Nullable IOException failure;
        private @Nullable RuntimeException refused;
        private @Nullable Error broken;

        ShardCall(ShardClient lane, int ticks, Step send, Step receive) {
            this.lane = lane;
            this.ticks = ticks;
            this.send = send;
            this.receive = receive;
        }

        void send() {
            lane.link().expect(ticks);
            run(send);
        }

        void receive() {
            if (failure == null && refused == null && broken == null) {
                run(receive);
                if (failure == null) {
                    lane.link().rest();
                }
            }
        }

        private void run(Step step) {
            try {
                step.on(lane);
            } catch (IOException e) {
                failure = e;
                lane.fail(e);
            } catch (ShardAnswerException e) {
                refused = e.reason();
            } catch (RuntimeException e) {
                lane.link().close();
                refused = e;
            } catch (Error e) {
                // On another thread than the caller's it would be lost, and the lane would be taken for one that has
                // answered.
                lane.link().close();
                broken = e;
            }
        }
    }
}
