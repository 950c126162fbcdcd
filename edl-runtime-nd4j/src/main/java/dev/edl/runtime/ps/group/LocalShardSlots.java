package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.internal.ShardSlots;
import dev.edl.runtime.ps.ports.DecisionKeeper;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** The slots of a group's shards, some of which may be empty for a while. Safe for several threads. */
final class LocalShardSlots {
    /** An action on all shards. */
    @FunctionalInterface
    interface Action<T> extends ShardSlots.Action<ParameterShard, T> {}

    private final List<ShardRange> ranges;
    private final ShardSlots<ParameterShard> slots;

    LocalShardSlots(List<ParameterShard> shards) {
        this.ranges = shards.stream().map(ParameterShard::range).toList();
        this.slots = new ShardSlots<>(ranges.stream().map(ShardRange::name).toList(), ParameterShard[]::new);
        for (int i = 0; i < shards.size(); i++) {
            slots.begin(i, shards.get(i).life());
            slots.put(i, shards.get(i));
        }
    }

    int count() {
        return ranges.size();
    }

    void requireVersions(int versions) {
        if (versions != count()) {
            throw new IllegalArgumentException(
                    "there must be one version for each of " + count() + " shards, were " + versions);
        }
    }

    /** Checks a master's term at every slot, including empty ones. */
    void require(Term term) {
        slots.require(term);
    }

    /** Checks a master's term at one slot. */
    void require(int index, Term term) {
        slots.fence(index).require(term);
    }

    /** Stores a decision record in the shard of a slot; no later master can take over meanwhile. */
    void pass(int index, Term term, DecisionKeeper keeper, DecisionRecord record) {
        boolean newest = slots.fence(index).pass(term, () -> keeper.keep(record));
        if (!newest) {
            throw new IllegalStateException(ranges.get(index).name() + " has a later record than " + record);
        }
    }

    /** Returns a number that identifies the lives of all shards. For an absent shard, its last life counts. */
    long lives() {
        return slots.lives();
    }

    Optional<ParameterShard> at(int index) {
        return slots.at(index);
    }

    List<ParameterShard> attached() {
        return slots.attached();
    }

    ParameterShard take(int index) {
        ParameterShard shard = slots.take(index)
                .orElseThrow(() -> new IllegalStateException("parameter shard ps-" + index + " is detached already"));
        // A restore may have begun another life.
        slots.begin(index, shard.life());
        return shard;
    }

    /**
     * Attaches a shard to its slot, where it begins the given life. One caller at a time.
     *
     * @param ordered life that a master assigned; null for the slot's next life
     */
    void put(int index, ParameterShard shard, @Nullable ShardLife ordered) {
        requireEmpty(index, shard);
        ShardLife life = ordered == null ? slots.life(index).next() : ordered;
        slots.begin(index, life);
        shard.begin(life);
        slots.put(index, shard);
    }

    /** Rejects a shard if its range is not the slot's, or if the slot is occupied. */
    void requireEmpty(int index, ParameterShard shard) {
        if (!shard.range().equals(ranges.get(index))) {
            throw new IllegalArgumentException("the slot of " + ranges.get(index) + " does not fit " + shard.range());
        }
        if (at(index).isPresent()) {
            throw new IllegalStateException("parameter shard ps-" + index + " is attached; detach it first");
        }
    }

    /**
     * Waits until no shard is absent and runs an action on all of them. Repeats it if a shard is detached meanwhile.
     */
    <T> T run(Duration patience, Action<T> action) throws InterruptedException {
        return slots.run(null, patience, action);
    }

    /**
     * Runs an action as {@link #run(Duration, Action)} does, holding the given lock during the action but not during
     * the wait.
     */
    <T> T run(Lock lock, Duration patience, Action<T> action) throws InterruptedException {
        return slots.run(lock, patience, action);
    }

    /** Ends every present and later wait for an absent shard with an exception. */
    void close() {
        slots.close();
    }

    /** Returns the index of an empty slot; -1 if all are occupied. */
    Set<Integer> empty() {
        return slots.empty();
    }

    int missing() {
        return slots.missing();
    }
}
