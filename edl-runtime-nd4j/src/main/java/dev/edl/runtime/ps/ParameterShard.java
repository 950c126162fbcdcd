package dev.edl.runtime.ps;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * One contiguous range of a model's parameters: weights, optimizer state, and the set of pushes that made them.
 *
 * <p>Workers pull their copy, compute, and push gradients; the pushing thread makes the update under the shard's lock.
 * Each push has an id ({@code epoch * minibatchesPerEpoch + minibatch}) and is applied at most once, however often it
 * is sent.
 *
 * <p><b>Rounds.</b> An update averages the gradients of a round. A round is over when it holds
 * {@link Consistency#gradsToWait()} gradients, or when no member is left that could still add one: each member has
 * added to it or waits in {@code awaitRound} itself, at this shard or another one of its group. A member is a worker
 * that has joined and not left, which is to say that it holds a task. So a join enlarges the open round, a leave may
 * end it, and when the last member leaves, what is accumulated is applied. A worker that adds twice to one round
 * counts twice in the mean and once as a member; one that never joined counts in the mean only.
 *
 * <p><b>Why workers cannot wait for each other in a circle</b>, in whatever order they join, leave and push at the
 * shards of a group: a round is held open only by members that wait for nothing. Such a member computes or pushes,
 * neither of which waits for a round, and ends with a push to this shard or a leave. What can end a round is looked at
 * again after each change that could: a push and a leave under the shard's lock, and a worker's beginning to wait by
 * the worker itself at every shard, before it sleeps.
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
    private final Consistency consistency;
    private final ReentrantLock lock = new ReentrantLock();
    private final ShardRounds rounds;
    private final ShardWeights weights;
    private Optimizer optimizer;
    private AppliedPushes applied;
    private Pins pins = new Pins(Integer.MAX_VALUE, 1);
    private LongConsumer listener = version -> {};
    private boolean initialized;
    private boolean retired;
    private long version;
    private long duplicates;
    private long stale;

    /**
     * A shard without values.
     *
     * @param minibatchesPerEpoch at least 1; gives push ids their meaning
     */
    public ParameterShard(ShardRange range, Optimizer optimizer, Consistency consistency, int minibatchesPerEpoch) {
        this.range = range;
        this.optimizer = optimizer;
        this.consistency = consistency;
        this.rounds = new ShardRounds(range.name(), consistency.gradsToWait(), lock.newCondition());
        this.applied = new AppliedPushes(minibatchesPerEpoch);
        this.weights = new ShardWeights(range, optimizer.slots().size());
    }

    /** The part of the flat vector that the shard owns. */
    public ShardRange range() {
        return range;
    }

    /**
     * Gives the shard its first values; the first caller wins.
     *
     * @param full the whole model's parameters
     * @return whether these values were taken
     */
    public boolean initialize(float[] full) {
        requireLength(full);
        lock.lock();
        try {
            boolean first = !initialized;
            if (first) {
                weights.initialize(full);
                initialized = true;
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Copies the weights of one version into their place in a full-length vector.
     *
     * @return the version
     * @throws IllegalStateException before {@link #initialize}
     */
    public long pull(float[] into) {
        requireLength(into);
        lock.lock();
        try {
            requireReady();
            weights.copyTo(into);
            return version;
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
        requireLength(gradientFull);
        GradientCheck.requireFinite(gradientFull, range.offset(), range.end());
        return pushFinite(worker, pushId, basedOnVersion, gradientFull);
    }

    /** As {@link #push}, for a gradient that was looked through already. */
    PushResult pushFinite(String worker, long pushId, long basedOnVersion, float[] gradientFull) {
        PushResult result;
        boolean pinned = false;
        lock.lock();
        try {
            requireReady();
            Round round = rounds.open();
            if (applied.contains(pushId) || round.holds(pushId)) {
                duplicates++;
                return new PushResult(PushResult.Outcome.DUPLICATE, version);
            }
            // A worker may be ahead of a shard that came back from an older checkpoint; its weights are no longer.
            if (basedOnVersion > version || version - basedOnVersion > consistency.staleness()) {
                stale++;
                return new PushResult(PushResult.Outcome.STALE, version);
            }
            boolean first = round.count() == 0;
            round.add(worker, pushId);
            if (!rounds.full()) {
                weights.accumulate(gradientFull);
                return new PushResult(PushResult.Outcome.ACCUMULATED, version);
            }
            if (first) {
                weights.apply(optimizer, gradientFull);
            } else {
                weights.applyMean(optimizer, gradientFull, round.count());
            }
            pinned = advance();
            result = new PushResult(PushResult.Outcome.APPLIED, version);
        } finally {
            lock.unlock();
        }
        tell(pinned, result.version());
        return result;
    }

    /** Ends the round whose update was just made; whether the new version was pinned. */
    private boolean advance() {
        version++;
        rounds.open().pushes().forEach(applied::add);
        rounds.end(Round.State.APPLIED);
        return pins.offer(version, weights.weights());
    }

    private void tell(boolean pinned, long reached) {
        if (pinned) {
            listener.accept(reached);
        }
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
        boolean pinned;
        long reached;
        lock.lock();
        try {
            int count = rounds.open().count();
            if (retired || count == 0 || !(early || rounds.full())) {
                return false;
            }
            weights.applyMean(optimizer, count);
            pinned = advance();
            reached = version;
        } finally {
            lock.unlock();
        }
        tell(pinned, reached);
        return true;
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
        lock.lock();
        try {
            Round round = rounds.open();
            if (!retired && round.holds(pushId)) {
                round.enter(member);
                return round;
            }
            boolean done = !retired && applied.contains(pushId);
            return Round.over(done ? Round.State.APPLIED : Round.State.LOST);
        } finally {
            lock.unlock();
        }
    }

    /** Sleeps until the round is over; the nanoseconds that are left. */
    long await(Round awaited, long nanos, Duration bound) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return rounds.await(awaited, nanos, bound, version);
        } finally {
            lock.unlock();
        }
    }

    void withdraw(Member member, Round awaited) {
        lock.lock();
        try {
            awaited.withdraw(member);
        } finally {
            lock.unlock();
        }
    }

    /**
     * From now on keeps a copy of the weights whenever the version becomes a multiple of {@code every}, and then tells
     * the listener, in the thread that made the update and outside of the lock. At most {@code keep} copies are kept: a
     * new one takes the place of the oldest that is not {@linkplain #hold held}; when all are held the version is
     * neither pinned nor told. Copies that were pinned before are dropped.
     *
     * @param every updates, at least 1
     * @param keep copies, at least 1
     */
    public void pinEvery(int every, int keep, LongConsumer newListener) {
        Pins fresh = new Pins(every, keep);
        lock.lock();
        try {
            pins = fresh;
            listener = newListener;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a pinned version until {@link #unpin}; whether it is pinned. */
    public boolean hold(long pinnedVersion) {
        return locked(() -> pins.hold(pinnedVersion));
    }

    /** Whether a version is pinned. */
    public boolean isPinned(long pinnedVersion) {
        return locked(() -> pins.has(pinnedVersion));
    }

    /** Copies the weights of a pinned version into their place in a full-length vector; whether it is pinned. */
    public boolean pinned(long pinnedVersion, float[] into) {
        requireLength(into);
        return locked(() -> pins.copy(pinnedVersion, into, range.offset()));
    }

    /** Drops a pinned version, held or not; whether it was pinned. */
    public boolean unpin(long pinnedVersion) {
        return locked(() -> pins.remove(pinnedVersion));
    }

    /** Changes the learning rate of the updates that follow. */
    public void learningRate(float learningRate) {
        lock.lock();
        try {
            optimizer = optimizer.withLearningRate(learningRate);
        } finally {
            lock.unlock();
        }
    }

    /** Updates made. */
    public long version() {
        return locked(() -> version);
    }

    /** Whether a push has gone into an update. */
    public boolean applied(long pushId) {
        return locked(() -> applied.contains(pushId));
    }

    /** Whether a push has gone into an update or waits for its round, so that it must not be done again. */
    public boolean holds(long pushId) {
        return locked(() -> applied.contains(pushId) || rounds.open().holds(pushId));
    }

    /** Minibatches of an epoch whose pushes have gone into an update; a copy. */
    public BitSet appliedInEpoch(int epoch) {
        return locked(() -> applied.epoch(epoch));
    }

    /** Pushes that have gone into an update. */
    public long appliedCount() {
        return locked(() -> applied.count());
    }

    /** Pushes that came again, since this object was made. */
    public long duplicateCount() {
        return locked(() -> duplicates);
    }

    /** Pushes that were refused as stale, since this object was made. */
    public long staleCount() {
        return locked(() -> stale);
    }

    /**
     * A copy of the whole state.
     *
     * @throws IllegalStateException before {@link #initialize}
     */
    public ShardSnapshot snapshot() {
        lock.lock();
        try {
            requireReady();
            return new ShardSnapshot(
                    range,
                    optimizer,
                    version,
                    weights.copy(),
                    applied.copy(),
                    rounds.open().pushes());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes over a state, with the learning rate of this shard. Members stay; workers that wait for the round that was
     * open are let go and told to do their minibatch again; pins are dropped by {@link #pinEvery} only.
     *
     * @throws IllegalArgumentException when the state is of another range, another optimizer or another number of
     *     minibatches in an epoch
     */
    public void restore(ShardSnapshot from) {
        lock.lock();
        try {
            from.requireFits(range, optimizer, applied.perEpoch());
            rounds.end(Round.State.LOST);
            weights.restore(from);
            applied = from.applied().copy();
            rounds.open().pushes().addAll(from.pending());
            version = from.version();
            initialized = true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the shard's life: everybody who waits is let go, and every later use is refused. */
    void retire() {
        lock.lock();
        try {
            retired = true;
            rounds.end(Round.State.LOST);
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
        if (retired) {
            throw new IllegalStateException("parameter shard " + range.name() + " was detached");
        }
        if (!initialized) {
            throw new IllegalStateException(
                    "parameter shard " + range.name() + " has no values yet; initialize or restore it first");
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
        return locked(
                () -> range + " at version " + version + ", " + rounds.names().size() + " members, applied " + applied);
    }

    /** Names of the members, in the order in which they joined. */
    public List<String> members() {
        return locked(rounds::names);
    }
}
