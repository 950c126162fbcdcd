package dev.edl.runtime.ps.shard;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.FiniteGradientCheck;
import dev.edl.runtime.ps.NonFiniteGradientException;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.DecisionKeeper;
import dev.edl.runtime.ps.ports.ParameterSink;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A parameter shard: one contiguous range of a model's parameters, and its share of the rows of embedding tables. It
 * also holds their optimizer state and the set of applied pushes.
 *
 * <p>Workers pull their copy, compute, and push gradients; the pushing thread makes the update under the shard's lock.
 * Each push has an id ({@code epoch * minibatchesPerEpoch + minibatch}) and is applied at most once, however often it
 * is sent.
 *
 * <p>Safe for several threads. {@code ShardRounds} documents how gradients become updates, and why no worker waits
 * forever.
 *
 * <pre>{@code
 * ParameterShard shard = new ParameterShard(range, Optimizer.sgd(0.1f), Consistency.asynchronous(), 938);
 * shard.initialize(values);
 * long version = shard.pull(weights);
 * shard.push("worker-0", pushId, version, gradient);   // APPLIED at version 1
 * }</pre>
 */
public final class ParameterShard {
    /** Base version of a gradient whose weights were pulled in another life of this shard; always stale. */
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
    private final RoundWaiters waits;
    private final DecisionKeeper decisions = new DecisionKeeper();
    private ShardLife life = ShardLife.UNORDERED;
    private boolean initialized;
    private boolean retired;

    /**
     * Creates a shard without values for a model without embedding tables and layer state.
     *
     * @param minibatchesPerEpoch at least 1; determines the meaning of push ids
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
     * Creates a shard without values.
     *
     * @param range one of {@link ShardContents#split}
     * @param shards number of shards of the model; determines which rows of embedding tables this shard holds
     * @param minibatchesPerEpoch at least 1; determines the meaning of push ids
     */
    public ParameterShard(
            ShardRange range, int shards, ShardContents contents, UpdateRule rule, int minibatchesPerEpoch) {
        this.range = range;
        this.shards = shards;
        this.contents = contents;
        this.rounds = new ShardRounds(range.name(), rule.consistency().gradsToWait());
        this.parameters = new ShardParameters(range, shards, contents, rule.optimizer());
        this.updates = new ShardUpdates(parameters, rounds, rule, minibatchesPerEpoch);
        this.pins = new PinnedVersions(lock, updates.pins(), parameters, range);
        this.participant = new CutParticipant(lock, gate, this::requireReady, updates, parameters, range);
        this.waits = new RoundWaiters(this, lock, rounds, updates);
    }

    /** Allocates shared arrays of zeros for a group of shards with this shard's optimizer slots. */
    public SharedShardArrays floatsFor(int size) {
        return parameters.floatsFor(size);
    }

    /** Moves this shard's floats into the group's arrays, where no other shard uses its range. */
    public void moveTo(SharedShardArrays group) {
        run(() -> parameters.moveTo(group));
    }

    /** Returns the part of the flat vector that the shard owns. */
    public ShardRange range() {
        return range;
    }

    /** Returns the contents of all shards of the model. */
    public ShardContents contents() {
        return contents;
    }

    /** Rejects a group whose number of shards is not this shard's, because it would hold other rows there. */
    public void requireOneOf(int count) {
        if (shards != count && !contents.tables().isEmpty()) {
            throw new IllegalArgumentException(
                    range.name() + " holds rows for " + shards + " shards and cannot join a group of " + count);
        }
    }

    /** Sets the shard's first values, without rows. */
    public boolean initialize(float[] full) {
        return initialize(full, List.of());
    }

    /**
     * Sets the shard's first values and rows; the first caller wins.
     *
     * @param full the whole model's parameters
     * @param tables the whole model's tables in its order; empty for no rows
     * @return whether these values were used; false if the shard already had values
     * @throws IllegalStateException when it was detached
     */
    public boolean initialize(float[] full, List<? extends EmbeddingValues> tables) {
        requireLength(full);
        return locked(() -> {
            requireNotRetired();
            if (initialized) {
                return false;
            }
            parameters.initialize(full, tables);
            initialized = true;
            tellStarted();
            return true;
        });
    }

