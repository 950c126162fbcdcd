package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.internal.FiniteGradientCheck;
import dev.edl.runtime.ps.internal.PushGate;
import dev.edl.runtime.ps.internal.SpinLock;
import dev.edl.runtime.ps.ports.DecisionKeeper;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.rounds.Round;
import dev.edl.runtime.ps.rounds.RoundMember;
import dev.edl.runtime.ps.rounds.ShardRounds;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One contiguous range of a model's parameters and its share of the rows of embedding tables, with their optimizer
 * state and the set of pushes that made them.
 *
 * <p>Workers pull their copy, compute, and push gradients; the pushing thread makes the update under the shard's lock.
 * Each push has an id ({@code epoch * minibatchesPerEpoch + minibatch}) and is applied at most once, however often it
 * is sent.
 *
 * <p>How gradients become updates, and why no worker waits for ever, is told at {@code ShardRounds}.
 *
 * <p>Safe for several threads.
 *
 * <pre>{@code
 * ParameterShard shard = new ParameterShard(range, Optimizer.sgd(0.1f), Consistency.asynchronous(), 938);
 * shard.initialize(values);
 * long version = shard.pull(weights);
 * shard.push("worker-0", pushId, version, gradient);   // APPLIED at version 1
 * }</pre>
 */
public final class ParameterShard {
    /** Based on weights that no shard has: the state that they were pulled from was replaced by an older one. */
    private static final long LOST = Long.MAX_VALUE;

    private final ShardRange range;
    private final ShardContents contents;
    private final int shards;
    private final ReentrantLock lock = new SpinLock();
    private final ShardRounds rounds;
    private final ShardParameters parameters;
    private final ShardUpdates updates;
    private final PinnedVersions pins;
    private final PushGate gate = new PushGate(lock.newCondition());
    private final CutParticipant participant;
    private final ShardWaits waits;
    private final DecisionKeeper decisions = new DecisionKeeper();
    private ShardLife life = ShardLife.UNORDERED;
    private boolean initialized;
    private boolean retired;

    /**
     * A shard without values, of a model without embedding tables and without state.
     *
     * @param minibatchesPerEpoch at least 1; gives push ids their meaning
     */
    public ParameterShard(ShardRange range, Optimizer optimizer, Consistency consistency, int minibatchesPerEpoch) {
        this(
                range,
                range.index() + 1,
                ShardContents.floats(range.end()),
                UpdateRule.of(optimizer, consistency),
                minibatchesPerEpoch);
    }

    /**
     * A shard without values.
     *
     * @param range one of {@link ShardContents#split}
     * @param shards how many the model has: which rows of embedding tables this one keeps
     * @param minibatchesPerEpoch at least 1; gives push ids their meaning
     */
    public ParameterShard(
            ShardRange range, int shards, ShardContents contents, UpdateRule rule, int minibatchesPerEpoch) {
        this.range = range;
        this.shards = shards;
        this.contents = contents;
        this.rounds = new ShardRounds(range.name(), rule.consistency().gradsToWait(), lock.newCondition());
        this.parameters = new ShardParameters(range, shards, contents, rule.optimizer());
        this.updates = new ShardUpdates(parameters, rounds, rule, minibatchesPerEpoch);
        this.pins = new PinnedVersions(lock, updates.pins(), parameters, range);
        this.participant = new CutParticipant(lock, gate, this::requireReady, updates, parameters, range);
        this.waits = new ShardWaits(this, lock, rounds, updates);
    }

    /** Zeros for a group of shards like this one. */
    public SharedFloats floatsFor(int size) {
        return parameters.floatsFor(size);
    }

    /** From now on keeps its floats in those of its group, where no other shard uses its range. */
    public void moveTo(SharedFloats group) {
        run(() -> parameters.moveTo(group));
    }

    /** The part of the flat vector that the shard owns. */
    public ShardRange range() {
        return range;
    }

    /** What all shards of the model keep. */
    public ShardContents contents() {
        return contents;
    }

    /** Refuses to stand in a group of another number of shards, whose rows would be other ones. */
    public void requireOneOf(int count) {
        if (shards != count && !contents.tables().isEmpty()) {
            throw new IllegalArgumentException(range.name() + " holds rows for " + shards
                    + " shards and cannot join a group of " + count);
        }
    }

    /**
     * Gives the shard its first values; the first caller wins.
     *
     * @param full the whole model's parameters
     * @return whether these values were taken
     * @throws IllegalStateException when it was detached
     */
    public boolean initialize(float[] full) {
        requireLength(full);
        return locked(() -> {
            requireNotRetired();
            boolean first = !initialized;
            if (first) {
                parameters.initialize(full);
                initialized = true;
                tellStarted();
            }
            return first;
        });
    }

