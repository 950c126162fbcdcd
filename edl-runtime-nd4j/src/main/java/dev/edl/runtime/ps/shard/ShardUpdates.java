package dev.edl.runtime.ps.shard;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.AppliedPushes;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a shard: the update rule, the applied pushes, and the number of updates, which is the shard's version.
 * Used under the shard's lock.
 */
final class ShardUpdates {
    private final ShardParameters parameters;
    private final ShardRounds rounds;
    private UpdateRule rule;
    private AppliedPushes applied;
    private final PinnedCopies pins = new PinnedCopies();
    private boolean pinned;
    private long version;
    private long duplicates;
    private long stale;
    private @Nullable ShardObserver observer;

    ShardUpdates(ShardParameters parameters, ShardRounds rounds, UpdateRule rule, int minibatchesPerEpoch) {
        this.parameters = parameters;
        this.rounds = rounds;
        this.rule = rule;
        this.applied = new AppliedPushes(minibatchesPerEpoch);
    }

    /** Sets the observer, to which the caller then passes the shard's state. */
    void observe(ShardObserver next) {
        observer = next;
    }

    /** Passes an event to the observer, if there is one. */
    void tell(Consumer<ShardObserver> news) {
        if (observer != null) {
            news.accept(observer);
        }
    }

    /**
     * Accepts a finite gradient, as {@link ParameterShard#push} documents.
     *
     * @param thenWeights whether an applied gradient is overwritten with the weights of the new version
     */
    PushResult take(
            String worker,
            long pushId,
            long basedOnVersion,
            float[] gradient,
            List<EmbeddingRows> rows,
            boolean thenWeights) {
        Round round = rounds.open();
        if (applied.contains(pushId) || round.holds(pushId)) {
            duplicates++;
            return refuse(worker, pushId, basedOnVersion, PushResult.Outcome.DUPLICATE);
        }
        long staleness = version - basedOnVersion;
        // A worker may be ahead of a shard that was restored from an older checkpoint; its base weights no longer
        // exist.
        if (staleness < 0 || staleness > rule.consistency().staleness()) {
            stale++;
            return refuse(worker, pushId, basedOnVersion, PushResult.Outcome.STALE);
        }
        // Before any change: a custom schedule may throw.
        float rate = rule.rate(version, Math.max(staleness, round.staleness()));
        boolean first = round.count() == 0;
        round.add(worker, pushId, staleness);
        if (observer != null) {
            observer.accepted(worker, pushId, basedOnVersion, version, gradient, rows);
        }
        if (!rounds.full()) {
            parameters.accumulate(gradient, rows);
            return new PushResult(PushResult.Outcome.ACCUMULATED, version);
        }
        if (first) {
            parameters.apply(rule.optimizer(), rate, gradient, rows, thenWeights);
        } else {
            parameters.applyMean(rule.optimizer(), rate, gradient, rows, round.count(), thenWeights);
        }
        advance(rate);
        return new PushResult(PushResult.Outcome.APPLIED, version);
    }

    private PushResult refuse(String worker, long pushId, long basedOnVersion, PushResult.Outcome outcome) {
        PushResult result = new PushResult(outcome, version);
        if (observer != null) {
            observer.refused(worker, pushId, basedOnVersion, result);
        }
        return result;
    }

    /**
     * Applies the update of the open round if that round is complete and not empty.
     *
     * @param early whether to make the update even if the round is not complete
     * @return whether the update was made
     */
    boolean settle(boolean early) {
        Round round = rounds.open();
        if (round.count() == 0 || !(early || rounds.full())) {
            return false;
        }
        float rate = rule.rate(version, round.staleness());
        parameters.applyMean(rule.optimizer(), rate, round.count());
        advance(rate);
        return true;
    }

    /** Ends the round after its update. */
    private void advance(float rate) {
        version++;
        if (observer != null) {
            observer.updated(version, List.copyOf(rounds.open().pushes()), rate, parameters.weights());
        }
        applied.addRound(rounds.open().pushes(), rounds.open().gradients());
        rounds.end(Round.State.APPLIED);
        pinned = pins.offer(version, parameters);
    }

    /** Returns whether a version was pinned since the last call. */
    boolean pinned() {
        boolean was = pinned;
        pinned = false;
        return was;
    }

    boolean holds(long pushId) {
        return applied.contains(pushId) || rounds.open().holds(pushId);
    }

    ShardPushes pushes() {
        return new ShardPushes(
                applied.copy(), rounds.open().pushes().stream().sorted().toList());
    }

    AppliedPushes applied() {
        return applied;
    }

    long version() {
        return version;
    }

    long duplicates() {
        return duplicates;
    }

    long stale() {
        return stale;
    }

    PinnedCopies pins() {
        return pins;
    }

    void learningRate(float learningRate) {
        rule = rule.withConstantRate(learningRate);
    }

    ShardSnapshot snapshot(ShardRange range) {
        return snapshot(range, parameters.allocateSnapshotBuffer());
    }

    /** Copies the shard's state into memory that {@link ShardParameters#allocateSnapshotBuffer} allocated. */
    ShardSnapshot snapshot(ShardRange range, ShardSnapshot.State room) {
        Round round = rounds.open();
        return new ShardSnapshot(
                        range,
                        rule.optimizer(),
                        version,
                        parameters.copyTo(room),
                        applied.copy(),
                        round.pushes(),
                        round.staleness())
                .with(pins.kept());
    }

    void restore(ShardSnapshot from, ShardRange range, ShardContents contents) {
        from.requireFits(range, contents.tables(), rule.optimizer(), applied.perEpoch());
        rounds.end(Round.State.LOST);
        parameters.restore(from);
        applied = from.applied().copy();
        rounds.open().restore(from.pending(), from.pendingStaleness());
        version = from.version();
        pins.restore(from.kept());
    }
}
