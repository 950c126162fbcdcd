package dev.edl.runtime.history;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.shard.ShardObserver;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/** Records the events of one shard, under the shard's lock. */
final class ShardRecorder implements ShardObserver {
    private final ShardRange range;
    private final HistoryEvent.Began began;
    private final Consumer<HistoryEvent> record;
    private final IntUnaryOperator nextLife;
    private int life = -1;

    /**
     * Creates a recorder for a shard without state.
     *
     * @param nextLife returns the number of the next life of a shard
     */
    ShardRecorder(
            ShardRange range, HistoryEvent.Began began, Consumer<HistoryEvent> record, IntUnaryOperator nextLife) {
        this.range = range;
        this.began = began;
        this.record = record;
        this.nextLife = nextLife;
    }

    @Override
    public void started(ShardSnapshot state) {
        stopped();
        life = nextLife.applyAsInt(range.index());
        float[] full = new float[range.end()];
        state.copyTo(full);
        boolean values = began.detail() == HistoryDetail.GRADIENTS
                && state.version() == 0
                && state.pending().isEmpty();
        record.accept(new HistoryEvent.Started(
                range.index(),
                life,
                state.version(),
                PushSet.of(state.appliedPushes()),
                PushSet.of(state.pending().stream().mapToLong(Long::longValue)),
                state.fingerprint(),
                TransferFingerprints.weights(full, range.offset(), range.end()),
                values ? RecordedVector.over(Arrays.copyOfRange(full, range.offset(), range.end())) : null));
    }

    @Override
    public void accepted(
            String worker, long pushId, long basedOnVersion, long version, float[] gradient, List<EmbeddingRows> rows) {
        long print = TransferFingerprints.gradient(range, began.ranges().size(), gradient, rows);
        record.accept(new HistoryEvent.Accepted(range.index(), life, worker, pushId, basedOnVersion, version, print));
    }

    @Override
    public void refused(String worker, long pushId, long basedOnVersion, PushResult result) {
        record.accept(new HistoryEvent.Refused(
                range.index(), life, worker, pushId, basedOnVersion, result.version(), result.outcome()));
    }

    @Override
    public void updated(long version, List<Long> pushes, float learningRate, float[] weights) {
        record.accept(new HistoryEvent.Updated(
                range.index(),
                life,
                version,
                pushes,
                learningRate,
                TransferFingerprints.weights(weights, 0, weights.length)));
    }

    @Override
    public void saved(ShardSnapshot state) {
        record.accept(new HistoryEvent.Saved(
                range.index(),
                life,
                state.version(),
                PushSet.of(state.appliedPushes()),
                PushSet.of(state.pending().stream().mapToLong(Long::longValue)),
                state.fingerprint()));
    }

    @Override
    public void stopped() {
        if (life >= 0) {
            record.accept(new HistoryEvent.Stopped(range.index(), life));
            life = -1;
        }
    }
}
