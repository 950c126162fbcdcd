package dev.edl.runtime.ps.group;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.shard.ShardObserver;
import java.util.List;

/**
 * Observer of a {@link ShardGroup}, for histories of a training. It receives what workers send and receive, and returns
 * a {@link ShardObserver} for each shard, which receives what the shard does.
 *
 * <p>The group calls it on the threads of its workers. An implementation must not use the group and must not throw.
 * Arrays and rows may be read during the call only.
 */
public interface GroupObserver {
    /** Returns an observer for a shard that is attached to the group, before any worker uses the shard. */
    ShardObserver shard(ShardRange range);

    /**
     * Reports that a worker has pulled weights.
     *
     * @param versions versions of the weights that the worker received, one for each shard
     * @param weights whole flat vector that the worker received
     */
    void pulled(String worker, long[] versions, float[] weights);

    /** Reports that a worker is about to push; no shard has received any part of the push. */
    void pushing(String worker, long pushId, long[] basedOnVersions, float[] gradient, List<EmbeddingRows> rows);

    /**
     * Reports the result that a worker receives for its push.
     *
     * @param results the shards' results, in the order of shards
     * @param told combined result that the worker receives
     */
    void pushed(String worker, long pushId, List<PushResult> results, PushResult told);

    /** Reports that a worker's wait for a round has ended, and whether every shard has applied the push. */
    void awaited(String worker, long pushId, boolean applied);

    /**
     * Reports that a caller has received confirmation that every shard holds the pushes from the first one up to
     * {@code resumeAt}, exclusive.
     */
    void confirmed(long firstPushId, long resumeAt);
}