    /** Copies the weights, as {@link #pull(float[], List)} does for a model without rows. */
    public long pull(float[] into) {
        return pull(into, List.of());
    }

    /**
     * Copies the weights of one version to their offset in a full-length vector, and writes the values of the shard's
     * rows.
     *
     * @param rows rows that a batch needs, in the order of the model's tables; empty for none
     * @return the version
     * @throws IllegalStateException before {@link #initialize}
     */
    public long pull(float[] into, List<EmbeddingRows> rows) {
        requireLength(into);
        WeightVersions base = new WeightVersions(range.index() + 1);
        pull(ParameterSink.into(into), rows, base);
        return base.version(range.index());
    }

    /**
     * Passes the weights to a sink, as {@link #pull(float[], List)} does.
     *
     * @param base receives this shard's life and version
     * @throws ShardGoneException when it was detached
     */
    public void pull(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base) {
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

    /** Accepts a gradient, as {@link #push(String, long, long, float[], List)} does for a model without rows. */
    public PushResult push(String worker, long pushId, long basedOnVersion, float[] gradientFull) {
        return push(worker, pushId, basedOnVersion, gradientFull, List.of());
    }

    /**
     * Accepts a gradient, including the gradients of rows.
     *
     * @param pushId {@code epoch * minibatchesPerEpoch + minibatch}; the same at every attempt of the minibatch
     * @param basedOnVersion the version that {@link #pull} returned with the weights of this gradient
     * @param gradientFull gradient as long as the whole model's parameters; read, never kept
     * @param rows rows with gradients, in the order of the model's tables; the shard uses its own; read, never kept
     * @throws NonFiniteGradientException when the shard's range of the vector, or a row, holds NaN or an infinity;
     *     nothing is applied
     */
    public PushResult push(
            String worker, long pushId, long basedOnVersion, float[] gradientFull, List<EmbeddingRows> rows) {
        requireLength(gradientFull);
        contents.requireRows(rows);
        FiniteGradientCheck.requireFinite(gradientFull, range.offset(), range.end());
        FiniteGradientCheck.requireFinite(rows);
        WeightVersions base = new WeightVersions(range.index() + 1);
        base.set(range.index(), life(), basedOnVersion);
        try {
            return pushFinite(worker, PushGate.UNNUMBERED, pushId, base, gradientFull, rows, false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(worker + " was interrupted while " + range.name() + " took a cut", e);
        }
    }

    /**
     * Accepts a gradient that was already checked, as {@link #push} does. Waits while a cut is taken.
     *
     * @param sequence sequence number of this push by the worker, the same at every shard
     * @param base life and version of the weights; a gradient of another life's weights is STALE
     * @param thenWeights whether the shard's range of an APPLIED gradient is overwritten with the updated weights
     * @throws ShardGoneException when the shard was detached
     */
    public PushResult pushFinite(
            String worker,
            long sequence,
            long pushId,
            WeightVersions base,
            float[] gradientFull,
            List<EmbeddingRows> rows,
            boolean thenWeights)
            throws InterruptedException {
        lock.lock();
        try {
            gate.admit(worker, sequence);
            requireReady();
            boolean same = Objects.equals(base.life(range.index()), life);
            return updates.take(
                    worker, pushId, same ? base.version(range.index()) : LOST, gradientFull, rows, thenWeights);
        } finally {
            unlock();
        }
    }

    /** Applies the update of the open round if that round is complete; otherwise does nothing. */
    public void recheck() {
        settle(false);
    }

    /**
     * Applies the accumulated gradients now, without waiting for the rest of the round. Returns whether there were any.
     */
    public boolean flush() {
        return settle(true);
    }

    private boolean settle(boolean early) {
        lock.lock();
        try {
            return !retired && updates.settle(early);
        } finally {
            unlock();
        }
    }

    /**
     * Adds a worker to this round and all later rounds.
     *
     * @return whether it was not a member before
     */
    public boolean join(String worker) {
        return join(new RoundMember(worker));
    }

    /** Adds a worker to the rounds, as {@link #join(String)} does, with the group's member object. */
    public boolean join(RoundMember member) {
        return locked(() -> rounds.join(member));
    }

    /**
     * Removes a worker from the rounds; its pushes stay. May end the open round.
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

    /** Returns the object through which this shard takes part in cuts of all shards. */
    public CutParticipant cuts() {
        return participant;
    }

    /** Returns the object through which workers wait for rounds of this shard. */
    public RoundWaiters waits() {
        return waits;
    }

    /** Returns the versions that this shard keeps copies of. */
    public PinnedVersions pins() {
        return pins;
    }

    /** Returns the holder of the newest master's decision record; it is lost with the shard. */
    public DecisionKeeper decisions() {
        return decisions;
    }

    /** Sets a constant learning rate for later updates, in place of any schedule. */
    public void learningRate(float learningRate) {
        run(() -> updates.learningRate(learningRate));
    }

    /** Returns the life that began when the shard took over its state. */
    public ShardLife life() {
        return locked(() -> life);
    }

    /** Begins a life: every gradient of an earlier life's weights is stale. */
    public void begin(ShardLife next) {
        run(() -> life = next);
    }

    /** Returns the number of updates. */
    public long version() {
        return locked(updates::version);
    }

    /** Returns whether a push is part of an update. */
    public boolean applied(long pushId) {
        return locked(() -> updates.applied().contains(pushId));
    }

    /**
     * Returns the number of consecutive pushes, from the first one on, that the shard holds without a gap. A held push
     * is part of an update or waits for its round, and must not be repeated.
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

    /** Returns the pushes of the updates and of the open round. */
    public ShardPushes pushes() {
        return locked(updates::pushes);
    }

    /** Returns the number of pushes that are part of an update. */
    public long appliedCount() {
        return locked(() -> updates.applied().count());
    }

    /** Returns the number of duplicate pushes since this object was made. */
    public long duplicateCount() {
        return locked(updates::duplicates);
    }

    /** Returns the number of pushes rejected as stale since this object was made. */
    public long staleCount() {
        return locked(updates::stale);
    }

    /** Returns a copy of the whole state; throws {@link IllegalStateException} before {@link #initialize}. */
    public ShardSnapshot snapshot() {
        return participant.snapshot();
    }

    /**
     * Replaces this shard's state, but keeps its learning rate and members. Workers that wait for the open round are
     * released and must repeat their minibatch. The pins become those of the state.
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

    /** Attaches an observer, which first receives the shard's state, at the latest once the shard has values. */
    public void observe(ShardObserver observer) {
        run(() -> {
            updates.observe(observer);
            if (initialized) {
                tellStarted();
            }
        });
    }

    /** Passes the shard's actual state to the observer, whatever state it restored. */
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
            unlock();
        }
    }

    /** Releases the lock, then reports a version that was pinned under it, and wakes the workers of an ended round. */
    private void unlock() {
        Round ended = rounds.ended();
        boolean pinned = updates.pinned();
        long version = updates.version();
        lock.unlock();
        try {
            if (pinned) {
                pins.tell(version);
            }
        } finally {
            ended.wake();
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
            throw new IllegalArgumentException("a vector of " + full.length + " floats is too short for " + range
                    + "; pass a vector as long as the whole model's parameters");
        }
    }

    /**
     * Returns the text for people, for example {@code ps-1[320..650) at version 12, 2 members, applied 0 complete
     * epochs, 12 of 938 in epoch 0}.
     */
    @Override
    public String toString() {
        return locked(() -> range + " at version " + updates.version() + ", "
                + rounds.names().size() + " members, applied " + updates.applied());
    }

    /** Returns the members' names, in join order. */
    public List<String> members() {
        return locked(rounds::names);
    }
}
