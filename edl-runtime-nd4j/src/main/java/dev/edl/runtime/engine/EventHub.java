package dev.edl.runtime.engine;

import dev.edl.exec.Subscription;
import dev.edl.internal.text.DurationText;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.internal.RecentEvents;
import dev.edl.runtime.internal.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to listeners, one at a time and in order, on its own thread. A worker never waits for a listener, and
 * a listener may make any call. A listener that is added late first receives the events of {@link RecentEvents}. If a
 * listener is slow, pending progress events are replaced by the newest one; all other events are kept.
 */
public final class EventHub implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventHub.class.getName());
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final ExecutorService thread;
    private final Object order = new Object();
    /** Pending deliveries, in order. */
    private final Set<Delivery> queue = new LinkedHashSet<>();

    /** Pending progress. A newer one replaces it, so that a blocked listener does not let them pile up. */
    private @Nullable Delivery progress;

    private final String job;
    private boolean delivering;
    private boolean closed;
    private final RecentEvents recent = new RecentEvents();
    /** Immutable list, replaced on each change, so that an event goes to the listeners at the time of the event. */
    private volatile List<Listener> listeners = List.of();

    private volatile @Nullable Thread deliverer;

    /** Action for the hub's thread. */
    private static final class Delivery {
        private final Runnable work;

        private Delivery(Runnable work) {
            this.work = work;
        }
    }

    /** Subscription of one consumer; the same consumer may have several. */
    private static final class Listener {
        private final Consumer<TrainingEvent> consumer;
        private volatile boolean ended;

        private Listener(Consumer<TrainingEvent> consumer) {
            this.consumer = consumer;
        }
    }

    public EventHub(String job, List<Consumer<TrainingEvent>> first) {
        listeners = first.stream().map(Listener::new).toList();
        this.job = job;
        thread = DaemonThreads.onDemand("edl-" + job + "-events");
    }

    /**
     * Adds a listener, which first receives the recent events. If the hub is closed, they are delivered on the calling
     * thread.
     */
    public Subscription add(Consumer<TrainingEvent> consumer) {
        Listener listener = new Listener(consumer);
        List<TrainingEvent> missed;
        synchronized (order) {
            // Same lock as emit, so that no event is missed or delivered twice.
            missed = recent.inOrder();
            List<Listener> more = new ArrayList<>(listeners);
            more.add(listener);
            listeners = List.copyOf(more);
            if (missed.isEmpty() || enqueue(new Delivery(() -> missed.forEach(event -> tell(listener, event))))) {
                return subscription(listener);
            }
        }
        missed.forEach(event -> tell(listener, event));
        return subscription(listener);
    }

    private Subscription subscription(Listener listener) {
        return Subscription.of("a listener of the training", () -> remove(listener));
    }

    private void remove(Listener listener) {
        listener.ended = true;
        synchronized (order) {
            listeners = listeners.stream().filter(each -> each != listener).toList();
        }
    }

    /** Delivers an event to every listener, in the order of the calls. */
    public void emit(TrainingEvent event) {
        synchronized (order) {
            recent.add(event);
            List<Listener> now = listeners;
            if (!now.isEmpty()) {
                // Without a listener the thread stays asleep: waking it takes a processor from a worker.
                Delivery delivery = new Delivery(() -> now.forEach(listener -> tell(listener, event)));
                if (event instanceof TrainingEvent.Progressed) {
                    overtake(delivery);
                }
                enqueue(delivery);
            }
        }
    }

    private void overtake(Delivery newer) {
        Delivery older = progress;
        if (older != null) {
            queue.remove(older);
        }
        progress = newer;
    }

    private void tell(Listener listener, TrainingEvent event) {
        if (listener.ended) {
            return;
        }
        try {
            listener.consumer.accept(event);
        } catch (Throwable mistake) {
            // A listener's failure, of any kind, must not fail the training.
            remove(listener);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a training listener threw and is no longer called; it threw on: " + event,
                    mistake);
        }
    }

    /** Queues a delivery; returns false if the hub is closed. Requires the lock of {@link #order}. */
    private boolean enqueue(Delivery delivery) {
        if (closed) {
            return false;
        }
        queue.add(delivery);
        if (!delivering) {
            try {
                thread.execute(this::deliver);
                delivering = true;
            } catch (OutOfMemoryError noThread) {
                // The delivery stays queued for the next event; the training must not end for it.
                LOG.log(System.Logger.Level.WARNING, "training listeners are notified later: " + noThread.getMessage());
            }
        }
        return true;
    }

    /** Runs all pending deliveries, then releases the thread. */
    private void deliver() {
        deliverer = Thread.currentThread();
        for (Delivery next = next(); next != null; next = next()) {
            next.work.run();
        }
    }

    private @Nullable Delivery next() {
        synchronized (order) {
            Iterator<Delivery> first = queue.iterator();
            delivering = first.hasNext();
            if (!delivering) {
                return null;
            }
            Delivery next = first.next();
            first.remove();
            if (next == progress) {
                progress = null;
            }
            return next;
        }
    }

    /** Returns the number of deliveries that listeners have not received. */
    int behind() {
        synchronized (order) {
            return queue.size();
        }
    }

    /** Waits until all events emitted so far are delivered; after the time limit, logs a warning and returns. */
    public void drain(Duration limit) throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        synchronized (order) {
            if (Thread.currentThread() == deliverer || !enqueue(new Delivery(reached::countDown))) {
                return;
            }
        }
        if (!reached.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "job \"" + job + "\": a training listener has not returned within " + DurationText.of(limit)
                            + "; the remaining events are delivered once it returns");
        }
    }

    @Override
    public void close() {
        synchronized (order) {
            closed = true;
        }
        thread.shutdown();
        if (Thread.currentThread() == deliverer) {
            return;
        }
        try {
            if (!thread.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "job \"" + job + "\": a training listener has not returned within " + DurationText.of(CLOSE)
                                + "; it is interrupted, and the remaining events are dropped; let the listener hand slow work"
                                + " to another thread");
                synchronized (order) {
                    queue.clear();
                }
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
