package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.util.List;

/**
 * How the words of a worker reach a shard: in one JVM, by calling it. The place for a transport, and, in tests, for one
 * that loses, repeats or changes what it carries.
 */
interface ShardLink {
    /** Calls the shard. */
    ShardLink DIRECT = new ShardLink() {};

    /** {@link ParameterShard#pull(ParameterSink, List)}. */
    default long pull(ParameterShard shard, ParameterSink into, List<EmbeddingRows> rows) {
        return shard.pull(into, rows);
    }

    /** {@link ParameterShard#push}, for a gradient that was looked through already. */
    default PushResult push(
            ParameterShard shard,
            String worker,
            long pushId,
            long basedOnVersion,
            float[] gradient,
            List<EmbeddingRows> rows) {
        return shard.pushFinite(worker, pushId, basedOnVersion, gradient, rows);
    }

    /** {@link ParameterShard#held}. */
    default int held(ParameterShard shard, long firstPushId, int count) {
        return shard.held(firstPushId, count);
    }
}