    /**
     * Copies the weights of one version into their place in a full-length vector.
     *
     * @return the version
     * @throws IllegalStateException before {@link #initialize}
     */
    public long pull(float[] into) {
        return pull(into, List.of());
    }

    /**
     * Copies the weights of one version into their place in a full-length vector, and writes the values of those rows
     * that the shard keeps.
     *
     * @param rows what a batch needs, in the order of the model's tables; empty for none
     * @return the version
     * @throws IllegalStateException before {@link #initialize}
     */
    public long pull(float[] into, List<EmbeddingRows> rows) {
        requireLength(into);
        BaseVersions base = new BaseVersions(range.index() + 1);
        pull(ParameterSink.into(into), rows, base);
        return base.version(range.index());
    }

    /**
     * Gives the weights to a sink, as {@link #pull(float[], List)} does.
     *
     * @param base gets this shard's life and version
     * @throws ShardGoneException when it was detached
     */
    public void pull(ParameterSink into, List<EmbeddingRows> rows, BaseVersions base) {
        contents.requireRows(rows);
        lock.lock();
        try {
            requireReady();
            parameters.pull(into, rows);
            base.set(range.index(), life, updates.version());
        } finally {
            lock.unlock();
        }
    }

    /** Takes a gradient, as {@link #push(String, long, long, float[], List)} does for a model without rows. */
    public PushResult push(String worker, long pushId, long basedOnVersion, float[] gradientFull) {
        return push(worker, pushId, basedOnVersion, gradientFull, List.of());
    }

