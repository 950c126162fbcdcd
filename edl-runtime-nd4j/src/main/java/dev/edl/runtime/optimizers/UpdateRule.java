package dev.edl.runtime.optimizers;

import java.util.Objects;

/**
 * How a shard makes an update: by which optimizer, with which learning rate, from how many gradients and how stale ones.
 *
 * <pre>{@code
 * UpdateRule.of(Optimizer.adam(0.001f), Consistency.asynchronous())
 *     .withLearningRate(LearningRateSchedule.cosine(0.001, 10_000))
 *     .withStalenessModulation();
 * }</pre>
 *
 * <p>Immutable.
 */
public final class UpdateRule {
    private final Optimizer optimizer;
    private final Consistency consistency;
    private final LearningRateSchedule schedule;
    private final boolean modulated;

    private UpdateRule(Optimizer optimizer, Consistency consistency, LearningRateSchedule schedule, boolean modulated) {
        this.optimizer = optimizer;
        this.consistency = consistency;
        this.schedule = schedule;
        this.modulated = modulated;
    }

    /** Updates with the optimizer's own learning rate. */
    public static UpdateRule of(Optimizer optimizer, Consistency consistency) {
        return new UpdateRule(optimizer, consistency, LearningRateSchedule.constant(optimizer.learningRate()), false);
    }

    /** The same with a learning rate that follows the shard's version, in place of the optimizer's own. */
    public UpdateRule withLearningRate(LearningRateSchedule newSchedule) {
        return new UpdateRule(optimizer, consistency, newSchedule, modulated);
    }

    /**
     * The same with the learning rate divided by the staleness of the gradient, when that is above 1: ElasticDL's
     * modulation. Staleness is the number of updates between the worker's pull and its push; of a round, the greatest.
     *
     * @throws IllegalArgumentException when synchronous, where no gradient is ever stale
     */
    public UpdateRule withStalenessModulation() {
        if (consistency.isSynchronous()) {
            throw new IllegalArgumentException("staleness modulation does nothing in synchronous training, where no"
                    + " gradient is stale; leave it out, or give a staleness bound above 0");
        }
        return new UpdateRule(optimizer, consistency, schedule, true);
    }

    /** The optimizer; its own learning rate is used only when no schedule was given. */
    public Optimizer optimizer() {
        return optimizer;
    }

    /** How stale a gradient may be, and how many make an update. */
    public Consistency consistency() {
        return consistency;
    }

    /** The learning rate by the number of updates made. */
    public LearningRateSchedule learningRate() {
        return schedule;
    }

    /** Whether the learning rate is divided by the staleness. */
    public boolean modulatesStaleness() {
        return modulated;
    }

    /** The learning rate of the update that follows {@code version} updates. */
    public float rate(long version, long staleness) {
        float rate = schedule.rate(version);
        return modulated && staleness > 1 ? rate / staleness : rate;
    }

    /** The same with a constant learning rate, above 0. */
    public UpdateRule withConstantRate(float learningRate) {
        return new UpdateRule(
                optimizer.withLearningRate(learningRate),
                consistency,
                LearningRateSchedule.constant(learningRate),
                modulated);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UpdateRule that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(toString());
    }

    /** For example {@code sgd:learning_rate=0.1, constant:rate=0.1, staleness unbounded, grads_to_wait 1, modulated}. */
    @Override
    public String toString() {
        return optimizer + ", " + schedule + ", " + consistency + (modulated ? ", modulated" : "");
    }
}
