package dev.edl.runtime.ps.ports;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.WeightVersions;
import java.time.Duration;
import java.util.List;

/**
 * A worker's access to all parameter shards.
 *
 * <p>For one worker and one thread at a time. A call that needs an absent shard waits for its successor, up to the
 * configured bound. Then it throws {@link dev.edl.runtime.ps.ShardTimeoutException}. One minibatch:
 *
 * <pre>{@code
 * WeightVersions base = new WeightVersions(shards.count());
 * shards.pull(sink, batch.tables(), base);
 * model.gradient(weights, batch, gradient);
 * PushResult result = shards.push(pushId, base, gradient, batch.tables());
 * boolean redo = result.outcome() == STALE
 *     || result.outcome() == ACCUMULATED && synchronous && !shards.awaitRound(pushId, bound);
 * }</pre>
 */
public interface ShardsPort {
    /** Returns the number of shards. */
    int count();

    /** Returns the index of an absent shard; -1 if none is absent. Any thread may call it. */
    int missing();

    /**
     * Returns whether the port reports its calls to an observer. {@link #pull(float[], List, WeightVersions)} passes the
     * whole vector to it.
     */
    default boolean observed() {
        return false;
    }

    /**
     * Passes the weights of all shards to a sink, and fills the rows that a batch needs. Each shard's weights and rows
     * are of one version. Not allowed while the port is {@linkplain #observed() observed}.
     *
     * @param rows rows of every embedding table of the model, in order; empty for none
     * @param base receives the life and version of every shard's weights
     */
    void pull(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException;

    /**
     * Copies the weights of all shards, and fills the rows that a batch needs.
     *
     * @param into vector as long as the whole model's parameters; overwritten
     */
    void pull(float[] into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException;

    /**
     * Pushes a gradient to every shard without waiting for other workers. The outcome is the first of these that
     * applies:
     * <ul>
     * <li>STALE: a shard refused it. Pull, recompute and push again under the same id, which the other shards
     * recognize.
     * <li>ACCUMULATED: at a shard, the push waits in its round for other workers.
     * <li>APPLIED: a shard applied it.
     * <li>DUPLICATE: every shard had it before.
     * </ul>
     *
     * @param pushId {@code epoch * minibatchesPerEpoch + minibatch}, the same at every attempt of a minibatch
     * @param base lives and versions that {@link #pull} wrote with the gradient's weights
     * @param gradient gradient as long as the whole model's parameters; read, never kept
     * @param rows rows with their gradients, in the order of the model's tables; read, never kept
     * @throws dev.edl.runtime.ps.NonFiniteGradientException for NaN or an infinity; no shard has applied anything
     */
    PushResult push(long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException;

    /** Returns each shard's result of the last push, in the order of shards; empty before the first. */
    List<PushResult> answers();

    /**
     * Waits until an ACCUMULATED push has gone into an update on every shard.
     *
     * @param bound the longest wait for rounds; the wait for an absent shard is added to it
     * @return true once it is part of an update on every shard; false if a shard was replaced meanwhile and does not
     *     hold the push, so that the worker must repeat the minibatch
     * @throws dev.edl.runtime.ps.ShardTimeoutException when the bound expires; names the shard, the round and the
     *     missing members
     */
    boolean awaitRound(long pushId, Duration bound) throws InterruptedException;

    /**
     * Returns the first of some consecutive pushes that at least one shard does not hold. Returns the id after the last
     * one if every shard holds all. A worker resumes a task at that push if the task was assigned before.
     */
    long resumeAt(long firstPushId, int count) throws InterruptedException;
}
