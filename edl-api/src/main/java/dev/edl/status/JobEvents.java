package dev.edl.status;

import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.Collectors;

/** Events of a job, oldest first: a list that prints one line an event. Immutable. */
public final class JobEvents extends AbstractList<JobEvent> implements RandomAccess {
    private final List<JobEvent> events;

    private JobEvents(List<JobEvent> events) {
        this.events = events;
    }

    /** Returns a copy of these events. */
    public static JobEvents of(Collection<JobEvent> events) {
        return new JobEvents(List.copyOf(events));
    }

    @Override
    public JobEvent get(int index) {
        return events.get(index);
    }

    @Override
    public int size() {
        return events.size();
    }

    /** Returns one line an event; for none {@code no events}. */
    @Override
    public String toString() {
        return events.isEmpty()
                ? "no events"
                : events.stream().map(JobEvent::toString).collect(Collectors.joining("\n"));
    }
}
