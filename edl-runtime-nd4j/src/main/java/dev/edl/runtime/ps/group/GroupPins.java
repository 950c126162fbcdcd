package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.PinnedVersions;
import java.time.Duration;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The pinned versions of all shards of a group. Each call waits for an absent shard. Safe for several threads. */
public final class GroupPins {
    private final LocalShardSlots slots;
    private final Lock membership;
    private final Duration patience;
    private final int size;
    private final PinAnnouncer announcer;

    GroupPins(LocalShardSlots slots, Lock membership, Duration patience, int size, PinAnnouncer announcer) {
        this.slots = slots;
        this.membership = membership;
        this.patience = patience;
        this.size = size;
        this.announcer = announcer;
    }

    /**
     * Pins every {@code every}-th version of each shard, as {@link PinnedVersions#every} does. Notifies the listener
     * once all shards have pinned a version, on a thread that holds none of the group's locks. A version is reported
     * only if it is above the last reported one, unless a shard has begun a new life at a lower version.
     *
     * @param every number of updates between two pins, at least 1
     * @param keep maximum number of free or held copies of each shard, at least 1
     */
    public void every(int every, int keep, LongConsumer listener) throws InterruptedException {
        slots.run(membership, patience, shards -> {
            announcer.begin(every, keep, listener, shards);
            return shards.length;
        });
    }

    /** Returns the versions that all shards have pinned. */
    public NavigableSet<Long> versions() throws InterruptedException {
        return slots.run(membership, patience, shards -> {
            NavigableSet<Long> all = shards[0].pins().versions();
            Arrays.stream(shards).map(shard -> shard.pins().versions()).forEach(all::retainAll);
            return all;
        });
    }

    /** Holds the current parameters of all shards under a version number. Replaces an earlier pin of that number. */
    public void now(long version) throws InterruptedException {
        each(pins -> pins.now(version));
    }

    /** Holds a pinned version until {@link #release}. Returns whether all shards have it pinned. */
    public boolean hold(long version) throws InterruptedException {
        return all(pins -> pins.has(version), pins -> pins.hold(version));
    }

    /** Releases the hold of a version. */
    public void release(long version) throws InterruptedException {
        each(pins -> pins.release(version));
    }

    /**
     * Keeps a held version as the best one, beside the earlier best ones. Returns whether all shards hold or keep it.
     */
    public boolean keep(long version) throws InterruptedException {
        return all(pins -> pins.isNeeded(version), pins -> pins.keep(version));
    }

    /** Keeps only this version as the best one; drops earlier best ones that are not held. */
    public void keepOnly(long version) throws InterruptedException {
        each(pins -> pins.keepOnly(version));
    }

    /** Returns the model at a pinned version; empty unless all shards have it pinned. */
    public Optional<ModelSnapshot> model(long version) throws InterruptedException {
        return slots.run(
                membership,
                patience,
                shards -> ModelSnapshot.pinned(version, size, pins(shards).toList()));
    }

    /** Drops a pinned version, held or not. Returns whether any shard had it pinned. */
    public boolean drop(long version) throws InterruptedException {
        return slots.run(
                membership,
                patience,
                shards -> pins(shards).filter(pins -> pins.drop(version)).count() > 0);
    }

    private void each(Consumer<PinnedVersions> action) throws InterruptedException {
        slots.run(membership, patience, shards -> {
            pins(shards).forEach(action);
            return shards.length;
        });
    }

    private boolean all(Predicate<PinnedVersions> condition, Predicate<PinnedVersions> action)
            throws InterruptedException {
        return slots.run(
                membership,
                patience,
                shards -> pins(shards).allMatch(condition) && pins(shards).allMatch(action));
    }

    private static Stream<PinnedVersions> pins(ParameterShard[] shards) {
        return Arrays.stream(shards).map(ParameterShard::pins);
    }

    /** Returns the text for people, for example {@code pinned versions of 2 shards}. */
    @Override
    public String toString() {
        return "pinned versions of " + slots.count() + " shards";
    }
}
