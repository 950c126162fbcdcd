package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.PinnedVersions;
import dev.edl.runtime.ps.shard.RoundMember;
import dev.edl.runtime.ps.shard.SharedShardArrays;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A group whose shards are all in this JVM, where workers are threads and no data is copied between them.
 *
 * <p>A worker uses the shards through {@link #worker}. A push goes to every shard, with the life and version that the
 * worker pulled from it. All shards keep their floats in common vectors, and know a worker as one member of rounds.
 *
 * <p>A shard can be {@linkplain #detach(int) detached} and replaced at any time. Operations that need it wait for its
 * successor, up to the configured bound. Safe for several threads.
 */
public class LocalShards extends ShardGroup {
    /** Minimum number of floats of a shard from which the shards are copied in parallel. */
    private static final int LARGE = 1 << 18;

    private final ShardContents contents;
    private final List<ShardRange> ranges;
    private final Map<String, RoundMember> workers = new ConcurrentHashMap<>();
    /** Calls of the listener of pinned versions, for the thread whose push has made a version. */
    private final Queue<Runnable> announcements;

    /** Counts the workers' ports, so that the workers begin their calls at different shards. */
    private final AtomicInteger ports = new AtomicInteger();

    /** Vectors of all shards; set by the first shard, under the lock of the members. */
    private @Nullable SharedShardArrays floats;

    /**
     * Held while a shard is detached and retires, while its successor takes the slot, and while a confirmation is
     * recorded. Acquired after the lock of the members, and never held during a wait.
     */
    private final ReentrantLock seating = new ReentrantLock();

    private volatile @Nullable GroupObserver observer;

    /**
     * Creates a group without any shard.
     *
     * @param count number of shards, at least 1
     * @param patience the longest wait for an absent shard, for example 30 s
     */
    public LocalShards(ShardContents contents, int count, Duration patience) {
        this(contents, count, patience, new ConcurrentLinkedQueue<>());
    }

    private LocalShards(ShardContents contents, int count, Duration patience, Queue<Runnable> announcements) {
        super("local", count, patience, announcements::add);
        this.contents = contents;
        this.ranges = contents.split(count);
        this.announcements = announcements;
    }

    /** Returns the number of floats in the parameter vector. */
    public final int size() {
        return contents.size();
    }

    /** Returns the contents of all shards. */
    public final ShardContents contents() {
        return contents;
    }

    /** Returns the shard at an index; empty while it is detached. */
    public final Optional<ParameterShard> shard(int index) {
        return slots().at(index).map(LocalShards::local);
    }

    /** Returns the shard behind a port of this group. */
    static ParameterShard local(ShardPort port) {
        return ((HostedShard) port).shard();
    }

    /**
     * Attaches a shard, restored or initialized, to a free slot, where a life begins. Members of the group become
     * members of the new life.
     *
     * @param term term of the master that assigned the life; null for none
     * @throws dev.edl.runtime.ps.ports.StaleTermException when the slot follows a later term, or another master of this
     *     one
     * @throws IllegalStateException when the slot is occupied
     * @throws IllegalArgumentException when the shard's range is not the slot's
     */
    public final void attach(int index, ParameterShard shard, @Nullable Term term, ShardLife life) {
        shard.requireOneOf(count());
        membership().lock();
        try {
            if (term != null) {
                slots().fence(index).require(term);
            }
            if (!shard.range().equals(ranges.get(index))) {
                throw new IllegalArgumentException(
                        "the slot of " + ranges.get(index) + " does not fit " + shard.range());
            }
            // A predecessor that is being detached has retired then.
            seating.lock();
            try {
                if (slots().at(index).isPresent()) {
                    throw new IllegalStateException("parameter shard ps-" + index + " is attached; detach it first");
                }
            } finally {
                seating.unlock();
            }
            SharedShardArrays shared = floats;
            if (shared == null) {
                shared = shard.floatsFor(size());
                floats = shared;
            }
            // Its predecessor has retired, so nothing else uses its range.
            shard.moveTo(shared);
            GroupObserver present = observer;
            if (present != null) {
                shard.observe(present.shard(shard.range()));
            }
            attach(index, new HostedShard(shard, term, life, workers));
        } finally {
            membership().unlock();
        }
    }

    /**
     * Detaches a shard, as the death of its host does. Operations wait until it is replaced. Workers that wait for
     * its rounds are released at once.
     *
     * @throws IllegalStateException when it is detached already
     */
    public final ParameterShard detach(int index) {
        seating.lock();
        try {
            HostedShard shard = (HostedShard) slots().take(index)
                    .orElseThrow(
                            () -> new IllegalStateException("parameter shard ps-" + index + " is detached already"));
            shard.retire();
            return shard.shard();
        } finally {
            seating.unlock();
        }
    }

    /**
     * Returns one worker's access to the shards.
     *
     * @param worker the worker's name, which no other worker of the run ever has
     */
    public final ShardsPort worker(String worker) {
        return observed(worker, unobserved(worker));
    }

    /** Returns a port that reports a worker's calls to the group's observer; the same port if there is none. */
    final ShardsPort observed(String worker, ShardsPort port) {
        GroupObserver present = observer;
        return present == null ? port : new ObservedShards(this, present, worker, port);
    }

    /** Returns one worker's access, whose calls are reported to the shards' observers but not to the group's. */
    final ShardsPort unobserved(String worker) {
        return new WorkerShards(this, worker, Math.floorMod(ports.getAndIncrement(), count()));
    }

    /**
     * Attaches an observer to the group, its shards, and the ports that workers get from now on.
     *
     * @throws IllegalStateException when there is an observer already
     */
    public final void observe(GroupObserver next) {
        membership().lock();
        try {
            if (observer != null) {
                throw new IllegalStateException("the group is observed already; each run needs a group of its own");
            }
            observer = next;
            for (ShardPort port : slots().attached()) {
                local(port).observe(next.shard(local(port).range()));
            }
        } finally {
            membership().unlock();
        }
    }

    /** Returns the member with a name, or a new object if there is none. */
    final RoundMember member(String worker) {
        RoundMember member = workers.get(worker);
        return member == null ? new RoundMember(worker) : member;
    }

    /**
     * Returns the first of some consecutive pushes that a shard lacks, or the id after the last if every shard holds
     * all. A held push was applied or waits for its round. No shard is replaced during the call.
     */
    final long resumeAt(long firstPushId, int count) throws InterruptedException {
        return slots().run(null, patience, shards -> {
            int held = count;
            for (ShardPort shard : shards) {
                held = Math.min(held, ((HostedShard) shard).held(firstPushId, held));
            }
            confirm(shards, firstPushId, held);
            return firstPushId + held;
        });
    }

    @Override
    final void confirm(ShardPort[] shards, long firstPushId, int held) {
        GroupObserver present = observer;
        if (present == null) {
            super.confirm(shards, firstPushId, held);
            return;
        }
        // No shard ends its life between the check and the event.
        seating.lock();
        try {
            super.confirm(shards, firstPushId, held);
            present.confirmed(firstPushId, firstPushId + held);
        } finally {
            seating.unlock();
        }
    }

    @Override
    final void announce() {
        for (Runnable next = announcements.poll(); next != null; next = announcements.poll()) {
            next.run();
        }
    }

    @Override
    final boolean large() {
        return ranges.get(0).length() >= LARGE;
    }

    @Override
    final boolean mayKeep(ShardPort[] shards, long version) {
        return Arrays.stream(shards).allMatch(port -> local(port).pins().isNeeded(version));
    }

    @Override
    final Optional<ModelSnapshot> pinned(ShardPort[] shards, Term term, long version) {
        // One copy, into the flat vector.
        return PinnedVersions.model(
                version,
                size(),
                Arrays.stream(shards).map(port -> local(port).pins()).toList());
    }
}
