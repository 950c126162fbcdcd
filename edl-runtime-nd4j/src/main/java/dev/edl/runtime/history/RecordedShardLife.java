package dev.edl.runtime.history;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One life of a shard, as its events tell it. */
final class RecordedShardLife {
    final int shard;
    final int number;
    final @Nullable RecordedShardLife parent;
    final long base;
    final PushBitSet applied;

    /** Pushes that wait for their round, and who sent them. */
    final Map<Long, String> pending = new LinkedHashMap<>();

    /** Fingerprints of the weights of this life's own versions. */
    final Map<Long, Long> weights = new HashMap<>();

    long version;
    boolean stopped;

    /** A life that begins as its event says, after a state of another one. */
    RecordedShardLife(HistoryEvent.Started start, @Nullable RecordedShardLife parent) {
        this.shard = start.shard();
        this.number = start.life();
        this.parent = parent;
        this.base = start.version();
        this.version = start.version();
        this.applied = PushBitSet.of(start.applied());
        start.pending().ids().forEach(id -> pending.put(id, "an earlier life"));
        weights.put(version, start.weights());
    }

    boolean holds(long pushId) {
        return applied.contains(pushId) || pending.containsKey(pushId);
    }

    PushSet waiting() {
        return PushSet.of(pending.keySet().stream().mapToLong(Long::longValue).sorted());
    }

    /**
     * Returns the fingerprint of the weights of a version that this life went through or goes on from; null of any
     * other.
     */
    @Nullable
    Long weightsAt(long at) {
        RecordedShardLife life = this;
        while (at < life.base && life.parent != null) {
            life = life.parent;
        }
        return life.weights.get(at);
    }

    /** Returns text for people, for example {@code ps-1}, or {@code ps-1 in its life 2}. */
    @Override
    public String toString() {
        return "ps-" + shard + (number == 0 ? "" : " in its life " + number);
    }
}
