package dev.edl.runtime;

import dev.edl.exec.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Delivers events to listeners, one at a time and in order, on one thread of its own, so that a worker never waits for
 * a listener and a listener may call whatever it likes.
 */
final class EventHub implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventHub.class.getName());
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final Runnable END = () -> {};

    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final List<Consumer<TrainingEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;

    EventHub(String job) {
        thread = new Thread(this::deliver, "edl-" + job + "-events");
        thread.setDaemon(true);
        thread.start();
    }

    Subscription add(Consumer<TrainingEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void emit(TrainingEvent event) {
        queue.add(() -> {
            for (Consumer<TrainingEvent> listener : listeners) {
                try {
                    listener.accept(event);
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.WARNING, "a training listener failed on: " + event, e);
                }
            }
        });
    }

    /** Waits until all that was emitted before has been delivered; at most ten seconds. */
    void drain() throws InterruptedException {
        if (Thread.currentThread() == thread || !thread.isAlive()) {
            return;
        }
        java.util.concurrent.CountDownLatch reached = new java.util.concurrent.CountDownLatch(1);
        queue.add(reached::countDown);
        if (!reached.await(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(System.Logger.Level.WARNING, "a training listener has not returned for " + DRAIN);
        }
    }

    private void deliver() {
        try {
            for (Runnable next = queue.take(); next != END; next = queue.take()) {
                next.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        queue.add(END);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(DRAIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
