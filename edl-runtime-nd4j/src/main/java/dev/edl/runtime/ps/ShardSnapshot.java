package dev.edl.runtime.ps;

import java.util.Collection;
import java.util.List;

/**
 * The whole state of one parameter shard at one moment: weights, optimizer slots, counters, the set of applied pushes,
 * and the gradients that wait for their round. Immutable: it shares nothing with the shard.
 */
public final class ShardSnapshot {
    private final ShardRange range;
    private final Optimizer optimizer;
    private final long version;
    private final State state;
    private final AppliedPushes applied;
    private final List<Long> pending;

    ShardSnapshot(
            ShardRange range,
            Optimizer optimizer,
            long version,
            State state,
            AppliedPushes applied,
            Collection<Long> pending) {
        this.range = range;
        this.optimizer = optimizer;
        this.version = version;
        this.state = state;
        this.applied = applied;
        this.pending = pending.stream().sorted().toList();
    }

    /** The part of the flat vector that the shard owns. */
    public ShardRange range() {
        return range;
    }

    /** The optimizer with the learning rate of the moment. */
    public Optimizer optimizer() {
        return optimizer;
    }

    /** Updates made. */
    public long version() {
        return version;
    }

    /** Pushes that went into an update. */
    public long appliedCount() {
        return applied.count();
    }

    /** Ids of the pushes that wait for their round, ascending. */
    public List<Long> pending() {
        return pending;
    }

    /**
     * Copies the weights into their place in a full-length vector.
     *
     * @param full as long as the whole model's parameters
     */
    public void copyTo(float[] full) {
        System.arraycopy(state.weights, 0, full, range.offset(), range.length());
    }

    /** Whether the other shard's state is made of the same pushes, so that both are of one cut. */
    boolean agreesWith(ShardSnapshot other) {
        return applied.equals(other.applied) && pending.equals(other.pending);
    }

    /** Refuses a shard whose state this cannot be. */
    void requireFits(ShardRange other, Optimizer next, int minibatchesPerEpoch) {
        if (!range.equals(other)) {
            throw new IllegalArgumentException("a snapshot of " + range + " does not fit " + other);
        }
        if (!next.continues(optimizer)) {
            throw new IllegalArgumentException(
                    range.name() + ": a snapshot of the optimizer " + optimizer + " cannot be continued with " + next);
        }
        if (applied.perEpoch() != minibatchesPerEpoch) {
            throw new IllegalArgumentException(range.name() + ": a snapshot that counts " + applied.perEpoch()
                    + " minibatches per epoch does not fit a job of " + minibatchesPerEpoch);
        }
    }

    float[] weights() {
        return state.weights;
    }

    int slotCount() {
        return state.slots.length;
    }

    float[] slot(int i) {
        return state.slots[i];
    }

    float[] pendingSum() {
        return state.sum;
    }

    long step() {
        return state.step;
    }

    AppliedPushes applied() {
        return applied;
    }

    /** For example {@code ps-1[320..650) at version 12, applied 0 complete epochs, 12 of 938 in epoch 0}. */
    @Override
    public String toString() {
        return range + " at version " + version + ", applied " + applied
                + (pending.isEmpty() ? "" : ", pending " + pending);
    }

    /** The vectors of a snapshot, owned by it. */
    static final class State {
        final float[] weights;
        final float[][] slots;
        final float[] sum;
        final long step;

        /**
         * Takes the arrays over.
         *
         * @param sum the accumulated gradients; empty when none wait
         * @param step updates made with these slots
         */
        State(float[] weights, float[][] slots, float[] sum, long step) {
            this.weights = weights;
            this.slots = slots;
            this.sum = sum;
            this.step = step;
        }
    }
}