    /**
     * Takes a gradient with the gradients of rows.
     *
     * @param pushId {@code epoch * minibatchesPerEpoch + minibatch}; the same at every try of the same minibatch
     * @param basedOnVersion what {@link #pull} answered for the weights it was computed from
     * @param gradientFull as long as the whole model's parameters; read, never kept
     * @param rows in the order of the model's tables, of which the shard takes its own; empty for none; read, never kept
     * @throws NonFiniteGradientException when the shard's range of the vector, or a row, holds NaN or an infinity;
     *     nothing is applied
     */
    public PushResult push(
            String worker, long pushId, long basedOnVersion, float[] gradientFull, List<EmbeddingRows> rows) {
        requireLength(gradientFull);
        contents.requireRows(rows);
        FiniteGradientCheck.requireFinite(gradientFull, range.offset(), range.end());
        FiniteGradientCheck.requireFinite(rows);
        BaseVersions base = new BaseVersions(range.index() + 1);
        base.set(range.index(), life(), basedOnVersion);
        try {
            return pushFinite(worker, PushGate.UNNUMBERED, pushId, base, gradientFull, rows, false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(worker + " was interrupted while " + range.name() + " took a cut", e);
        }
    }

    /**
     * Takes a gradient that was checked already, as {@link #push} does. Waits while a cut is taken.
     *
     * @param sequence the worker's number of this call, the same at every shard
     * @param base the life and version that it is based on; another life's is STALE
     * @param thenWeights whether the shard's part of a gradient that is APPLIED is overwritten with the weights of that version, in the
     *     pass that makes them
     * @throws ShardGoneException when the shard was detached
     */
    public PushResult pushFinite(
            String worker,
            long sequence,
            long pushId,
            BaseVersions base,
            float[] gradientFull,
            List<EmbeddingRows> rows,
            boolean thenWeights)
            throws InterruptedException {
        PushResult result;
        boolean pinned;
        lock.lock();
        try {
            gate.admit(worker, sequence);
            requireReady();
            boolean same = Objects.equals(base.life(range.index()), life);
            result = updates.take(
                    worker, pushId, same ? base.version(range.index()) : LOST, gradientFull, rows, thenWeights);
            pinned = updates.pinned();
        } finally {
            lock.unlock();
        }
        if (pinned) {
            pins.tell(result.version());
        }
        return result;
    }

    /** Makes the update of the open round if nothing more is to be waited for. */
    public void recheck() {
        settle(false);
    }

    /** Applies what is accumulated now, without waiting for the rest of its round; whether there was anything. */
    public boolean flush() {
        return settle(true);
    }

    private boolean settle(boolean early) {
        boolean settled;
        boolean pinned;
        long reached;
        lock.lock();
        try {
            settled = !retired && updates.settle(early);
            pinned = settled && updates.pinned();
            reached = updates.version();
        } finally {
            lock.unlock();
        }
        if (pinned) {
            pins.tell(reached);
        }
        return settled;
    }

    /**
     * Counts a worker in for this round and those that follow.
     *
     * @return whether it was not a member before
     */
    public boolean join(String worker) {
        return join(new RoundMember(worker));
    }

    /** Counts a member in, as {@link #join(String)} does. */
    public boolean join(RoundMember member) {
        return locked(() -> rounds.join(member));
    }

    /**
     * Waits for this worker no longer; what it has pushed stays. May end the open round.
     *
     * @return whether it was a member
     */
    public boolean leave(String worker) {
        boolean was = locked(() -> {
            gate.forget(worker);
            return rounds.leave(worker);
        });
        recheck();
        return was;
    }

    /** Returns the shard's part in cuts through all shards. */
    public CutParticipant cuts() {
        return participant;
    }

    /** Returns the waits of workers for rounds of this shard. */
    public ShardWaits waits() {
        return waits;
    }

    /** The versions that are pinned. */
    public PinnedVersions pins() {
        return pins;
    }

    /** What masters have decided; it dies with the shard. */
    public DecisionKeeper decisions() {
        return decisions;
    }

    /** Gives the updates that follow a constant learning rate, in place of any schedule. */
    public void learningRate(float learningRate) {
        run(() -> updates.learningRate(learningRate));
    }

    /** Returns the life that began when the shard took its state over. */
    public ShardLife life() {
        return locked(() -> life);
    }

    /** Begins a life: every gradient of weights of an earlier one is stale. */
    public void begin(ShardLife next) {
        run(() -> life = next);
    }

    /** Updates made. */
    public long version() {
        return locked(updates::version);
    }

    /** Whether a push has gone into an update. */
    public boolean applied(long pushId) {
        return locked(() -> updates.applied().contains(pushId));
    }

    /**
     * How many of some consecutive pushes the shard holds, up to the first one that it does not. One that is held has gone
     * into an update or waits for its round, and must not be done again.
     */
    public int held(long firstPushId, int count) {
        return locked(() -> {
            int held = 0;
            while (held < count && updates.holds(firstPushId + held)) {
                held++;
            }
            return held;
        });
    }

    /** Minibatches of an epoch whose pushes have gone into an update; a copy. */
    public BitSet appliedInEpoch(int epoch) {
        return locked(() -> updates.applied().epoch(epoch));
    }

    /** Pushes that have gone into an update. */
    public long appliedCount() {
        return locked(() -> updates.applied().count());
    }

    /** Pushes that came again, since this object was made. */
    public long duplicateCount() {
        return locked(updates::duplicates);
    }

    /** Pushes that were refused as stale, since this object was made. */
    public long staleCount() {
        return locked(updates::stale);
    }

    /** Returns a copy of the whole state; throws {@link IllegalStateException} before {@link #initialize}. */
    public ShardSnapshot snapshot() {
        return participant.snapshot();
    }

    /**
     * Takes over a state, with the learning rate of this shard. Members stay; workers that wait for the round that was
     * open are let go and told to do their minibatch again. Of pins it has those that the state has.
     *
     * @throws IllegalArgumentException when the state is of another range, another optimizer or another number of
     *     minibatches in an epoch
     * @throws IllegalStateException when it was detached
     */
    public void restore(ShardSnapshot from) {
        run(() -> {
            requireNotRetired();
            updates.restore(from, range, contents);
            life = life.next();
            initialized = true;
            tellStarted();
        });
    }

    /** From now on tells an observer, first of the state, as soon as there is one. */
    public void observe(ShardObserver observer) {
        run(() -> {
            updates.observe(observer);
            if (initialized) {
                tellStarted();
            }
        });
    }

    /** What the shard now has, whatever it was told to take over. */
    private void tellStarted() {
        updates.tell(observer -> observer.started(updates.snapshot(range)));
    }

    /** Ends the shard's life: every waiting worker returns, and every later call fails. */
    public void retire() {
        run(() -> {
            retired = true;
            gate.end();
            rounds.end(Round.State.LOST);
            updates.tell(ShardObserver::stopped);
        });
    }

    private void run(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    private void requireReady() {
        requireNotRetired();
        if (!initialized) {
            throw new IllegalStateException(
                    "parameter shard " + range.name() + " has no values yet; initialize or restore it first");
        }
    }

    boolean retired() {
        return retired;
    }

    private void requireNotRetired() {
        if (retired) {
            throw new ShardGoneException(range.name());
        }
    }

    private void requireLength(float[] full) {
        if (full.length < range.end()) {
            throw new IllegalArgumentException("a vector of " + full.length + " floats is too short for "
                    + range + "; pass a vector as long as the whole model's parameters");
        }
    }

    /** For example {@code ps-1[320..650) at version 12, 2 members, applied 0 complete epochs, 12 of 938 in epoch 0}. */
    @Override
    public String toString() {
        return locked(() -> range + " at version " + updates.version() + ", "
                + rounds.names().size() + " members, applied " + updates.applied());
    }

    /** Names of the members, in the order in which they joined. */
    public List<String> members() {
        return locked(rounds::names);
    }
}
