package dev.edl.exec;

import dev.edl.status.JobEvent;
import dev.edl.status.JobEvents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The last {@link #KEPT} events of a job, and the listeners for new events. Thread-safe. */
final class EventLog {
    static final int KEPT = 1000;

    private final Deque<JobEvent> events = new ArrayDeque<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Registration of a consumer; the identity distinguishes several registrations of the same consumer. */
    private record Listener(Consumer<JobEvent> consumer, Object identity) {}

    Subscription listen(Consumer<JobEvent> consumer) {
        Listener listener = new Listener(consumer, new Object());
        listeners.add(listener);
        return Subscription.of("a listener of the job's events", () -> listeners.remove(listener));
    }

    void publish(JobEvent event) {
        synchronized (events) {
            events.addLast(event);
            if (events.size() > KEPT) {
                events.removeFirst();
            }
        }
        List<JobEvent> failures = new ArrayList<>();
        for (Listener listener : List.copyOf(listeners)) {
            tell(listener, event).ifPresent(failures::add);
        }
        // Published last, so that every listener gets the failure after the event that caused it.
        failures.forEach(this::publish);
    }

    /**
     * Calls a listener and removes it if it throws. A {@link VirtualMachineError} other than a stack overflow
     * propagates.
     *
     * @return the event that reports the exception; empty if the listener returned
     */
    private Optional<JobEvent> tell(Listener listener, JobEvent event) {
        try {
            listener.consumer().accept(event);
            return Optional.empty();
        } catch (Throwable e) {
            listeners.remove(listener);
            if (e instanceof VirtualMachineError && !(e instanceof StackOverflowError)) {
                throw e;
            }
            return Optional.of(JobEvent.job(
                    event.at(),
                    JobEvent.Type.LISTENER_FAILED,
                    "a listener threw on " + event.type() + " and is no longer called: " + e));
        }
    }

    JobEvents all() {
        synchronized (events) {
            return JobEvents.of(events);
        }
    }
}
