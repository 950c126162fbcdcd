package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * One contiguous range of a model's parameters and its share of the rows of embedding tables, with their optimizer
 * state and the set of pushes that made them.
 *
 * <p>Workers pull their copy, compute, and push gradients; the pushing thread makes the update under the shard's lock.
 * Each push has an id ({@code epoch * minibatchesPerEpoch + minibatch}) and is applied at most once, however often it
 * is sent.
 *
 * <p>How gradients become updates, and why nobody waits for ever, is told at {@code ShardRounds}.
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
    private final ShardRange range;
    private final ShardContents contents;
    private final int shards;
    private final ReentrantLock lock = new SpinLock();
    private final ShardRounds rounds;
    private final ShardParameters parameters;
    private final ShardUpdates updates;
    private final PinnedVersions pins;
    private LongConsumer listener = version -> {};
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
        this.pins = new PinnedVersions(lock, updates::pins, range);
    }

    /** Zeros for a group of shards like this one. */
    SharedFloats floatsFor(int size) {
        return parameters.floatsFor(size);
    }

    /** From now on keeps its floats in those of its group, where nobody else uses its range. */
    void moveTo(SharedFloats group) {
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
    void requireOneOf(int count) {
        if (shards != count && !contents.tables().isEmpty()) {
            throw new IllegalArgumentException(range.name() + " keeps the rows of one of " + shards
                    + " shards and does not fit a group of " + count);
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
        return pull(into(into), rows);
    }

    static ParameterSink into(float[] full) {
        return (values, from, offset, count) -> System.arraycopy(values, from, full, offset, count);
    }

    /** As {@link #pull(float[], List)}, with the weights given to a sink. */
    long pull(ParameterSink into, List<EmbeddingRows> rows) {
        contents.requireRows(rows);
        lock.lock();
        try {
            requireReady();
            parameters.pull(into, rows);
            return updates.version();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a gradient.
     *
     * @param pushId {@code epoch * minibatchesPerEpoch + minibatch}; the same at every try of the same minibatch
     * @param basedOnVersion what {@link #pull} answered for the weights it was computed from
     * @param gradientFull as long as the whole model's parameters; read, never kept
     * @throws NonFiniteGradientException when the shard's range of it holds NaN or an infinity; nothing is applied
     */
    public PushResult push(String worker, long pushId, long basedOnVersion, float[] gradientFull) {
        return push(worker, pushId, basedOnVersion, gradientFull, List.of());
    }

    /**
     * Takes a gradient with the gradients of rows.
     *
     * @param rows in the order of the model's tables, of which the shard takes its own; empty for none; read, never kept
     * @throws NonFiniteGradientException when the shard's range of the vector, or a row, holds NaN or an infinity;
     *     nothing is applied
     */
    public PushResult push(
            String worker, long pushId, long basedOnVersion, float[] gradientFull, List<EmbeddingRows> rows) {
        requireLength(gradientFull);
        contents.requireRows(rows);
        GradientCheck.requireFinite(gradientFull, range.offset(), range.end());
        GradientCheck.requireFinite(rows);
        return pushFinite(worker, pushId, basedOnVersion, gradientFull, rows);
    }

    /** As {@link #push}, for a gradient that was looked through already. */
    PushResult pushFinite(
            String worker, long pushId, long basedOnVersion, float[] gradientFull, List<EmbeddingRows> rows) {
        PushResult result;
        boolean pinned;
        lock.lock();
        try {
            requireReady();
            result = updates.take(worker, pushId, basedOnVersion, gradientFull, rows);
            pinned = updates.pinned();
        } finally {
            lock.unlock();
        }
        if (pinned) {
            listener.accept(result.version());
        }
        return result;
    }

    /** Makes the update of the open round if nothing more is to be waited for. */
    void recheck() {
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
            listener.accept(reached);
        }
        return settled;
    }

    /**
     * Counts a worker in for this round and those that follow.
     *
     * @return whether it was not a member before
     */
    public boolean join(String worker) {
        return join(new Member(worker, 0));
    }

    boolean join(Member member) {
        return locked(() -> rounds.join(member));
    }

    /**
     * Waits for this worker no longer; what it has pushed stays. May end the open round.
     *
     * @return whether it was a member
     */
    public boolean leave(String worker) {
        boolean was = locked(() -> rounds.leave(worker));
        recheck();
        return was;
    }

    /**
     * Waits until the round that holds a push is over. For a shard that stands alone; workers of a
     * {@link ShardGroup} wait there.
     *
     * @param pushId of a push that was ACCUMULATED
     * @param bound the longest wait
     * @return true when the push has gone into an update; false when the shard does not know it (any more), so that
     *     the minibatch must be done again
     * @throws ShardTimeoutException when the bound is over; the message names the shard, the round and the members
     *     that have not pushed
     */
    public boolean awaitRound(String worker, long pushId, Duration bound) throws InterruptedException {
        Member member = locked(() -> rounds.member(worker));
        Round awaited = enter(member, pushId);
        try {
            recheck();
            await(awaited, bound.toNanos(), bound);
        } finally {
            withdraw(member, awaited);
        }
        return awaited.state() == Round.State.APPLIED;
    }

    /** Marks a member as waiting for the round that holds a push, if that is open. */
    Round enter(Member member, long pushId) {
        return locked(() -> {
            Round round = rounds.open();
            if (!retired && round.holds(pushId)) {
                round.enter(member);
                return round;
            }
            boolean done = !retired && updates.applied().contains(pushId);
            return Round.over(done ? Round.State.APPLIED : Round.State.LOST);
        });
    }

    /** Sleeps until the round is over; the nanoseconds that are left. */
    long await(Round awaited, long nanos, Duration bound) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return rounds.await(awaited, nanos, bound, updates.version());
        } finally {
            lock.unlock();
        }
    }

    void withdraw(Member member, Round awaited) {
        run(() -> awaited.withdraw(member));
    }

    /**
     * From now on keeps a copy of the weights whenever the version becomes a multiple of {@code every}, and then tells
     * the listener, in the thread that made the update and outside of the lock. At most {@code keep} copies are kept: a
     * new one takes the place of the oldest that is not {@linkplain PinnedVersions#hold held}; when all are held the version is
     * neither pinned nor told. Copies that were pinned before are dropped.
     *
     * @param every updates, at least 1
     * @param keep copies, at least 1
     */
    public void pinEvery(int every, int keep, LongConsumer newListener) {
        Pins fresh = new Pins(every, keep);
        run(() -> {
            updates.pins(fresh);
            listener = newListener;
        });
    }

    /** The versions that are pinned. */
    public PinnedVersions pins() {
        return pins;
    }

    /** Gives the updates that follow a constant learning rate, in place of any schedule. */
    public void learningRate(float learningRate) {
        run(() -> updates.learningRate(learningRate));
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

    /**
     * A copy of the whole state.
     *
     * @throws IllegalStateException before {@link #initialize}
     */
    public ShardSnapshot snapshot() {
        return locked(() -> {
            requireReady();
            ShardSnapshot state = updates.snapshot(range);
            ShardObserver observer = updates.observer();
            if (observer != null) {
                observer.saved(state);
            }
            return state;
        });
    }

    /**
     * Takes over a state, with the learning rate of this shard. Members stay; workers that wait for the round that was
     * open are let go and told to do their minibatch again; pins are dropped by {@link #pinEvery} only.
     *
     * @throws IllegalArgumentException when the state is of another range, another optimizer or another number of
     *     minibatches in an epoch
     * @throws IllegalStateException when it was detached
     */
    public void restore(ShardSnapshot from) {
        run(() -> {
            requireNotRetired();
            updates.restore(from, range, contents);
            initialized = true;
            tellStarted();
        });
    }

    /** From now on tells an observer, first of the state, as soon as there is one. */
    void observe(ShardObserver observer) {
        run(() -> {
            updates.observe(observer);
            if (initialized) {
                tellStarted();
            }
        });
    }

    /** What the shard now has, whatever it was told to take over. */
    private void tellStarted() {
        ShardObserver observer = updates.observer();
        if (observer != null) {
            observer.started(updates.snapshot(range));
        }
    }

    /** Ends the shard's life: everybody who waits is let go, and every later use is refused. */
    void retire() {
        run(() -> {
            retired = true;
            rounds.end(Round.State.LOST);
            ShardObserver observer = updates.observer();
            if (observer != null) {
                observer.stopped();
            }
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

    private void requireNotRetired() {
        if (retired) {
            throw new IllegalStateException("parameter shard " + range.name() + " was detached");
        }
    }

    private void requireLength(float[] full) {
        if (full.length < range.end()) {
            throw new IllegalArgumentException("a vector of " + full.length + " floats does not reach to the end of "
                    + range + "; give a vector as long as the whole model's parameters");
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
