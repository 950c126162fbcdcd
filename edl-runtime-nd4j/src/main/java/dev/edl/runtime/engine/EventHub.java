package dev.edl.runtime;

import dev.edl.exec.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to listeners, one at a time and in order, on one thread of its own, so that a worker never waits for
 * a listener and a listener may call whatever it likes. A listener that is added late first gets what
 * {@link RecentEvents} holds.
 */
final class EventHub implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventHub.class.getName());
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final ExecutorService queue;
    private final Object order = new Object();
    private final RecentEvents recent = new RecentEvents();
    /** Replaced at each change, so that a delivery holds the listeners of its moment. */
    private volatile List<Listener> listeners = List.of();

    private volatile @Nullable Thread deliverer;

    /** One subscription; the same consumer may have several. */
    private static final class Listener {
        private final Consumer<TrainingEvent> consumer;
        private volatile boolean ended;

        private Listener(Consumer<TrainingEvent> consumer) {
            this.consumer = consumer;
        }
    }

    EventHub(String job, List<Consumer<TrainingEvent>> first) {
        listeners = first.stream().map(Listener::new).toList();
        queue = Idle.singleThread("edl-" + job + "-events");
    }

    /** Adds a listener, which gets the recent events first; on the calling thread when the hub is closed. */
    Subscription add(Consumer<TrainingEvent> consumer) {
        Listener listener = new Listener(consumer);
        List<TrainingEvent> missed;
        synchronized (order) {
            // Both under one lock with emit: no event is missed between the two, and none comes twice.
            missed = recent.inOrder();
            List<Listener> more = new ArrayList<>(listeners);
            more.add(listener);
            listeners = List.copyOf(more);
            if (missed.isEmpty() || enqueue(() -> missed.forEach(event -> tell(listener, event)))) {
                return () -> remove(listener);
            }
        }
        missed.forEach(event -> tell(listener, event));
        return () -> remove(listener);
    }

    private void remove(Listener listener) {
        listener.ended = true;
        synchronized (order) {
            listeners = listeners.stream().filter(each -> each != listener).toList();
        }
    }

    void emit(TrainingEvent event) {
        synchronized (order) {
            recent.add(event);
            List<Listener> now = listeners;
            if (!now.isEmpty()) {
                // Without a listener, to wake the thread takes a processor from a worker.
                enqueue(() -> now.forEach(listener -> tell(listener, event)));
            }
        }
    }

    private void tell(Listener listener, TrainingEvent event) {
        if (listener.ended) {
            return;
        }
        try {
            listener.consumer.accept(event);
        } catch (Throwable mistake) {
            // A listener's mistake, of whatever kind, is not the training's.
            remove(listener);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a training listener failed and is not called again; it failed on: " + event,
                    mistake);
        }
    }

    /** Returns whether it will be done: not once the hub is closed. */
    private boolean enqueue(Runnable delivery) {
        try {
            queue.execute(() -> {
                deliverer = Thread.currentThread();
                delivery.run();
            });
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Waits until all that was emitted before has been delivered, or the time is over. */
    void drain(Duration limit) throws InterruptedException {
        if (Thread.currentThread() == deliverer || queue.isShutdown()) {
            return;
        }
        CountDownLatch reached = new CountDownLatch(1);
        if (enqueue(reached::countDown) && !reached.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(System.Logger.Level.WARNING, "a training listener has not returned for " + limit);
        }
    }

    @Override
    public void close() {
        queue.shutdown();
        if (Thread.currentThread() == deliverer) {
            return;
        }
        try {
            if (!queue.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "a training listener has not returned for " + CLOSE);
                queue.shutdownNow();
            }
        } catch (InterruptedException e) {
            queue.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
