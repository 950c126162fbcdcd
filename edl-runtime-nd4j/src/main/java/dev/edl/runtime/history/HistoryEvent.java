package dev.edl.runtime.history;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Event of a run, recorded at a worker, a shard or the master.
 *
 * <p>Events are totally ordered. A shard's events are recorded under its lock, so they are in the order in which they
 * occurred. A worker's events are recorded before it sends and after it receives the response, so that the shard's
 * handling of a push lies between the two. Lists about shards have one entry per shard, in the shards' order.
 *
 * <p>A <i>life</i> of a shard begins when it gets a state, and ends when it is removed or gets another state. Lives of
 * one shard are counted from 0.
 */
public sealed interface HistoryEvent {
    /**
     * Configuration of the training and its update rule; the first event of every history.
     *
     * @param ranges ranges of the parameter vector, one per parameter shard
     * @param trained number of leading floats of the parameter vector that the optimizer updates
     * @param minibatchesPerEpoch number of minibatches per epoch, by which a push id denotes an epoch and a minibatch
     * @param optimizer text form of the optimizer, by {@link dev.edl.runtime.optimizers.Optimizer#toString()}
     * @param staleness maximum number of updates between pull and push; {@link Long#MAX_VALUE} for no bound
     * @param gradsToWait maximum number of gradients in one update
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
     * @param versions versions that the shards reported for the weights
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
     * @param prints fingerprints of each shard's part of the gradient, including rows of embedding tables
     * @param gradient the whole gradient; null unless gradients are recorded
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
     * @param told overall outcome that the worker's client returned to it
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
     * A worker's wait for the round of its push is over.
     *
     * @param applied whether the worker received that every shard has applied the push
     */
    record Awaited(String worker, long pushId, boolean applied) implements HistoryEvent {}

    /**
     * A worker asked the shards where to resume a task, and received that every shard holds the task's earlier pushes.
     *
     * @param first id of the task's first push
     * @param resumeAt id of the first push that the worker must do; if none is left, the id after the task's last push
     */
    record Confirmed(long first, long resumeAt) implements HistoryEvent {}

    /**
     * A shard's life begins.
     *
     * @param version number of updates made
     * @param applied pushes that the shard has applied in these updates
     * @param pending pushes that wait for their round
     * @param state fingerprint of the shard's whole state
     * @param weights fingerprint of the shard's weights
     * @param values the shard's first weights, if gradients are recorded and the shard has made no update; otherwise
     *     null
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
     * @param print fingerprint of the received part of the gradient, including rows of embedding tables
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

    /** A snapshot of a shard was taken. The components have the same meaning as in {@link Started}. */
    record Saved(int shard, int life, long version, PushSet applied, PushSet pending, long state)
            implements HistoryEvent {}

    /** A shard's life ended. */
    record Stopped(int shard, int life) implements HistoryEvent {}

    /** The master counts a task as complete; its pushes are {@code count} consecutive ids from {@code first} on. */
    record TaskCompleted(long first, int count) implements HistoryEvent {}

    /**
     * The master has ended the training.
     *
     * @param expected the pushes of the whole training
     * @param versions versions of the shards' snapshots that form the result
     */
    record Ended(PushSet expected, List<Long> versions) implements HistoryEvent {
        /** Copies the list. */
        public Ended {
            versions = List.copyOf(versions);
        }
    }
}
