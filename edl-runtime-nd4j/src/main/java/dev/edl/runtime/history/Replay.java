package dev.edl.runtime.history;

import dev.edl.runtime.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.internal.Fingerprint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the updates of a run anew, from the gradients that its workers sent, and compares the weights.
 *
 * <p>The order of a shard's events is the order of its updates, and an update is a function of weights, slots, gradients
 * and rate alone, so every bit must come out the same. Possible where gradients were recorded, for lives that began with
 * first values or go on from one that did; a run that went on from an earlier run's checkpoint is not replayed, and
 * neither are rows of embedding tables. After a difference the life is replayed no further: all that follows would
 * differ as well.
 */
final class Replay {
    private static final Consistency BY_HAND =
            Consistency.staleness(Integer.MAX_VALUE).withGradsToWait(Consistency.ALL);

    private final HistoryEvent.Began began;
    private final ViolationCollector violations;
    private final int size;
    private final @Nullable UpdateRule rule;
    private final Map<RecordedShardLife, ParameterShard> shards = new HashMap<>();
    private final float[] weights;
    private double rate;

    Replay(HistoryEvent.Began began, ViolationCollector violations) {
        this.began = began;
        this.violations = violations;
        this.size = began.ranges().get(began.ranges().size() - 1).end();
        this.weights = new float[size];
        this.rule = began.detail() == HistoryDetail.GRADIENTS
                ? UpdateRule.of(Optimizer.parse(began.optimizer()), BY_HAND)
                        .withLearningRate(LearningRateSchedule.custom("recorded", step -> rate))
                : null;
    }

    /**
     * A life begins.
     *
     * @param values its first weights, if it began with such
     * @param from the state of an earlier life that it goes on from, if that was replayed
     * @return the state that it begins with; null when it cannot be replayed
     */
    @Nullable
    ShardSnapshot start(RecordedShardLife life, @Nullable RecordedVector values, @Nullable ShardSnapshot from) {
        if (rule == null || (values == null && from == null)) {
            return null;
        }
        ShardRange range = began.ranges().get(life.shard);
        ParameterShard shard =
                new ParameterShard(range, began.ranges().size(), contents(), rule, began.minibatchesPerEpoch());
        // A member that never adds: a round is over when the history says so.
        shard.join("history");
        if (from != null) {
            shard.restore(from);
        } else if (values != null) {
            System.arraycopy(values.values(), 0, weights, range.offset(), range.length());
            shard.initialize(weights);
        }
        shards.put(life, shard);
        return shard.snapshot();
    }

    private ShardContents contents() {
        ParameterLayout.Builder layout = ParameterLayout.builder();
        if (began.trained() > 0) {
            layout.add("trained", began.trained());
        }
        if (size > began.trained()) {
            layout.addState("state", size - began.trained());
        }
        return ShardContents.of(layout.build(), List.of(), 0);
    }

    /** A push was accepted. */
    void accept(RecordedShardLife life, @Nullable RecordedVector gradient, long pushId) {
        ParameterShard shard = shards.get(life);
        if (shard == null) {
            return;
        }
        if (gradient == null || gradient.size() != size) {
            shards.remove(life);
            return;
        }
        shard.push("replay", pushId, shard.version(), gradient.values());
    }

    /** An update was made. */
    void update(RecordedShardLife life, float recordedRate, long print) {
        ParameterShard shard = shards.get(life);
        if (shard == null) {
            return;
        }
        rate = recordedRate;
        shard.flush();
        shard.pull(weights);
        ShardRange range = shard.range();
        if (Fingerprint.of(weights, range.offset(), range.end()) == print) {
            violations.replayed++;
            return;
        }
        shards.remove(life);
        violations.violated(
                HistoryRule.REPLAYED,
                life + " made version " + life.version + " with other weights than its gradients give");
    }

    /** Returns the state of a life; null when it is not replayed. */
    @Nullable
    ShardSnapshot snapshot(RecordedShardLife life) {
        ParameterShard shard = shards.get(life);
        return shard == null ? null : shard.snapshot();
    }
}
