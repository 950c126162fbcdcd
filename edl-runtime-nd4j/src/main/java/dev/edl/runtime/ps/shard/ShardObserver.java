package dev.edl.runtime.ps.shard;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardSnapshot;
import java.util.List;

/**
 * Observer of one parameter shard, called in the order of the shard's actions. The calls are made under the shard's
 * lock, so they must be quick and must not wait, use the shard or throw. Arrays and rows may be read during the call
 * only.
 */
public interface ShardObserver {
    /** Reports that the shard has a new state: its first one, or a restored one. */
    void started(ShardSnapshot state);

    /**
     * Reports that a push was accepted into the open round.
     *
     * @param version number of updates that the shard made before this push
     */
    void accepted(
            String worker, long pushId, long basedOnVersion, long version, float[] gradient, List<EmbeddingRows> rows);

    /** Reports that a push was not accepted, because it is a duplicate or stale. */
    void refused(String worker, long pushId, long basedOnVersion, PushResult result);

    /**
     * Reports that the shard made an update.
     *
     * @param version version that the update made
     * @param pushes ids of the round's pushes, in order of arrival
     * @param weights updated weights of the shard's range
     */
    void updated(long version, List<Long> pushes, float learningRate, float[] weights);

    /** Reports that a snapshot of the shard was taken. */
    void saved(ShardSnapshot state);

    /** Reports that the shard was retired; no further call follows. */
    void stopped();
}
