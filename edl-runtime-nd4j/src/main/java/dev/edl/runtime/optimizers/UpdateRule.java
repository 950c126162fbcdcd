package dev.edl.runtime.optimizers;

import java.util.Objects;

/**
 * Immutable rule of a shard's updates: optimizer, learning rate, number of gradients and staleness.
 *
 * <pre>{@code
 * UpdateRule.of(Optimizer.adam(0.001f), Consistency.asynchronous())
 *     .withLearningRate(LearningRateSchedule.cosine(0.001, 10_000))
 *     .withStalenessModulation();
 * }</pre>
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

    /** Returns a rule with the optimizer's own learning rate. */
    public static UpdateRule of(Optimizer optimizer, Consistency consistency) {
        return new UpdateRule(optimizer, consistency, LearningRateSchedule.constant(optimizer.learningRate()), false);
    }

    /** Returns the same rule with a learning rate that depends on the shard's version. */
    public UpdateRule withLearningRate(LearningRateSchedule newSchedule) {
        return new UpdateRule(optimizer, consistency, newSchedule, modulated);
    }

    /**
     * Returns the same rule with the learning rate divided by the staleness of the gradient, ElasticDL's modulation.
     *
     * <p>The division applies when the staleness is above 1. Staleness is the number of updates between the worker's
     * pull and its push; for a round, the greatest staleness of its gradients.
     *
     * @throws IllegalArgumentException when the consistency mode is synchronous, because no gradient is stale then
     */
    public UpdateRule withStalenessModulation() {
        if (consistency.isSynchronous()) {
            throw new IllegalArgumentException("staleness modulation does nothing in synchronous training, where no"
                    + " gradient is stale; leave it out, or give a staleness bound above 0");
        }
        return new UpdateRule(optimizer, consistency, schedule, true);
    }

    /** Returns the optimizer; its own learning rate is used only if no schedule is set. */
    public Optimizer optimizer() {
        return optimizer;
    }

    /** Returns the consistency mode: the staleness bound and the number of gradients in an update. */
    public Consistency consistency() {
        return consistency;
    }

    /** Returns the learning rate as a function of the number of updates. */
    public LearningRateSchedule learningRate() {
        return schedule;
    }

    /** Returns whether the learning rate is divided by the staleness. */
    public boolean modulatesStaleness() {
        return modulated;
    }

    /** Returns the learning rate of the update that follows {@code version} updates. */
    public float rate(long version, long staleness) {
        float rate = schedule.rate(version);
        return modulated && staleness > 1 ? rate / staleness : rate;
    }

    /** Returns the same rule with a constant learning rate, above 0. */
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

    /**
     * Returns, for example,
     * {@code sgd:learning_rate=0.1, constant:rate=0.1, staleness unbounded, grads_to_wait 1, modulated}.
     */
    @Override
    public String toString() {
        return optimizer + ", " + schedule + ", " + consistency + (modulated ? ", modulated" : "");
    }
}
