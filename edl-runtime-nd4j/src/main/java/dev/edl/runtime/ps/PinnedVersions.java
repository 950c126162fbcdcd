package dev.edl.runtime.ps;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;

/** The versions that a shard keeps copies of, see {@link ParameterShard#pinEvery}. Safe for several threads. */
public final class PinnedVersions {
    private final Lock lock;
    private final Supplier<Pins> pins;
    private final ShardRange range;

    /** The pins of a shard, which are asked for and used under its lock. */
    PinnedVersions(Lock lock, Supplier<Pins> pins, ShardRange range) {
        this.lock = lock;
        this.pins = pins;
        this.range = range;
    }

    /** Whether a version is pinned. */
    public boolean has(long version) {
        return locked(p -> p.has(version));
    }

    /** Keeps a pinned version until {@link #drop}; whether it is pinned. */
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

    /** Drops a pinned version, held or not; whether it was pinned. */
    public boolean drop(long version) {
        return locked(p -> p.remove(version));
    }

    private <T> T locked(Function<Pins, T> action) {
        lock.lock();
        try {
            return action.apply(pins.get());
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
