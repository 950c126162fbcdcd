package dev.edl.runtime.engine.internal;

import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.task.PushIds;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pushes that the shards hold in their snapshots, by epoch, for a ledger that resumes from a checkpoint. */
public final class HeldPushes {
    private final Map<Integer, BitSet> all;
    private final Map<Integer, BitSet> any;

    private HeldPushes(Map<Integer, BitSet> all, Map<Integer, BitSet> any) {
        this.all = all;
        this.any = any;
    }

    public static HeldPushes of(List<ShardSnapshot> shards, PushIds ids) {
        Map<Integer, BitSet> all = Map.of();
        boolean first = true;
        Map<Integer, BitSet> any = new TreeMap<>();
        for (ShardSnapshot shard : shards) {
            Map<Integer, BitSet> applied = new TreeMap<>();
            shard.appliedPushes().forEach(push -> add(applied, push, ids));
            shard.appliedPushes().forEach(push -> add(any, push, ids));
            shard.pending().forEach(push -> add(any, push, ids));
            all = first ? applied : both(all, applied);
            first = false;
        }
        return new HeldPushes(all, any);
    }

    private static void add(Map<Integer, BitSet> into, long push, PushIds ids) {
        into.computeIfAbsent(ids.epochOf(push), epoch -> new BitSet()).set(ids.ordinalOf(push));
    }

    private static Map<Integer, BitSet> both(Map<Integer, BitSet> one, Map<Integer, BitSet> other) {
        one.forEach((epoch, pushes) -> pushes.and(in(other, epoch)));
        return one;
    }

    private static BitSet in(Map<Integer, BitSet> pushes, int epoch) {
        BitSet found = pushes.get(epoch);
        return found == null ? new BitSet() : found;
    }

    /** Returns whether no shard has applied a push or holds one for an open round. */
    public boolean isEmpty() {
        return any.isEmpty();
    }

    /** Returns a copy of the set of an epoch's minibatches, by index in the epoch, that every shard has applied. */
    public BitSet byAll(int epoch) {
        return (BitSet) in(all, epoch).clone();
    }

    /**
     * Returns a copy of the set of an epoch's minibatches, by index in the epoch, that any shard has applied or holds
     * for an open round.
     */
    public BitSet byAny(int epoch) {
        return (BitSet) in(any, epoch).clone();
    }
}
