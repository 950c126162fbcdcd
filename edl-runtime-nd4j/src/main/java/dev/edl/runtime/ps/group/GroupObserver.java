package dev.edl.runtime.ps.group;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardObserver;
import dev.edl.runtime.ps.ShardRange;
import java.util.List;

/**
 * Sees what the users of a {@link ShardGroup} are told, and, with an observer for each shard, what the shards do. Called
 * by the users' threads; must not use the group and must not throw. Arrays and rows are read during the call only.
 */
public interface GroupObserver {
    /** An observer for a shard that takes its place in the group, before any worker uses it. */
    ShardObserver shard(ShardRange range);

    /**
     * A worker has got weights.
     *
     * @param versions what it was told that they are, one for each shard
     * @param weights the whole vector, as the worker has it
     */
    void pulled(String worker, long[] versions, float[] weights);

    /** A worker is about to push; no shard has seen any of it. */
    void pushing(String worker, long pushId, long[] basedOnVersions, float[] gradient, List<EmbeddingRows> rows);

    /**
     * A worker gets the answer to its push.
     *
     * @param results the shards' answers, in the order of shards
     * @param told the answer that the worker gets
     */
    void pushed(String worker, long pushId, List<PushResult> results, PushResult told);

    /** A worker's wait for a round is over; whether it is told that every shard has applied the push. */
    void awaited(String worker, long pushId, boolean applied);

    /** A caller is told that every shard holds the pushes from the first to the one before {@code resumeAt}. */
    void confirmed(long firstPushId, long resumeAt);
}
