package dev.edl.runtime.engine.internal;

import dev.edl.runtime.TrainingEvent;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last events of a run. Those that tell progress come with each task, so they have a bound of their own and never push out
 * an evaluation or a loss. Not safe for several threads.
 */
public final class RecentEvents {
    /** As many as {@code JobHandle.events()} holds. */
    static final int KEPT = 1000;

    private final Deque<Numbered> progress = new ArrayDeque<>();
    private final Deque<Numbered> others = new ArrayDeque<>();
    private long count;

    private record Numbered(long number, TrainingEvent event) {}

    public void add(TrainingEvent event) {
        Deque<Numbered> kind = event instanceof TrainingEvent.Progressed ? progress : others;
        if (kind.size() == KEPT) {
            kind.removeFirst();
        }
        kind.addLast(new Numbered(count++, event));
    }

    /** Returns a copy of them, oldest first. */
    public List<TrainingEvent> inOrder() {
        return Stream.concat(progress.stream(), others.stream())
                .sorted(Comparator.comparingLong(Numbered::number))
                .map(Numbered::event)
                .toList();
    }
}
