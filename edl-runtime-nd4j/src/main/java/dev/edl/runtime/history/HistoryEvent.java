package dev.edl.runtime.history;

import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Event of a run, recorded at a worker, a shard or the master.
 *
 * <p>Events are totally ordered. A shard's events are recorded under its lock, so their order is that of their
 * occurrence. A worker's events are recorded before it sends and after it receives the response, so that the shard's
 * handling of a push lies between the two. Lists about shards have one entry per shard, in the shards' order.
 *
 * <p>A <i>life</i> of a shard begins when it gets a state, and ends when it is removed or gets another state. Lives of
 * one shard are counted from 0.
 */
public sealed interface HistoryEvent {
    /**
     * Configuration of the training and its update rule; the first event of every history.
     *
     * @param ranges of the parameter shards
     * @param trained number of leading floats of the vector that the optimizer updates
     * @param minibatchesPerEpoch gives push ids their meaning
     * @param optimizer as {@link dev.edl.runtime.optimizers.Optimizer#toString()} writes it
     * @param staleness maximum of updates between pull and push; {@link Long#MAX_VALUE} for no bound
     * @param gradsToWait maximum of gradients in one update
     * @param detail the recorded level of detail
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
     * A worker received weights.
     *
     * @param versions the versions that the shards reported for them
     * @param weights fingerprints of the received weights of each shard's range
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
     * @param basedOn the versions that the worker states as the basis of the gradient
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
     * A worker received the outcome of its push.
     *
     * @param outcomes each shard's outcome
     * @param versions each shard's version at its response
     * @param told the overall outcome that the worker received
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

    /**
     * A worker's wait for the round of its push is over; {@code applied} is whether it received that every shard has
     * applied the push.
     */
    record Awaited(String worker, long pushId, boolean applied) implements HistoryEvent {}

    /**
     * A worker requested the push from which to resume a task, and received that every shard holds the earlier pushes.
     *
     * @param first of the task
     * @param resumeAt the first push to do; if none is left, the one after the last
     */
    record Confirmed(long first, long resumeAt) implements HistoryEvent {}

    /**
     * A shard's life begins.
     *
     * @param version number of updates made
     * @param applied pushes that went into them
     * @param pending pushes that wait for their round
     * @param state fingerprint of the whole state
     * @param weights fingerprint of its weights
     * @param values its first weights, if gradients are recorded and it has made no update
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
     * A shard accepted a push into its open round.
     *
     * @param version number of updates made
     * @param print fingerprint of the shard's part of the gradient as received, rows included
     */
    record Accepted(int shard, int life, String worker, long pushId, long basedOn, long version, long print)
            implements HistoryEvent {}

    /** A shard ignored a push: {@code DUPLICATE} if it holds the push already, {@code STALE} if the push is too old. */
    record Refused(
            int shard, int life, String worker, long pushId, long basedOn, long version, PushResult.Outcome outcome)
            implements HistoryEvent {}

    /**
     * A shard made an update.
     *
     * @param version the new version
     * @param pushes the pushes of the round, in order of arrival
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

    /** A snapshot of a shard was taken; parameters as in {@link Started}. */
    record Saved(int shard, int life, long version, PushSet applied, PushSet pending, long state)
            implements HistoryEvent {}

    /** A shard's life ended. */
    record Stopped(int shard, int life) implements HistoryEvent {}

    /** The master counts a task as complete; its pushes are {@code count} consecutive ids from {@code first} on. */
    record TaskCompleted(long first, int count) implements HistoryEvent {}

    /**
     * The training has ended at the master.
     *
     * @param expected the pushes of the whole training
     * @param versions of the snapshots that form the result
     */
    record Ended(PushSet expected, List<Long> versions) implements HistoryEvent {
        /** Copies the list. */
        public Ended {
            versions = List.copyOf(versions);
        }
    }
}
