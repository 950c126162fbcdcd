package dev.edl.runtime.protocol;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardObserver;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sees one life of a shard, and computes its weights from the pushes alone. */
final class ShardWatch implements ShardObserver {
    final ParameterShard shard;
    ShardLife life = ShardLife.UNORDERED;
    final Set<Long> applied = new HashSet<>();
    final Set<Long> pending = new HashSet<>();
    private final Oracle oracle;
    private final ShardRange range;
    private double[] weights = {};
    private long version;

    ShardWatch(Oracle oracle, ParameterShard shard) {
        this.oracle = oracle;
        this.shard = shard;
        this.range = shard.range();
    }

    boolean holds(long push) {
        return applied.contains(push) || pending.contains(push);
    }

    private void breaks(String what) {
        oracle.breaks(range + " " + what);
    }

    @Override
    public void started(ShardSnapshot state) {
        float[] full = new float[range.end()];
        state.copyTo(full);
        weights = new double[range.length()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = full[range.offset() + i];
        }
        state.appliedPushes().forEach(applied::add);
        pending.addAll(state.pending());
        version = state.version();
    }

    @Override
    public void accepted(
            String worker, long pushId, long basedOn, long now, float[] gradient, List<EmbeddingRows> rows) {
        if (holds(pushId)) {
            breaks("took push " + pushId + " again");
        }
        if (now - basedOn > oracle.staleness() || basedOn > now) {
            breaks("took push " + pushId + " of version " + basedOn + " at version " + now);
        }
        oracle.accepted(this, worker, pushId);
        pending.add(pushId);
    }

    @Override
    public void refused(String worker, long pushId, long basedOn, PushResult result) {
        // Nothing was done.
    }

    @Override
    public void updated(long next, List<Long> pushes, float learningRate, float[] now) {
        if (next != version + 1) {
            breaks("made version " + next + " of " + version);
        }
        version = next;
        for (long push : pushes) {
            if (!applied.add(push)) {
                breaks("applied push " + push + " again");
            }
            pending.remove(push);
            for (int i = 0; i < weights.length; i++) {
                weights[i] -= Oracle.gradient(push, range.offset() + i) / (double) pushes.size();
            }
        }
        for (int i = 0; i < weights.length; i++) {
            if (Math.abs(weights[i] - now[i]) > 1e-2) {
                breaks("has weight " + now[i] + " where its pushes make " + weights[i]);
            }
        }
    }

    @Override
    public void saved(ShardSnapshot state) {
        // The parts of a cut are compared when it is committed.
    }

    @Override
    public void stopped() {
        // Nothing follows.
    }
}
