package dev.edl.runtime.ps.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Blocks pushes of workers while a cut through all shards is taken. Used under the shard's lock.
 *
 * <p>Each worker numbers its pushes to all shards with one sequence. {@link #begin} blocks everything newer than the
 * admitted pushes, and returns the last number of each worker. The caller takes the largest number of each worker over
 * all shards, and {@link #flushTo} admits the pushes in flight up to these numbers. Then all shards have admitted the
 * same pushes, and their states are one cut. {@link #end} admits the rest.
 *
 * <p>A hold expires after {@link #LIMIT_SECONDS}, in case its caller has died. The number of a worker is kept until
 * {@link #forget}.
 */
final class PushGate {
    /** Seconds after which a hold expires. */
    static final int LIMIT_SECONDS = 10;

    /** Sequence number of a push that belongs to no sequence; such a push waits for the end of a hold. */
    static final long UNNUMBERED = Long.MAX_VALUE;

    private static final long NONE = -1;

    private final Condition changed;
    private final Map<String, long[]> taken = new HashMap<>();
    private Map<String, Long> target = Map.of();
    private long cut = NONE;
    private long deadline;

    /**
     * Creates an open gate.
     *
     * @param changed a condition of the shard's lock
     */
    PushGate(Condition changed) {
        this.changed = changed;
    }

    /**
     * Waits until a worker's push may be admitted, and admits it.
     *
     * @param sequence the worker's sequence number of the push, or {@link #UNNUMBERED}
     */
    void admit(String worker, long sequence) throws InterruptedException {
        while (cut != NONE && !isLetIn(worker, sequence)) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                end(cut);
            } else {
                changed.awaitNanos(left);
            }
        }
        if (sequence != UNNUMBERED) {
            long[] last = taken.get(worker);
            if (last == null) {
                taken.put(worker, new long[] {sequence});
            } else {
                last[0] = sequence;
            }
            if (cut != NONE) {
                changed.signalAll();
            }
        }
    }

    private boolean isLetIn(String worker, long sequence) {
        Long until = target.get(worker);
        return until != null && sequence <= until;
    }

    /**
     * Begins a hold. Replaces an earlier hold that has not ended.
     *
     * @param number number of the cut, at least 0
     * @return the last admitted sequence number of each worker
     */
    Map<String, Long> begin(long number) {
        cut = number;
        deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        target = Map.of();
        Map<String, Long> last = taken();
        // A worker that waited for an earlier hold must see this one.
        changed.signalAll();
        return last;
    }

    /**
     * Admits pushes up to these sequence numbers, and waits until all of them have been admitted.
     *
     * @param number of the cut
     * @param nanos the longest wait in nanoseconds
     * @return whether all of them were admitted, and the hold has not ended
     */
    boolean flushTo(long number, Map<String, Long> sequences, long nanos) throws InterruptedException {
        if (cut != number) {
            return false;
        }
        target = Map.copyOf(sequences);
        changed.signalAll();
        long left = nanos;
        while (cut == number && !reached() && left > 0) {
            left = changed.awaitNanos(left);
        }
        return cut == number && reached();
    }

    private boolean reached() {
        for (Map.Entry<String, Long> wanted : target.entrySet()) {
            long[] last = taken.get(wanted.getKey());
            if (last == null || last[0] < wanted.getValue()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a hold of this cut is active. */
    boolean holds(long number) {
        return cut == number;
    }

    /** Ends the hold of a cut, if it is active. */
    void end(long number) {
        if (cut == number) {
            cut = NONE;
            target = Map.of();
            changed.signalAll();
        }
    }

    /** Ends any hold, because the shard stops. */
    void end() {
        end(cut);
    }

    /** Returns the last admitted sequence number of each worker. */
    Map<String, Long> taken() {
        Map<String, Long> last = new TreeMap<>();
        taken.forEach((worker, sequence) -> last.put(worker, sequence[0]));
        return last;
    }

    /**
     * Raises each worker's last admitted sequence number to the given one, because pushes up to it will never arrive.
     */
    void follow(Map<String, Long> others) {
        others.forEach((worker, sequence) -> {
            long[] last = taken.computeIfAbsent(worker, name -> new long[] {sequence});
            last[0] = Math.max(last[0], sequence);
        });
    }

    /** Forgets the last admitted sequence number of a worker. */
    void forget(String worker) {
        taken.remove(worker);
    }
}
