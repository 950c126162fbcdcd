package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * All parameter shards of a model, as the workers of one JVM use them.
 *
 * <p>A push goes to every shard, each with the version that the worker pulled from it. A gate keeps pushes out while
 * {@link #cut()} copies the shards and while workers join and leave, so that all shards of a group see the same
 * members between any two pushes; nobody sleeps inside the gate. Why workers cannot wait for each other in a circle
 * is said at {@code ShardRounds}.
 *
 * <p>A shard can be {@linkplain #detach taken away} and {@linkplain #attach replaced} at any time. Operations that need
 * it wait for it, at most as long as the group was told.
 *
 * <p>Safe for several threads. One worker's turn:
 *
 * <pre>{@code
 * long[] versions = new long[group.shards()];
 * group.pull(weights, versions);
 * model.gradient(weights, batch, gradient);
 * PushResult result = group.push("worker-0", pushId, versions, gradient);
 * boolean redo = result.outcome() == STALE
 *     || result.outcome() == ACCUMULATED && synchronous && !group.awaitRound("worker-0", pushId, bound);
 * }</pre>
 */
public final class ShardGroup {
    private final Duration patience;
    private final int size;
    private final ShardContents contents;
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock(true);
    private final ShardSeats seats;
    private final PinAnnouncer announcer = new PinAnnouncer();
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final ShardCalls calls;
    private final SharedFloats floats;
    private int joined;

    /**
     * A group of shards whose ranges are, in this order, {@link ShardContents#split the whole vector}.
     *
     * @param patience the longest that an operation waits for a detached shard, for example 30 s
     */
    public ShardGroup(List<ParameterShard> shards, Duration patience) {
        this(shards, patience, ShardLink.DIRECT);
    }

    /** A group that reaches its shards by a link of its own. */
    ShardGroup(List<ParameterShard> shards, Duration patience, ShardLink link) {
        int end = 0;
        shards.forEach(shard -> shard.requireOneOf(shards.size()));
        for (int i = 0; i < shards.size(); i++) {
            ShardRange range = shards.get(i).range();
            if (range.index() != i || range.offset() != end) {
                throw new IllegalArgumentException(
                        "shard " + i + " of a group must be ps-" + i + " and begin at " + end + ", was " + range);
            }
            end = range.end();
        }
        this.size = end;
        this.patience = patience;
        this.seats = new ShardSeats(shards);
        this.contents = shards.get(0).contents();
        this.calls = new ShardCalls(link, shards.size());
        this.floats = shards.get(0).floatsFor(end);
        shards.forEach(shard -> shard.moveTo(floats));
    }

    /**
     * A group of new shards without values, of a model without embedding tables and without state.
     *
     * @param size floats in the parameter vector
     * @param shards at least 1 and at most {@code size}
     * @param minibatchesPerEpoch at least 1; gives push ids their meaning
     * @param patience the longest that an operation waits for a detached shard
     */
    public static ShardGroup create(
            int size,
            int shards,
            Optimizer optimizer,
            Consistency consistency,
            int minibatchesPerEpoch,
            Duration patience) {
        return create(
                ShardContents.floats(size),
                shards,
                UpdateRule.of(optimizer, consistency),
                minibatchesPerEpoch,
                patience);
    }

    /**
     * A group of new shards without values.
     *
     * @param shards at least 1
     * @param minibatchesPerEpoch at least 1; gives push ids their meaning
     * @param patience the longest that an operation waits for a detached shard
     */
    public static ShardGroup create(
            ShardContents contents, int shards, UpdateRule rule, int minibatchesPerEpoch, Duration patience) {
        return new ShardGroup(
                contents.split(shards).stream()
                        .map(range -> new ParameterShard(range, shards, contents, rule, minibatchesPerEpoch))
                        .toList(),
                patience);
    }

    /** Number of shards. */
    public int shards() {
        return seats.count();
    }

    /** Floats in the parameter vector. */
    public int size() {
        return size;
    }

    /** The shard of a number, unless it is detached. */
    public Optional<ParameterShard> shard(int index) {
        return seats.at(index);
    }

    /**
     * Gives every shard without values its first ones; the first caller wins.
     *
     * @return whether any shard took them
     */
    public boolean initialize(float[] full) throws InterruptedException {
        requireLength(full);
        return inside(gate.writeLock(), shards -> any(shards, shard -> shard.initialize(full)));
    }

    /**
     * Copies the weights.
     *
     * @param into as long as the whole model's parameters, overwritten
     * @param versions one for each shard, overwritten: what {@link #push} wants to know
     */
    public void pull(float[] into, long[] versions) throws InterruptedException {
        pull(into, List.of(), versions);
    }

    /**
     * Copies the weights, and the values of the rows that a batch needs. Each shard gives both of one version.
     *
     * @param into as long as the whole model's parameters, overwritten
     * @param rows of every embedding table of the model, in order, as {@link dev.edl.runtime.Batch#tables()} gives them;
     *     empty for none
     * @param versions one for each shard, overwritten: what {@link #push} wants to know
     */
    public void pull(float[] into, List<EmbeddingRows> rows, long[] versions) throws InterruptedException {
        requireLength(into);
        contents.requireRows(rows);
        seats.requireVersions(versions);
        seats.run(
                gate.readLock(), patience, shards -> calls.pull(0, shards, ParameterShard.into(into), rows, versions));
    }

    /**
     * As {@link #pull(float[], List, long[])}, for a worker: a gradient that it then computes from weights of a shard
     * that is replaced meanwhile is STALE, although the new one may have counted up to that version again.
     */
    public void pull(String worker, float[] into, List<EmbeddingRows> rows, long[] versions)
            throws InterruptedException {
        requireLength(into);
        pull(worker, ParameterShard.into(into), rows, versions);
        calls.pulled(worker, versions, into);
    }

    /**
     * As {@link #pull(String, float[], List, long[])}, with the weights given to a sink. Not while the group is
     * {@linkplain #observed() observed}, because an observer is shown the whole vector.
     */
    public void pull(String worker, ParameterSink into, List<EmbeddingRows> rows, long[] versions)
            throws InterruptedException {
        contents.requireRows(rows);
        seats.requireVersions(versions);
        seats.run(gate.readLock(), patience, shards -> calls.pull(memberNamed(worker), shards, into, rows, versions));
    }

    /** Whether an observer is told of what happens to the group. */
    public boolean observed() {
        return calls.observed();
    }

    /**
     * From now on tells an observer of what happens to the group and its shards.
     *
     * @throws IllegalStateException when there is an observer already
     */
    public void observe(GroupObserver observer) {
        gate.writeLock().lock();
        try {
            calls.observe(observer, seats.attached());
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Pushes a gradient to every shard. The outcome is STALE when any shard refused it (pull, recompute, push again
     * under the same id: the others will know it), else ACCUMULATED when any shard waits for others, else APPLIED when
     * any shard applied it, else DUPLICATE. Never sleeps, but for a detached shard.
     *
     * @param basedOnVersions what {@link #pull} wrote
     * @throws NonFiniteGradientException for NaN or an infinity; no shard has applied anything
     */
    public PushResult push(String worker, long pushId, long[] basedOnVersions, float[] gradient)
            throws InterruptedException {
        return push(worker, pushId, basedOnVersions, gradient, List.of());
    }

    /**
     * Pushes a gradient, and the gradients of rows, to every shard, which takes its own of both; as {@link #push(String,
     * long, long[], float[])}.
     *
     * @param rows of every embedding table of the model, in order; empty for none
     */
    public PushResult push(
            String worker, long pushId, long[] basedOnVersions, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        requireLength(gradient);
        seats.requireVersions(basedOnVersions);
        contents.requireRows(rows);
        GradientCheck.requireFinite(gradient, 0, size);
        GradientCheck.requireFinite(rows);
        return inside(
                gate.readLock(),
                shards -> calls.push(shards, memberNamed(worker), pushId, basedOnVersions, gradient, rows));
    }

    /**
     * Waits until a push that was ACCUMULATED has gone into an update on every shard.
     *
     * @param bound the longest wait for rounds; a detached shard is waited for in addition
     * @return true then; false when a shard was replaced meanwhile and does not know the push, so that the minibatch
     *     must be done again
     * @throws ShardTimeoutException when a bound is over; names the shard, the round and the members that are missing
     */
    public boolean awaitRound(String worker, long pushId, Duration bound) throws InterruptedException {
        long left = bound.toNanos();
        while (true) {
            RoundWait wait = seats.run(
                    gate.readLock(), patience, shards -> RoundWait.begin(memberNamed(worker), pushId, shards));
            try {
                announcer.tell();
                if (wait.over()) {
                    return calls.awaited(worker, pushId, wait.applied());
                }
                left = wait.sleep(left, bound);
            } finally {
                wait.withdraw();
            }
        }
    }

    private Member memberNamed(String worker) {
        return members.getOrDefault(worker, new Member(worker, 0));
    }

    /**
     * Counts a worker in: from now on rounds wait for it. Call it before the worker's pull, when it gets a task.
     *
     * @return whether it was not a member before
     */
    public boolean join(String worker) {
        gate.writeLock().lock();
        try {
            if (members.containsKey(worker)) {
                return false;
            }
            Member member = new Member(worker, joined++ % seats.count());
            members.put(worker, member);
            seats.attached().forEach(shard -> shard.join(member));
            return true;
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Waits for a worker no longer: it gave its task back, finished it, or died. What it has pushed stays.
     *
     * @return whether it was a member
     */
    public boolean leave(String worker) {
        boolean was;
        gate.writeLock().lock();
        try {
            was = members.remove(worker) != null;
            seats.attached().forEach(shard -> shard.leave(worker));
        } finally {
            gate.writeLock().unlock();
        }
        announcer.tell();
        return was;
    }

    /** Applies what is accumulated on any shard now, without waiting for the rest of its round. */
    public void flush() throws InterruptedException {
        inside(gate.writeLock(), shards -> any(shards, shard -> shard.flush()));
    }

    /** Copies of all shards, taken while no push is under way. */
    public ShardCut cut() throws InterruptedException {
        return inside(
                gate.writeLock(),
                shards -> new ShardCut(
                        Arrays.stream(shards).map(ParameterShard::snapshot).toList()));
    }

    /**
     * Takes over the state of all shards, as {@link ParameterShard#restore} does.
     *
     * @param snapshots one for each shard, in order
     */
    public void restore(List<ShardSnapshot> snapshots) throws InterruptedException {
        if (snapshots.size() != seats.count()) {
            throw new IllegalArgumentException(
                    "there must be one snapshot for each of " + seats.count() + " shards, were " + snapshots.size());
        }
        inside(gate.writeLock(), shards -> {
            for (int i = 0; i < shards.length; i++) {
                shards[i].restore(snapshots.get(i));
                calls.replaced(i);
            }
            return shards.length;
        });
    }

    /**
     * Takes a shard away, as the death of its host does: operations wait until it is replaced, and whoever waits for
     * its rounds is let go, at the latest when the rounds of the shards before it are over.
     *
     * @throws IllegalStateException when it is detached already
     */
    public ParameterShard detach(int index) {
        gate.writeLock().lock();
        try {
            ParameterShard shard = seats.take(index);
            shard.retire();
            return shard;
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Nobody waits for a detached shard any more: operations that need one throw {@link IllegalStateException}, those
     * that wait for one at once. For the end of a job, when the hosts of the shards go before the workers do.
     */
    public void close() {
        seats.close();
    }

    /**
     * Puts a shard, restored or initialized, into the place of a detached one. Workers that are members of the group
     * become members of it.
     *
     * @throws IllegalStateException when the place is taken
     * @throws IllegalArgumentException when its range is another one
     */
    public void attach(int index, ParameterShard shard) {
        gate.writeLock().lock();
        try {
            seats.put(index, shard);
            // Its predecessor has retired, so nobody else is in its range.
            shard.moveTo(floats);
            calls.attached(shard);
            announcer.follow(index, shard);
            members.values().forEach(shard::join);
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * The first of some consecutive pushes that a shard does not hold; behind the last when every shard holds all.
     * A task that comes back is resumed there. A push is held when it was applied or waits for its round.
     */
    public long resumeAt(long firstPushId, int count) throws InterruptedException {
        return inside(gate.readLock(), shards -> calls.resumeAt(shards, firstPushId, count));
    }

    /** Minibatches of an epoch whose pushes every shard has applied. */
    public BitSet appliedInEpoch(int epoch) throws InterruptedException {
        return inside(gate.readLock(), shards -> {
            BitSet all = shards[0].appliedInEpoch(epoch);
            for (ParameterShard shard : shards) {
                all.and(shard.appliedInEpoch(epoch));
            }
            return all;
        });
    }

    /** Gives the updates that follow a constant learning rate, in place of any schedule. */
    public void learningRate(float learningRate) throws InterruptedException {
        inside(gate.writeLock(), shards -> {
            for (ParameterShard shard : shards) {
                shard.learningRate(learningRate);
            }
            return shards.length;
        });
    }

    /**
     * Pins every {@code every}-th version of each shard, as {@link ParameterShard#pinEvery} does, and tells the
     * listener once all shards have pinned a version, in a thread that is inside none of the group's locks. A version
     * below one that was told is not told.
     *
     * @param every updates, at least 1
     * @param keep copies of each shard, at least 1
     */
    public void pinEvery(int every, int keep, LongConsumer listener) throws InterruptedException {
        inside(gate.writeLock(), shards -> {
            announcer.begin(every, keep, listener, shards);
            return shards.length;
        });
    }

    /** Keeps a version until {@link #unpin}; whether all shards have it pinned. */
    public boolean hold(long version) throws InterruptedException {
        return inside(
                gate.writeLock(),
                shards -> Arrays.stream(shards).allMatch(shard -> shard.pins().has(version))
                        && Arrays.stream(shards).allMatch(shard -> shard.pins().hold(version)));
    }

    /** The model at a pinned version; empty unless all shards have it pinned. */
    public Optional<ModelSnapshot> pinned(long version) throws InterruptedException {
        return inside(gate.readLock(), shards -> {
            float[] weights = new float[size];
            List<List<RowsSnapshot>> rows = new ArrayList<>();
            for (ParameterShard shard : shards) {
                shard.pins().copy(version, weights).ifPresent(rows::add);
            }
            return rows.size() == shards.length
                    ? Optional.of(ModelSnapshot.ofShards(version, weights, rows))
                    : Optional.<ModelSnapshot>empty();
        });
    }

    /** Drops a pinned version, held or not; whether any shard had it pinned. */
    public boolean unpin(long version) throws InterruptedException {
        return inside(
                gate.writeLock(), shards -> any(shards, shard -> shard.pins().drop(version)));
    }

    /** Does it with every shard; whether it was done anywhere. */
    private static boolean any(ParameterShard[] shards, Predicate<ParameterShard> action) {
        boolean any = false;
        for (ParameterShard shard : shards) {
            any |= action.test(shard);
        }
        return any;
    }

    private <T> T inside(Lock lock, Function<ParameterShard[], T> action) throws InterruptedException {
        T result = seats.run(lock, patience, action);
        announcer.tell();
        return result;
    }

    private void requireLength(float[] full) {
        if (full.length != size) {
            throw new IllegalArgumentException(
                    "a vector must have the model's " + size + " floats, had " + full.length);
        }
    }

    /** For example {@code 2 shards of 650 floats, 4 members}. */
    @Override
    public String toString() {
        gate.readLock().lock();
        try {
            return seats.count() + " shards of " + size + " floats, " + members.size() + " members";
        } finally {
            gate.readLock().unlock();
        }
    }
}
