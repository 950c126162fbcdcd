package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.PushSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One life of a shard, derived from the history's events. */
final class RecordedShardLife {
    final int shard;
    final int number;
    final @Nullable RecordedShardLife parent;
    final long base;
    final PushBitSet applied;

    /** By push id: the worker that sent a push whose round is still open. */
    final Map<Long, String> pending = new LinkedHashMap<>();

    /** By version: the fingerprint of the weights, for each version that this life has created. */
    final Map<Long, Long> weights = new HashMap<>();

    long version;
    boolean stopped;

    /** Creates a life from its start event and the state that it descends from. */
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
     * Returns the fingerprint of the weights of a version of this life or of a state that it descends from; null for
     * any other version.
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
