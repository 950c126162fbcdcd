package dev.edl.runtime.ps.shard;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import java.util.ArrayList;
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
    private final PinnedCopies pins;
    private final ShardParameters parameters;
    private final ShardRange range;
    private volatile LongConsumer listener = version -> {};

    /** Creates the pins of a shard, which are used under its lock. */
    PinnedVersions(Lock lock, PinnedCopies pins, ShardParameters parameters, ShardRange range) {
        this.lock = lock;
        this.pins = pins;
        this.parameters = parameters;
        this.range = range;
    }

    /**
     * Copies the shard's weights whenever its version becomes a multiple of {@code every}, and then notifies the
     * listener. The listener runs on the thread that made the update, outside the lock.
     *
     * <p>At most {@code keep} copies exist in addition to the best ones. A new copy replaces the oldest copy that is
     * not {@linkplain #hold held}. If all are held, the version is neither pinned nor reported. Earlier pins stay.
     *
     * @param every number of updates between two copies, at least 1
     * @param keep maximum number of copies that are not kept as the best, at least 1
     */
    public void every(int every, int keep, LongConsumer newListener) {
        locked(p -> {
            p.every(every, keep);
            listener = newListener;
            return p;
        });
    }

    /** Notifies the listener of a pinned version; the caller must not hold the shard's lock. */
    void tell(long version) {
        listener.accept(version);
    }

    /** Holds the current weights under a version number. Replaces an earlier pin of that number. */
    public void now(long version) {
        locked(p -> {
            p.now(version, parameters);
            return p;
        });
    }

    /** Returns a copy of the pinned versions. */
    public NavigableSet<Long> versions() {
        return locked(PinnedCopies::versions);
    }

    /**
     * Keeps a held version as the best one, in addition to the earlier best ones.
     *
     * @return whether the version was held or kept already; false if it is only pinned, because it may have been made
     *     again since its evaluation
     */
    public boolean keep(long version) {
        return locked(p -> p.keep(version));
    }

    /** Returns whether a version is held for an evaluation or kept as the best one. */
    public boolean isNeeded(long version) {
        return locked(p -> p.isNeeded(version));
    }

    /** Keeps only this version as the best one; if it is not pinned, none remains. */
    public void keepOnly(long version) {
        locked(p -> {
            p.keepOnly(version);
            return p;
        });
    }

    /** Releases the hold of a version, which is then dropped unless it is kept as the best one. */
    public void release(long version) {
        locked(p -> {
            p.release(version);
            return p;
        });
    }

    /**
     * Drops the pinned versions above the given one that are neither held nor kept, because another shard was restored
     * to an older state.
     */
    public void dropFreeAbove(long version) {
        locked(p -> {
            p.dropFreeAbove(version);
            return p;
        });
    }

    /** Returns whether a version is pinned. */
    public boolean has(long version) {
        return locked(p -> p.has(version));
    }

    /** Holds a pinned version until {@link #release} or {@link #drop}. Returns whether it is pinned. */
    public boolean hold(long version) {
        return locked(p -> p.hold(version));
    }

    /**
     * Copies the weights of a pinned version to their offset in a full-length vector, and returns its rows. Returns
     * empty if it is not pinned.
     */
    Optional<List<RowsSnapshot>> copy(long version, float[] full) {
        return locked(p -> p.copy(version, full, range.offset()) ? Optional.of(p.rows(version)) : Optional.empty());
    }

    /**
     * Returns the model at a pinned version; empty unless all shards have pinned it.
     *
     * @param size number of floats of the whole model's flat vector
     * @param shards pinned versions of each shard, in the order of the shards
     */
    public static Optional<ModelSnapshot> model(long version, int size, List<PinnedVersions> shards) {
        float[] weights = new float[size];
        List<List<RowsSnapshot>> rows = new ArrayList<>();
        for (PinnedVersions pins : shards) {
            pins.copy(version, weights).ifPresent(rows::add);
        }
        return rows.size() == shards.size()
                ? Optional.of(ModelSnapshot.ofShards(version, weights, rows))
                : Optional.empty();
    }

    /** Returns a copy of the weights and rows at a pinned version; empty if it is not pinned. */
    public Optional<PinnedShard> part(long version) {
        float[] weights = new float[range.length()];
        return locked(p -> p.copy(version, weights, 0)
                ? Optional.of(new PinnedShard(version, range, weights, p.rows(version)))
                : Optional.empty());
    }

    /** Drops a pinned version, whether held, kept or free. Returns whether it was pinned. */
    public boolean drop(long version) {
        return locked(p -> p.remove(version));
    }

    private <T> T locked(Function<PinnedCopies, T> action) {
        lock.lock();
        try {
            return action.apply(pins);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the text for people, for example {@code pinned versions of ps-1}. */
    @Override
    public String toString() {
        return "pinned versions of " + range.name();
    }
}
