package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.util.List;

/**
 * Observer of one parameter shard, called in the order of the shard's actions. The calls are made under the shard's
 * lock, so they must be quick and must not wait, use the shard or throw. Arrays and rows may be read during the call
 * only.
 */
public interface ShardObserver {
    /** The shard has a new state: its first one, or a restored one. */
    void started(ShardSnapshot state);

    /**
     * A push was accepted into the open round.
     *
     * @param version updates made before it
     */
    void accepted(
            String worker, long pushId, long basedOnVersion, long version, float[] gradient, List<EmbeddingRows> rows);

    /** A push was not accepted, as duplicate or stale. */
    void refused(String worker, long pushId, long basedOnVersion, PushResult result);

    /**
     * An update was made.
     *
     * @param version the new version
     * @param pushes the round, in order of arrival
     * @param weights the new ones, of the shard's range only
     */
    void updated(long version, List<Long> pushes, float learningRate, float[] weights);

    /** A snapshot was taken. */
    void saved(ShardSnapshot state);

    /** The shard was retired; no call follows. */
    void stopped();
}
