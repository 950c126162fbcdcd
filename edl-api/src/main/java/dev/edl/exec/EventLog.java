package dev.edl.exec;

import dev.edl.reconcile.JobEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The last events of a job, and who wants to hear of new ones. Thread-safe. */
final class EventLog {
    static final int KEPT = 1000;

    private final Deque<JobEvent> events = new ArrayDeque<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** A subscription of its own, so that the same consumer can be added twice and removed once. */
    private record Listener(Consumer<JobEvent> consumer, Object identity) {}

    Subscription listen(Consumer<JobEvent> consumer) {
        Listener listener = new Listener(consumer, new Object());
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void publish(JobEvent event) {
        synchronized (events) {
            events.addLast(event);
            if (events.size() > KEPT) {
                events.removeFirst();
            }
        }
        for (Listener listener : List.copyOf(listeners)) {
            try {
                listener.consumer().accept(event);
            } catch (RuntimeException e) {
                listeners.remove(listener);
                publish(JobEvent.job(
                        event.at(),
                        JobEvent.Type.LISTENER_FAILED,
                        "a listener failed on " + event.type() + " and is not called any more: " + e));
            }
        }
    }

    List<JobEvent> all() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }
}
