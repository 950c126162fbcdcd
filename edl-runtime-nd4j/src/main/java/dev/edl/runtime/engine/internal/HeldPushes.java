package dev.edl.runtime.engine.internal;

import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardSnapshot;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Pushes that parameter shards hold, compared over all of them, for a ledger that continues from their state. */
public final class HeldPushes {
    private final List<ShardPushes> shards;

    /** Compares these shards, at least one. */
    public HeldPushes(Collection<ShardPushes> shards) {
        this.shards = List.copyOf(shards);
    }

    /** Compares the shards of a checkpoint or cut. */
    public static HeldPushes of(List<ShardSnapshot> shards) {
        return new HeldPushes(shards.stream().map(ShardSnapshot::pushes).toList());
    }

    /** Returns whether no shard has applied a push or holds one for an open round. */
    public boolean isEmpty() {
        return shards.stream().allMatch(ShardPushes::isEmpty);
    }

    /** Returns a new set of an epoch's minibatches, by index in the epoch, that every shard has applied. */
    public BitSet byAll(int epoch) {
        BitSet all = shards.get(0).applied(epoch);
        shards.forEach(shard -> all.and(shard.applied(epoch)));
        return all;
    }

    /**
     * Returns a new set of an epoch's minibatches, by index in the epoch, that any shard has applied or holds for an
     * open round.
     */
    public BitSet byAny(int epoch) {
        BitSet any = new BitSet();
        shards.forEach(shard -> any.or(shard.held(epoch)));
        return any;
    }
}
