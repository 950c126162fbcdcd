package dev.edl.testkit.history;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.RecordedVector;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replays the updates of a run from the gradients that its workers sent, and compares the weights.
 *
 * <p>A shard's events are in the order of its updates, and an update depends only on weights, slots, gradients and
 * rate. So every bit must be equal.
 *
 * <p>A life can be replayed if gradients were recorded and its state descends from recorded first values. A run that
 * resumed from an earlier run's checkpoint is not replayed, and neither are rows of embedding tables. The replay of a
 * life ends at its first difference, because all later updates would differ.
 */
final class HistoryReplay {
    private static final Consistency BY_HAND =
            Consistency.staleness(Integer.MAX_VALUE).withGradsToWait(Consistency.ALL);

    private final HistoryEvent.Began began;
    private final ViolationCollector violations;
    private final int size;
    private final @Nullable UpdateRule rule;
    private final Map<RecordedShardLife, ParameterShard> shards = new HashMap<>();
    private final float[] weights;
    private double rate;

    HistoryReplay(HistoryEvent.Began began, ViolationCollector violations) {
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
     * Starts the replay of a life.
     *
     * @param values the shard's recorded first weights; null if the life did not begin with them
     * @param from replayed state of an earlier life from which this life starts; null if there is none
     * @return the state with which the life begins; null if the life cannot be replayed
     */
    @Nullable
    ShardSnapshot start(RecordedShardLife life, @Nullable RecordedVector values, @Nullable ShardSnapshot from) {
        if (rule == null || (values == null && from == null)) {
            return null;
        }
        ShardRange range = began.ranges().get(life.shard);
        ParameterShard shard =
                new ParameterShard(range, began.ranges().size(), contents(), rule, began.minibatchesPerEpoch());
        // A member that never pushes, so that a round ends only when the history does.
        shard.join("history");
        if (from != null) {
            shard.restore(from);
        } else if (values != null) {
            System.arraycopy(values.toArray(), 0, weights, range.offset(), range.length());
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

    /** Adds an accepted push to the replayed life. If its gradient was not recorded, ends the replay of the life. */
    void accept(RecordedShardLife life, @Nullable RecordedVector gradient, long pushId) {
        ParameterShard shard = shards.get(life);
        if (shard == null) {
            return;
        }
        if (gradient == null || gradient.size() != size) {
            shards.remove(life);
            return;
        }
        shard.push("replay", pushId, shard.version(), gradient.toArray());
    }

    /** Replays an update, and reports a violation if the weights differ from the recorded ones. */
    void update(RecordedShardLife life, float recordedRate, long print) {
        ParameterShard shard = shards.get(life);
        if (shard == null) {
            return;
        }
        rate = recordedRate;
        shard.flush();
        shard.pull(weights);
        ShardRange range = shard.range();
        float[] made = Arrays.copyOfRange(weights, range.offset(), range.end());
        if (RecordedVector.copyOf(made).fingerprint() == print) {
            violations.replayed++;
            return;
        }
        shards.remove(life);
        violations.violated(
                HistoryRule.REPLAYED,
                life + " made version " + life.version + " with other weights than its gradients give");
    }

    /** Returns the replayed state of a life; null if the life is not replayed. */
    @Nullable
    ShardSnapshot snapshot(RecordedShardLife life) {
        ParameterShard shard = shards.get(life);
        return shard == null ? null : shard.snapshot();
    }
}
