package dev.edl.runtime.protocol;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds pushes back while a cut through all shards is taken. What is held waits here, as it would in its connection.
 *
 * <p>A hold ends by itself after {@link #LIMIT}, should the master have died.
 */
final class PushHold {
    static final long LIMIT = Duration.ofSeconds(10).toNanos();

    /** A push that waits. */
    record Waiting(Link link, WorkerToShard.Push push) {}

    private final Map<String, Long> taken = new HashMap<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private @Nullable CutId cut;
    private Map<String, Long> target = Map.of();
    private long end;
    private boolean told = true;

    /** Keeps a push that may not be taken now; returns whether it may. */
    boolean admits(Link link, WorkerToShard.Push push) {
        if (isLetIn(link.peer(), push.request())) {
            return true;
        }
        waiting.add(new Waiting(link, push));
        return false;
    }

    private boolean isLetIn(String worker, long sequence) {
        return cut == null || sequence <= target.getOrDefault(worker, -1L);
    }

    /** A push was taken, or refused for good. */
    void took(String worker, long sequence) {
        taken.merge(worker, sequence, Math::max);
    }

    /** Begins a hold, in the place of an earlier one; returns the last sequence taken of each worker. */
    Map<String, Long> begin(CutId next, long now) {
        cut = next;
        target = Map.of();
        end = now + LIMIT;
        told = true;
        return new TreeMap<>(taken);
    }

    boolean holds(CutId other) {
        return other.equals(cut);
    }

    /** Lets pushes in up to these sequences. */
    void flush(Map<String, Long> sequences, Consumer<Waiting> take) {
        target = Map.copyOf(sequences);
        told = false;
        letIn(take);
    }

    /** Returns the cut whose flush is over, once; else null. */
    @Nullable
    CutId flushed() {
        if (told || !isReached()) {
            return null;
        }
        told = true;
        return cut;
    }

    private boolean isReached() {
        return target.entrySet().stream().allMatch(each -> taken.getOrDefault(each.getKey(), -1L) >= each.getValue());
    }

    /** Ends the hold and lets everything in. */
    void end(Consumer<Waiting> take) {
        cut = null;
        target = Map.of();
        told = true;
        letIn(take);
    }

    /** Ends a hold whose time is over. */
    void due(long now, Consumer<Waiting> take) {
        if (cut != null && now >= end) {
            end(take);
        }
    }

    private void letIn(Consumer<Waiting> take) {
        for (int count = waiting.size(); count > 0; count--) {
            Waiting next = waiting.remove();
            if (isLetIn(next.link().peer(), next.push().request())) {
                take.accept(next);
            } else {
                waiting.add(next);
            }
        }
    }

    /** Counts sequences as taken that do not come. */
    void follow(Map<String, Long> others) {
        others.forEach(this::took);
    }

    /** Forgets what waits on a connection that has broken: its worker sends it again. */
    void closed(Link link) {
        waiting.removeIf(each -> each.link().equals(link));
    }

    /** Forgets the sequences of workers that have gone. */
    void forget(Predicate<String> gone) {
        taken.keySet().removeIf(gone);
    }

    /** Returns when the hold ends by itself. */
    long dueAt() {
        return cut == null ? Machine.NEVER : end;
    }
}
