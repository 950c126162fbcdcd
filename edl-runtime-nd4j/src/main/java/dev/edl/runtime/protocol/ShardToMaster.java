package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** What a parameter server says to its master. */
public sealed interface ShardToMaster extends Message {
    /**
     * Begins each connection.
     *
     * @param followed the number of the term that the server follows; 0 when it has seen none
     * @param life of the shard; {@link ShardLife#UNORDERED} for one without a state
     */
    record Hello(long followed, ShardLife life) implements ShardToMaster {}

    /** Shows that the server lives. */
    record Beat(ShardLife life) implements ShardToMaster {}

    /**
     * Answers an order: the shard has this life, and holds these pushes.
     *
     * @param applied by epoch, the minibatches whose pushes have gone into an update
     * @param pending the pushes that wait for their round
     */
    record Ordered(ShardLife life, List<BitSet> applied, List<Long> pending) implements ShardToMaster {}

    /** Answers how many pushes are held. */
    record Confirmed(ShardLife life, long request, int held) implements ShardToMaster {}

    /** Answers a hold with the last sequence taken of each worker. */
    record Holding(ShardLife life, CutId cut, Map<String, Long> taken) implements ShardToMaster {}

    /** Has taken everything up to the sequences of a flush. */
    record Flushed(ShardLife life, CutId cut) implements ShardToMaster {}

    /**
     * Has written its part of a cut.
     *
     * @param applied stands for the set of pushes that went into an update
     * @param pending stands for the set of pushes that wait for their round
     * @param count pushes that went into an update
     */
    record Saved(ShardLife life, CutId cut, long applied, long pending, long count) implements ShardToMaster {}

    /**
     * Refuses an order, since the server follows another master.
     *
     * @param followed the number of that master's term
     */
    record Refused(long followed) implements ShardToMaster {}
}
