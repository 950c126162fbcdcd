package dev.edl.runtime.engine.internal;

import dev.edl.runtime.TrainingEvent;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Newest events of a run, for listeners that subscribe late. Progress events have a separate bound, because each task
 * causes one, so they never displace an evaluation or a loss. Not thread-safe.
 */
public final class RecentEvents {
    /** Maximum number of events of each kind, progress or other; equals the bound of {@code JobHandle.events()}. */
    static final int KEPT = 1000;

    private final Deque<NumberedEvent> progress = new ArrayDeque<>();
    private final Deque<NumberedEvent> others = new ArrayDeque<>();
    private long count;

    private record NumberedEvent(long number, TrainingEvent event) {}

    public void add(TrainingEvent event) {
        Deque<NumberedEvent> kind = event instanceof TrainingEvent.Progressed ? progress : others;
        if (kind.size() == KEPT) {
            kind.removeFirst();
        }
        kind.addLast(new NumberedEvent(count++, event));
    }

    /** Returns a copy of the events, oldest first. */
    public List<TrainingEvent> inOrder() {
        return Stream.concat(progress.stream(), others.stream())
                .sorted(Comparator.comparingLong(NumberedEvent::number))
                .map(NumberedEvent::event)
                .toList();
    }
}
