package dev.edl.runtime.history;

import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that one of the observers of a run saw.
 *
 * <p>Events stand in one order. Those of a shard are recorded under its lock, so their order is the order in which they
 * happened. Those of a worker are recorded before it sends and after it is told, so that what a shard does with a push
 * stands between the two. Lists that speak of shards have one entry for each, in the shards' order.
 *
 * <p>A <i>life</i> of a shard begins when it gets a state and ends when it is taken away or gets another one; lives of
 * one shard are counted from 0.
 */
public sealed interface HistoryEvent {
    /**
     * What is trained, and by which rule; the first event of every history.
     *
     * @param ranges of the parameter shards
     * @param trained floats of the vector that the optimizer updates: the first ones
     * @param minibatchesPerEpoch gives push ids their meaning
     * @param optimizer as {@link dev.edl.runtime.optimizers.Optimizer#toString()} writes it
     * @param staleness the most updates that may lie between pull and push; {@link Long#MAX_VALUE} for no bound
     * @param gradsToWait the most gradients in one update
     * @param detail what was recorded
     */
    record Began(
            List<ShardRange> ranges,
            int trained,
            int minibatchesPerEpoch,
            String optimizer,
            long staleness,
            int gradsToWait,
            HistoryDetail detail)
            implements HistoryEvent {
        /** Copies the list. */
        public Began {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * A worker got weights.
     *
     * @param versions what it was told that they are
     * @param weights fingerprints of what it got, of each shard's range
     */
    record Pulled(String worker, List<Long> versions, List<Long> weights) implements HistoryEvent {
        /** Copies the lists. */
        public Pulled {
            versions = List.copyOf(versions);
            weights = List.copyOf(weights);
        }
    }

    /**
     * A worker is about to send a gradient.
     *
     * @param basedOn the versions that it says it was computed from
     * @param prints fingerprints of each shard's part, rows of embedding tables included
     * @param gradient the whole vector; null unless gradients are recorded
     */
    record Sent(
            String worker,
            long pushId,
            List<Long> basedOn,
            List<Long> prints,
            @Nullable RecordedVector gradient) implements HistoryEvent {
        /** Copies the lists. */
        public Sent {
            basedOn = List.copyOf(basedOn);
            prints = List.copyOf(prints);
        }
    }

    /**
     * A worker was told what became of its push.
     *
     * @param outcomes what each shard answered
     * @param versions that each shard said it had then
     * @param told what the worker was told of all
     */
    record Answered(
            String worker, long pushId, List<PushResult.Outcome> outcomes, List<Long> versions, PushResult.Outcome told)
            implements HistoryEvent {
        /** Copies the lists. */
        public Answered {
            outcomes = List.copyOf(outcomes);
            versions = List.copyOf(versions);
        }
    }

    /** A worker's wait for the round of its push is over; whether it was told that every shard has applied it. */
    record Awaited(String worker, long pushId, boolean applied) implements HistoryEvent {}

    /**
     * A worker asked from which push on a task must be done, and was told that every shard holds those before.
     *
     * @param first of the task
     * @param resumeAt the first that is to be done; behind the last when none is
     */
    record Confirmed(long first, long resumeAt) implements HistoryEvent {}

    /**
     * A shard's life begins.
     *
     * @param version updates made
     * @param applied pushes that went into them
     * @param pending pushes that wait for their round
     * @param state fingerprint of everything it keeps
     * @param weights fingerprint of its weights
     * @param values its first weights, when gradients are recorded and it has made no update
     */
    record Started(
            int shard,
            int life,
            long version,
            PushSet applied,
            PushSet pending,
            long state,
            long weights,
            @Nullable RecordedVector values)
            implements HistoryEvent {}

    /**
     * A shard took a push into its open round.
     *
     * @param version updates made
     * @param print fingerprint of the shard's part of the gradient, rows included, as it saw it
     */
    record Accepted(int shard, int life, String worker, long pushId, long basedOn, long version, long print)
            implements HistoryEvent {}

    /** A shard did nothing with a push: {@code DUPLICATE} as it holds it already, {@code STALE} as it is too old. */
    record Refused(
            int shard, int life, String worker, long pushId, long basedOn, long version, PushResult.Outcome outcome)
            implements HistoryEvent {}

    /**
     * A shard made an update.
     *
     * @param version that it made
     * @param pushes the round, in the order in which they came
     * @param rate the learning rate
     * @param weights fingerprint of the new weights
     */
    record Updated(int shard, int life, long version, List<Long> pushes, float rate, long weights)
            implements HistoryEvent {
        /** Copies the list. */
        public Updated {
            pushes = List.copyOf(pushes);
        }
    }

    /** A snapshot of a shard was taken; parameters as of {@link Started}. */
    record Saved(int shard, int life, long version, PushSet applied, PushSet pending, long state)
            implements HistoryEvent {}

    /** A shard's life is over. */
    record Stopped(int shard, int life) implements HistoryEvent {}

    /** The master counts a task as done, whose pushes are {@code first} and those that follow. */
    record TaskCompleted(long first, int count) implements HistoryEvent {}

    /**
     * The master has what was to be trained.
     *
     * @param expected the pushes of the whole training
     * @param versions of the snapshots that are the result
     */
    record Ended(PushSet expected, List<Long> versions) implements HistoryEvent {
        /** Copies the list. */
        public Ended {
            versions = List.copyOf(versions);
        }
    }
}
