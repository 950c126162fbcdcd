package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.util.List;

/**
 * Sees what one parameter shard does, in the order in which it does it: it is called under the shard's lock, so it must
 * be quick, must not wait, must not use the shard, and must not throw. Arrays and rows are read during the call only.
 */
public interface ShardObserver {
    /** The shard has a new state, which it goes on from: its first one, or one that was restored. */
    void started(ShardSnapshot state);

    /**
     * A push was taken into the open round.
     *
     * @param version updates made before it
     */
    void accepted(
            String worker, long pushId, long basedOnVersion, long version, float[] gradient, List<EmbeddingRows> rows);

    /** Nothing was done with a push. */
    void refused(String worker, long pushId, long basedOnVersion, PushResult result);

    /**
     * An update was made.
     *
     * @param version that it made
     * @param pushes the round, in the order in which they came
     * @param weights the new ones, of the shard's range only
     */
    void updated(long version, List<Long> pushes, float learningRate, float[] weights);

    /** A snapshot was taken. */
    void saved(ShardSnapshot state);

    /** The shard was taken away; nothing follows. */
    void stopped();
}
