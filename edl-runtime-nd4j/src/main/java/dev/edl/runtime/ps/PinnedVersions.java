package dev.edl.runtime.ps;

import dev.edl.runtime.ps.internal.RowsSnapshot;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * The versions that a shard keeps copies of. An evaluation {@linkplain #hold holds} a version, and the best one is
 * {@linkplain #keep kept}; only kept versions go into checkpoints. Safe for several threads.
 */
public final class PinnedVersions {
    private final Lock lock;
    private final Pins pins;
    private final ShardParameters parameters;
    private final ShardRange range;
    private volatile LongConsumer listener = version -> {};

    /** The pins of a shard, which are used under its lock. */
    PinnedVersions(Lock lock, Pins pins, ShardParameters parameters, ShardRange range) {
        this.lock = lock;
        this.pins = pins;
        this.parameters = parameters;
        this.range = range;
    }

    /**
     * From now on keeps a copy of the weights whenever the version becomes a multiple of {@code every}, and then tells
     * the listener, in the thread that made the update and outside of the lock. At most {@code keep} copies are there beside
     * those that are kept as the best: a new one takes the place of the oldest that is not {@linkplain #hold held}; when all
     * are held the version is neither pinned nor told. What was pinned before stays.
     *
     * @param every updates, at least 1
     * @param keep copies, at least 1
     */
    public void every(int every, int keep, LongConsumer newListener) {
        locked(p -> {
            p.every(every, keep);
            listener = newListener;
            return p;
        });
    }

    /** Tells the listener of a version that was pinned; outside of the lock. */
    void tell(long version) {
        listener.accept(version);
    }

    /** Holds the present weights under a number, in the place of what was pinned by that number. */
    public void now(long version) {
        locked(p -> {
            p.now(version, parameters);
            return p;
        });
    }

    /** Returns the versions that are pinned; a copy. */
    public NavigableSet<Long> versions() {
        return locked(Pins::versions);
    }

    /**
     * Keeps a version as the best one, beside earlier ones.
     *
     * @return whether it is held or kept; a version that is only pinned may have been made again since it was evaluated
     */
    public boolean keep(long version) {
        return locked(p -> p.keep(version));
    }

    /** Whether a version is held or kept. */
    public boolean isNeeded(long version) {
        return locked(p -> p.isNeeded(version));
    }

    /** Keeps no other version as the best than this one; one that is not pinned leaves none. */
    public void keepOnly(long version) {
        locked(p -> {
            p.keepOnly(version);
            return p;
        });
    }

    /** Ends the hold of a version, which is dropped unless it is kept as the best one. */
    public void release(long version) {
        locked(p -> {
            p.release(version);
            return p;
        });
    }

    /** Drops the versions above one that are neither held nor kept: another shard has lost these. */
    public void dropFreeAbove(long version) {
        locked(p -> {
            p.dropFreeAbove(version);
            return p;
        });
    }

    /** Whether a version is pinned. */
    public boolean has(long version) {
        return locked(p -> p.has(version));
    }

    /** Holds a pinned version until {@link #release} or {@link #drop}; whether it is pinned. */
    public boolean hold(long version) {
        return locked(p -> p.hold(version));
    }

    /**
     * Copies the weights of a pinned version into their place in a full-length vector, and gives its rows; empty when it is
     * not pinned.
     */
    Optional<List<RowsSnapshot>> copy(long version, float[] full) {
        return locked(p -> p.copy(version, full, range.offset()) ? Optional.of(p.rows(version)) : Optional.empty());
    }

    /** Returns a copy of the weights of a pinned version, and its rows; empty when it is not pinned. */
    public Optional<PinnedShard> part(long version) {
        float[] weights = new float[range.length()];
        return locked(p -> p.copy(version, weights, 0)
                ? Optional.of(new PinnedShard(version, range, weights, p.rows(version)))
                : Optional.empty());
    }

    /** Drops a pinned version, held, kept or neither; whether it was pinned. */
    public boolean drop(long version) {
        return locked(p -> p.remove(version));
    }

    private <T> T locked(Function<Pins, T> action) {
        lock.lock();
        try {
            return action.apply(pins);
        } finally {
            lock.unlock();
        }
    }

    /** For example {@code pinned versions of ps-1}. */
    @Override
    public String toString() {
        return "pinned versions of " + range.name();
    }
}
