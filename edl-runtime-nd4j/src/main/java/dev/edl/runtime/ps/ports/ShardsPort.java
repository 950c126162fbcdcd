package dev.edl.runtime.ps.ports;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.ps.BaseVersions;
import dev.edl.runtime.ps.PushResult;
import java.time.Duration;
import java.util.List;

/**
 * A worker's end of all parameter shards.
 *
 * <p>For one worker and one thread at a time. Each call that needs an absent shard waits for its successor, at most as long as
 * the port was told, and then throws {@link dev.edl.runtime.ps.ShardTimeoutException}. One minibatch:
 *
 * <pre>{@code
 * BaseVersions base = new BaseVersions(shards.count());
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

    /** Returns the number of a shard that is absent; -1 when none is. For any thread. */
    int missing();

    /** Whether an observer sees what happens; a {@link #pull(float[], List, BaseVersions)} shows it the whole vector. */
    boolean observed();

    /**
     * Gives the weights of all shards to a sink, and fills the rows that a batch needs. Each shard gives both of one version.
     * Not while the port is {@linkplain #observed() observed}.
     *
     * @param rows of every embedding table of the model, in order; empty for none
     * @param base overwritten: the life and version of every shard
     */
    void pull(ParameterSink into, List<EmbeddingRows> rows, BaseVersions base) throws InterruptedException;

    /**
     * Copies the weights of all shards, and fills the rows that a batch needs.
     *
     * @param into as long as the whole model's parameters, overwritten
     */
    void pull(float[] into, List<EmbeddingRows> rows, BaseVersions base) throws InterruptedException;

    /**
     * Pushes a gradient to every shard, and never waits for other workers. The outcome is STALE when any shard refused it
     * (pull, recompute, push again under the same id: the others will know it), else ACCUMULATED when any shard waits for
     * others, else APPLIED when any shard applied it, else DUPLICATE.
     *
     * @param pushId {@code epoch * minibatchesPerEpoch + minibatch}, the same at every try of a minibatch
     * @param base what {@link #pull} wrote
     * @param gradient as long as the whole model's parameters; read, never kept
     * @param rows with the gradients of rows, in the order of the model's tables; read, never kept
     * @throws dev.edl.runtime.ps.NonFiniteGradientException for NaN or an infinity; no shard has applied anything
     */
    PushResult push(long pushId, BaseVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException;

    /** Returns what each shard answered to the last push, in the order of shards; empty before the first. */
    List<PushResult> answers();

    /**
     * Waits until a push that was ACCUMULATED has gone into an update on every shard.
     *
     * @param bound the longest wait for rounds; an absent shard is waited for in addition
     * @return true then; false when a shard was replaced meanwhile and does not know the push, so that the minibatch must be
     *     done again
     * @throws dev.edl.runtime.ps.ShardTimeoutException when the bound is over; names the shard, the round and the members
     *     that are missing
     */
    boolean awaitRound(long pushId, Duration bound) throws InterruptedException;

    /**
     * Returns the first of some consecutive pushes that some shard does not hold; behind the last when every shard holds all.
     * A task that was handed out before is resumed there.
     */
    long resumeAt(long firstPushId, int count) throws InterruptedException;
}
