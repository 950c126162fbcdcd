package dev.edl.runtime.ps.group;

import dev.edl.runtime.EmbeddingRows;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.BaseVersions;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.SharedFloats;
import dev.edl.runtime.ps.internal.CutRetry;
import dev.edl.runtime.ps.internal.FiniteGradientCheck;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.ports.TrainingShards;
import dev.edl.runtime.ps.rounds.RoundMember;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All parameter shards of a model in one JVM.
 *
 * <p>A worker uses them through {@link #worker}. A push goes to every shard, with the life and version that the worker
 * pulled from it. {@link #cut()} takes a consistent snapshot without a global lock ({@link GroupCut}). Members change
 * one at a time and not during a cut. No thread sleeps meanwhile, except up to five seconds for a cut.
 *
 * <p>A shard can be {@linkplain #detach detached} and {@linkplain #attach replaced} at any time. Operations that need
 * it wait for its replacement, up to the configured bound. Safe for several threads.
 */
public final class ShardGroup implements TrainingShards {
    private final Duration patience;
    private final int size;
    private final ShardContents contents;
    /** Held while members change and while a cut is taken. */
    private final ReentrantLock membership = new ReentrantLock();

    private final LocalShardSlots slots;
    private final PinAnnouncer announcer = new PinAnnouncer();
    private final GroupPins pins;
    /** In join order; changed under {@link #membership}. */
    private final Map<String, RoundMember> members = Collections.synchronizedMap(new LinkedHashMap<>());

    /** Held while a shard is attached or detached, or all shards are queried; never held during a wait. */
    private final ReentrantLock seating = new ReentrantLock();

    /** Counts the workers' ports, so that the workers begin their calls at different shards. */
    private final AtomicInteger workers = new AtomicInteger();

    private final SharedFloats floats;
    private volatile @Nullable GroupObserver observer;
    private long cuts;

    /**
     * Makes a group of shards whose ranges are, in this order, {@link ShardContents#split the whole vector}.
     *
     * @param patience the longest wait for a detached shard, for example 30 s
     */
    public ShardGroup(List<ParameterShard> shards, Duration patience) {
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
        this.slots = new LocalShardSlots(shards);
        this.pins = new GroupPins(slots, membership, patience, end, announcer);
        this.contents = shards.get(0).contents();
        this.floats = shards.get(0).floatsFor(end);
        shards.forEach(shard -> shard.moveTo(floats));
    }

    /**
     * Makes a group of new shards without values, for a model without embedding tables and layer state.
     *
     * @param size number of floats in the parameter vector
     * @param shards number of shards, at least 1 and at most {@code size}
     * @param minibatchesPerEpoch at least 1; determines the meaning of push ids
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
     * Makes a group of new shards without values.
     *
     * @param shards number of shards, at least 1
     * @param minibatchesPerEpoch at least 1; determines the meaning of push ids
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

    /** Returns the number of shards. */
    public int shards() {
        return slots.count();
    }

    @Override
    public int count() {
        return slots.count();
    }

    @Override
    public OptionalLong newestVersion() {
        List<ParameterShard> attached = slots.attached();
        return attached.size() < slots.count()
                ? OptionalLong.empty()
                : attached.stream().mapToLong(ParameterShard::version).max();
    }

    /** Returns the number of floats in the parameter vector. */
    public int size() {
        return size;
    }

    /** Returns the shard at an index; empty while it is detached. */
    public Optional<ParameterShard> shard(int index) {
        return slots.at(index);
    }

    /** Returns the contents of all shards. */
    public ShardContents contents() {
        return contents;
    }

    /**
     * Returns one worker's access to the shards.
     *
     * @param worker the worker's name, which no other worker of the run ever has
     */
    public ShardsPort worker(String worker) {
        return observed(worker, unobserved(worker));
    }

    /** Returns a port that reports a worker's calls to the group's observer; the same port if there is none. */
    ShardsPort observed(String worker, ShardsPort port) {
        GroupObserver present = observer;
        return present == null ? port : new ObservedShards(this, present, worker, port);
    }

    /** Returns one worker's access, whose calls are reported to the shards' observers but not to the group's. */
    ShardsPort unobserved(String worker) {
        return new WorkerShards(this, slots, worker, Math.floorMod(workers.getAndIncrement(), slots.count()), patience);
    }

    @Override
    public ShardsControl lead(Term term) {
        membership.lock();
        try {
            slots.require(term);
            List.copyOf(members.keySet()).forEach(this::remove);
        } finally {
            membership.unlock();
        }
        announcer.tell();
        return new FencedShards(this, slots, term);
    }

    /**
     * Sets the first values of every shard that has none; the first caller wins.
     *
     * @return whether any shard used them
     */
    public boolean initialize(float[] full) throws InterruptedException {
        requireLength(full);
        return slots.run(patience, shards -> any(shards, shard -> shard.initialize(full)));
    }

    /**
     * Attaches an observer to the group, its shards, and the ports that workers get from now on.
     *
     * @throws IllegalStateException when there is an observer already
     */
    public void observe(GroupObserver next) {
        membership.lock();
        try {
            if (observer != null) {
                throw new IllegalStateException("the group is observed already; each run needs a group of its own");
            }
            observer = next;
            slots.attached().forEach(shard -> shard.observe(next.shard(shard.range())));
        } finally {
            membership.unlock();
        }
    }

    /** Returns the member with a name, or a new object if there is none. */
    RoundMember member(String worker) {
        RoundMember member = members.get(worker);
        return member == null ? new RoundMember(worker) : member;
    }

    /** Announces versions that all shards have pinned; the caller must hold no lock. */
    void announce() {
        announcer.tell();
    }

    /**
     * Adds a worker to the rounds, which wait for it from now on. Call it when the worker gets a task, before its pull.
     *
     * @return whether it was not a member before
     */
    public boolean join(String worker) {
        return join(null, worker);
    }

    /** Adds a worker for a master's term; null for none. After {@link #lead}, an earlier master can add no worker. */
    boolean join(@Nullable Term term, String worker) {
        membership.lock();
        try {
            if (term != null) {
                slots.require(term);
            }
            if (members.containsKey(worker)) {
                return false;
            }
            RoundMember member = new RoundMember(worker);
            members.put(worker, member);
            slots.attached().forEach(shard -> shard.join(member));
            return true;
        } finally {
            membership.unlock();
        }
    }

    /**
     * Removes a worker from the rounds: it returned its task, finished it, or died. Received pushes are applied.
     *
     * @return whether it was a member
     */
    public boolean leave(String worker) {
        return leave(null, worker);
    }

    /** Removes a worker as {@link #leave(String)} does, for a master's term; null for none. */
    boolean leave(@Nullable Term term, String worker) {
        boolean was;
        membership.lock();
        try {
            if (term != null) {
                slots.require(term);
            }
            was = remove(worker);
        } finally {
            membership.unlock();
        }
        announcer.tell();
        return was;
    }

    private boolean remove(String worker) {
        boolean was = members.remove(worker) != null;
        slots.attached().forEach(shard -> shard.leave(worker));
        return was;
    }

    /** Applies the accumulated gradients of all shards now, without waiting for the rest of the round. */
    public void flush() throws InterruptedException {
        onAll(shards -> any(shards, shard -> shard.flush()));
    }

    @Override
    public ShardCut cut() throws InterruptedException {
        ShardCut cut = slots.run(membership, patience, shards -> GroupCut.take(shards, nextCut()));
        announcer.tell();
        return cut;
    }

    private long nextCut() {
        return cuts += CutRetry.TRIES;
    }

    /**
     * Restores each shard from its snapshot, as {@link ParameterShard#restore} does.
     *
     * @param snapshots one snapshot for each shard, in order
     */
    public void restore(List<ShardSnapshot> snapshots) throws InterruptedException {
        if (snapshots.size() != slots.count()) {
            throw new IllegalArgumentException(
                    "there must be one snapshot for each of " + slots.count() + " shards, were " + snapshots.size());
        }
        slots.run(membership, patience, shards -> {
            for (int i = 0; i < shards.length; i++) {
                shards[i].restore(snapshots.get(i));
            }
            return shards.length;
        });
    }

    /**
     * Detaches a shard, as the death of its host does. Operations wait until it is replaced. Callers that wait for its
     * rounds are released, at the latest when the rounds of the preceding shards have ended.
     *
     * @throws IllegalStateException when it is detached already
     */
    public ParameterShard detach(int index) {
        seating.lock();
        try {
            ParameterShard shard = slots.take(index);
            shard.retire();
            return shard;
        } finally {
            seating.unlock();
        }
    }

    @Override
    public void close() {
        slots.close();
    }

    /**
     * Attaches a shard, restored or initialized, to a free slot. Members of the group become members of it.
     *
     * @throws IllegalStateException when the slot is occupied
     * @throws IllegalArgumentException when the shard's range is not the slot's
     */
    public void attach(int index, ParameterShard shard) {
        attach(index, shard, null, null);
    }

    /**
     * Attaches a shard to a free slot for a master, in whose term a life of the shard begins.
     *
     * @param life life that begins; null for the shard's next one
     * @throws dev.edl.runtime.ps.ports.StaleTermException when the slot follows a later term, or another master of this
     *     one
     */
    public void attach(int index, ParameterShard shard, @Nullable Term term, @Nullable ShardLife life) {
        membership.lock();
        seating.lock();
        try {
            if (term != null) {
                slots.require(index, term);
            }
            slots.requireEmpty(index, shard);
            // Its predecessor has retired, so nothing else uses its range.
            shard.moveTo(floats);
            GroupObserver present = observer;
            if (present != null) {
                shard.observe(present.shard(shard.range()));
            }
            announcer.follow(index, shard);
            members.values().forEach(shard::join);
            // A push that other shards took before is stale here, if it arrives at all, so no cut may wait for it.
            slots.attached().forEach(other -> shard.cuts().follow(other.cuts().taken()));
            slots.put(index, shard, life);
        } finally {
            seating.unlock();
            membership.unlock();
        }
    }

    /**
     * Returns the first of some consecutive pushes that a shard lacks, or the id after the last if every shard holds
     * all. A held push was applied or waits for its round. No shard is replaced during the call.
     * @param lives fingerprint of lives that hold all these pushes; {@link ShardLife#UNKNOWN_LIVES} if unknown
     */
    public long resumeAt(long firstPushId, int count, long lives) throws InterruptedException {
        return slots.run(seating, patience, shards -> {
            int held = count;
            for (ParameterShard shard : lives == slots.lives() ? new ParameterShard[0] : shards) {
                held = Math.min(held, shard.held(firstPushId, held));
            }
            GroupObserver present = observer;
            if (present != null) {
                present.confirmed(firstPushId, firstPushId + held);
            }
            return firstPushId + held;
        });
    }

    /** Sets a constant learning rate for later updates, in place of any schedule. */
    public void learningRate(float learningRate) throws InterruptedException {
        onAll(shards -> any(shards, shard -> {
            shard.learningRate(learningRate);
            return true;
        }));
    }

    /** Returns the pinned versions of all shards. */
    public GroupPins pins() {
        return pins;
    }

    /** Stores a master's decision record in every shard; refused if a later master leads. Waits for absent shards. */
    void decide(Term term, DecisionRecord record) throws InterruptedException {
        slots.run(seating, patience, shards -> {
            for (int i = 0; i < shards.length; i++) {
                slots.pass(i, term, shards[i].decisions(), record);
            }
            return shards.length;
        });
    }

    @Override
    public Optional<DecisionRecord> decided() throws InterruptedException {
        Optional<DecisionRecord> present = newest(slots.attached());
        return present.isPresent() ? present : slots.run(seating, patience, shards -> newest(List.of(shards)));
    }

    private static Optional<DecisionRecord> newest(List<ParameterShard> shards) {
        return shards.stream()
                .flatMap(shard -> shard.decisions().newest().stream())
                .reduce((one, other) -> other.isNewerThan(one) ? other : one);
    }

    /** Applies an action to every shard. Returns whether any returned true. */
    private static boolean any(ParameterShard[] shards, Predicate<ParameterShard> action) {
        return List.of(shards).stream().map(action::test).reduce(false, Boolean::logicalOr);
    }

    private <T> T onAll(LocalShardSlots.Action<T> action) throws InterruptedException {
        T result = slots.run(seating, patience, action);
        announcer.tell();
        return result;
    }

    /** Rejects a push that does not fit the group's shards, or whose gradient is not finite. */
    void requirePush(BaseVersions base, float[] gradient, List<EmbeddingRows> rows) {
        requireLength(gradient);
        slots.requireVersions(base.shards());
        contents.requireRows(rows);
        FiniteGradientCheck.requireFinite(gradient, 0, size);
        FiniteGradientCheck.requireFinite(rows);
    }

    @Override
    public Set<Integer> unresponsive() {
        return slots.empty();
    }

    @Override
    public int missing() {
        return slots.missing();
    }

    void requireLength(float[] full) {
        if (full.length != size) {
            throw new IllegalArgumentException(
                    "a vector must have the model's " + size + " floats, had " + full.length);
        }
    }

    /** Returns the text for people, for example {@code 2 shards of 650 floats, 4 members}. */
    @Override
    public String toString() {
        membership.lock();
        try {
            return slots.count() + " shards of " + size + " floats, " + members.size() + " members";
        } finally {
            membership.unlock();
        }
    }
}
