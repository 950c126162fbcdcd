package dev.edl.runtime.ps.ports;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.FiniteGradientCheck;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.WeightVersions;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Base of a worker's access to all shards: checks the arguments of calls, numbers pushes, and combines the shards'
 * results.
 */
public abstract class CheckedShards implements ShardsPort {
    private static final long NO_PUSH = -1;

    private final ShardContents contents;
    /** Sequence number of this worker's last push, the same at all shards. */
    private long sequence;
    /** Id of the push that was aborted while a shard was absent; {@link #NO_PUSH} if there is none. */
    private long unfinished = NO_PUSH;

    protected CheckedShards(ShardContents contents) {
        this.contents = contents;
    }

    /** Pulls from all shards, with checked arguments. */
    protected abstract void pullAll(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base)
            throws InterruptedException;

    /**
     * Pushes to all shards, with checked arguments.
     *
     * @param number sequence number of the push, the same as before if the last attempt was aborted
     */
    protected abstract void pushAll(
            long number, long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException;

    /** Returns a shard's result of the last push. */
    protected abstract PushResult answer(int shard);

    @Override
    public final void pull(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base)
            throws InterruptedException {
        contents.requireRows(rows);
        requireVersions(count(), base);
        pullAll(into, rows, base);
    }

    @Override
    public final void pull(float[] into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException {
        requireLength(contents, into);
        pull(ParameterSink.into(into), rows, base);
    }

    @Override
    public final PushResult push(long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        requirePush(contents, count(), base, gradient, rows);
        // Keep the number when resending to a replaced shard, so that the other shards recognize the push.
        long number = pushId == unfinished ? sequence : ++sequence;
        unfinished = pushId;
        pushAll(number, pushId, base, gradient, rows);
        unfinished = NO_PUSH;
        PushResult.Outcome outcome = PushResult.Outcome.DUPLICATE;
        long version = 0;
        for (int i = 0; i < count(); i++) {
            PushResult result = answer(i);
            outcome = outcome.and(result.outcome());
            version = Math.max(version, result.version());
        }
        return new PushResult(outcome, version);
    }

    @Override
    public final List<PushResult> answers() {
        return sequence == 0
                ? List.of()
                : IntStream.range(0, count()).mapToObj(this::answer).toList();
    }

    /** Rejects a push that does not fit some shards, or whose gradient is not finite. */
    public static void requirePush(
            ShardContents contents, int shards, WeightVersions base, float[] gradient, List<EmbeddingRows> rows) {
        requireLength(contents, gradient);
        requireVersions(shards, base);
        contents.requireRows(rows);
        FiniteGradientCheck.requireFinite(gradient, 0, contents.size());
        FiniteGradientCheck.requireFinite(rows);
    }

    private static void requireVersions(int shards, WeightVersions base) {
        if (base.shards() != shards) {
            throw new IllegalArgumentException(
                    "there must be one version for each of " + shards + " shards, were " + base.shards());
        }
    }

    private static void requireLength(ShardContents contents, float[] full) {
        if (full.length != contents.size()) {
            throw new IllegalArgumentException(
                    "a vector must have the model's " + contents.size() + " floats, had " + full.length);
        }
    }
}
