package dev.edl.status;

import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.Collectors;

/** Immutable list of a job's events, oldest first. {@link #toString} returns one line per event. */
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

    /** Returns one line per event; {@code no events} for an empty list. */
    @Override
    public String toString() {
        return events.isEmpty()
                ? "no events"
                : events.stream().map(JobEvent::toString).collect(Collectors.joining("\n"));
    }
}
