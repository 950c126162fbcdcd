package dev.edl.runtime;

import dev.edl.exec.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to listeners, one at a time and in order, on one thread of its own, so that a worker never waits for
 * a listener and a listener may call whatever it likes.
 */
final class EventHub implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventHub.class.getName());
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final ExecutorService queue;
    private final List<Consumer<TrainingEvent>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread deliverer;

    EventHub(String job, List<Consumer<TrainingEvent>> first) {
        listeners.addAll(first);
        queue = Idle.singleThread("edl-" + job + "-events");
    }

    Subscription add(Consumer<TrainingEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Whether somebody hears what is emitted now. */
    boolean heard() {
        return !listeners.isEmpty();
    }

    void emit(TrainingEvent event) {
        if (!heard()) {
            // To wake the thread for nothing takes a processor from a worker.
            return;
        }
        enqueue(() -> listeners.forEach(listener -> tell(listener, event)));
    }

    private void tell(Consumer<TrainingEvent> listener, TrainingEvent event) {
        try {
            listener.accept(event);
        } catch (Throwable mistake) {
            // A listener's mistake, of whatever kind, is not the training's.
            listeners.remove(listener);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a training listener failed and is not called again; it failed on: " + event,
                    mistake);
        }
    }

    private void enqueue(Runnable delivery) {
        try {
            queue.execute(() -> {
                deliverer = Thread.currentThread();
                delivery.run();
            });
        } catch (RejectedExecutionException closed) {
            // The run is closed: nobody listens any more.
            return;
        }
    }

    /** Waits until all that was emitted before has been delivered, or the time is over. */
    void drain(Duration limit) throws InterruptedException {
        if (Thread.currentThread() == deliverer || queue.isShutdown()) {
            return;
        }
        CountDownLatch reached = new CountDownLatch(1);
        enqueue(reached::countDown);
        if (!reached.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
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
