package dev.edl.runtime.ps.group;

import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.MasterShardGroup;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All parameter shards of a training, as seen by the master's process. Each shard is in this JVM or in another process;
 * the group reaches it through its {@link ShardPort}.
 *
 * <p>A shard is present between {@link #attach} and {@link #detach}, or until a call finds that it is gone.
 * Operations that need an absent shard wait for it, up to the configured bound. Members and pins change one at a time
 * and not while the shards are copied for a cut.
 *
 * <p>Safe for several threads.
 *
 * <pre>{@code
 * ShardGroup shards = new ShardGroup("mnist-master-0", 2, Duration.ofSeconds(30));
 * ShardsControl control = shards.lead(new Term(1, "mnist-master-0.1"));
 * shards.attach(0, port);   // a server has reported its life
 * shards.detach(0, port);   // its stream has closed
 * }</pre>
 */
public class ShardGroup implements MasterShardGroup {
    final Duration patience;
    private final ShardSlots<ShardPort> slots;
    private final ParallelShardCalls calls;
    private final PinReportCollector pins;
    private final Executor announcer;
    /** Held while members and pins change, while a shard is attached, and while the shards are copied for a cut. */
    private final ReentrantLock membership = new ReentrantLock();
    /** Held for a whole cut, so that each server has memory for one copy; acquired before {@link #membership}. */
    private final ReentrantLock cutting = new ReentrantLock();
    /** In join order; used under {@link #membership}. */
    private final Set<String> members = new LinkedHashSet<>();
    /** Counts the changes of {@link #members} by joins and leaves; used under {@link #membership}. */
    private long memberChanges;

    /** Shards of a new life that have no sequence numbers of the others yet; used under {@link #membership}. */
    private final Set<Integer> behind = new TreeSet<>();

    /** By shard index: the last request of {@link #unresponsive}. */
    private final Map<Integer, Future<Long>> probes = new ConcurrentHashMap<>();

    private volatile @Nullable Term leader;
    private volatile @Nullable ShardsControl control;
    private long cuts;

    /**
     * Creates a group without any shard.
     *
     * @param name prefix of the thread names
     * @param count number of shards, at least 1
     * @param patience the longest wait for an absent shard, for example 30 s
     */
    public ShardGroup(String name, int count, Duration patience) {
        this(name, count, patience, DaemonThreads.onDemand(name + "-pins"));
    }

    /** Creates a group whose listener of pinned versions is called by the given executor. */
    ShardGroup(String name, int count, Duration patience, Executor announcer) {
        this.announcer = announcer;
        this.patience = patience;
        this.slots = new ShardSlots<>(
                IntStream.range(0, count).mapToObj(i -> "ps-" + i).toList(), ShardPort[]::new);
        this.calls = new ParallelShardCalls(name, slots);
        this.pins = new PinReportCollector(count, announcer);
    }

    final ShardSlots<ShardPort> slots() {
        return slots;
    }

    final ParallelShardCalls calls() {
        return calls;
    }

    final PinReportCollector pinReports() {
        return pins;
    }

    @Override
    public int count() {
        return slots.count();
    }

    @Override
    public int missing() {
        return slots.missing();
    }

    @Override
    public Set<Integer> unresponsive() {
        Set<Integer> all = slots.empty();
        Term term = leader;
        for (int i = 0; i < count() && term != null; i++) {
            Future<Long> last = probes.get(i);
            Optional<ShardPort> shard = slots.at(i);
            if (last != null && !last.isDone()) {
                all.add(i);
            } else if (shard.isPresent() && !shard.get().here()) {
                probes.put(i, calls.start(i, shard.get(), (index, port) -> port.version(term)));
            }
        }
        return all;
    }

    @Override
    public OptionalLong newestVersion() {
        Term term = leader;
        if (term == null || missing() >= 0) {
            return OptionalLong.empty();
        }
        try {
            List<Long> versions = calls.present((index, shard) -> shard.version(term));
            return versions.size() < count()
                    ? OptionalLong.empty()
                    : versions.stream().mapToLong(Long::longValue).max();
        } catch (StaleTermException stale) {
            if (term.equals(leader)) {
                throw stale;
            }
            // A new master of this process has begun meanwhile.
            return OptionalLong.empty();
        }
    }

    /**
     * Attaches a shard after its server has reported the shard's life. Replaces an earlier connection to the shard. The shard
     * is absent until it has received the members of rounds and the pin request. Waits for the responses of shards.
     */
    public void attach(int index, ShardPort shard) {
        membership.lock();
        try {
            slots.take(index);
            pins.replaced(index);
            behind.remove(index);
            Term term = leader;
            if (term == null || greet(term, index, shard)) {
                slots.begin(index, shard.life());
                slots.put(index, shard);
            }
        } finally {
            membership.unlock();
        }
    }

    /** Sends a newly attached shard the members and the pin request. Returns whether it is still reachable. */
    private boolean greet(Term term, int index, ShardPort shard) {
        List<String> workers = List.copyOf(members);
        long last = memberChanges;
        boolean anew = hasBegunAnew(term, index, shard.life());
        try {
            Optional<Long> version = calls.one(index, shard, (i, port) -> {
                port.members(term, last, workers);
                return port.version(term);
            });
            if (version.isEmpty()) {
                return false;
            }
            if (anew) {
                behind.add(index);
                rollBack(term, index, shard, version.get());
            }
            Optional<PinReportCollector.Order> order = pins.order();
            return order.isEmpty()
                    || calls.one(index, shard, (i, port) -> pin(term, i, port, order.get()))
                            .isPresent();
        } catch (StaleTermException later) {
            // The shard gets its slot, and the master's next request fails with this exception.
            return true;
        }
    }

    /**
     * Returns whether a shard's new life lacks state that other shards have. If an earlier master began the life and
     * this process has not seen it before, that master has initialized it.
     */
    private boolean hasBegunAnew(Term term, int index, ShardLife life) {
        ShardLife last = slots.life(index);
        return last.equals(ShardLife.UNORDERED) ? life.term() == term.number() : !last.equals(life);
    }

    private void rollBack(Term term, int index, ShardPort shard, long version) {
        pins.takenBack(version);
        Map<String, Long> taken = new TreeMap<>();
        calls.present((other, port) -> {
                    if (other == index) {
                        return Map.<String, Long>of();
                    }
                    port.dropFreePinsAbove(term, version);
                    return port.taken(term);
                })
                .forEach(last -> last.forEach((worker, sequence) -> taken.merge(worker, sequence, Math::max)));
        // A push that other shards took before is stale here, if it arrives at all, so no cut may wait for it.
        calls.one(index, shard, (i, port) -> {
            port.follow(term, taken);
            return i;
        });
        behind.remove(index);
    }

    /** Rolls the shards back to which an earlier term, refused by the others, could not send sequence numbers. */
    private void catchUp(Term term) {
        for (int index : List.copyOf(behind)) {
            Optional<ShardPort> shard = slots.at(index);
            shard.flatMap(port -> calls.one(index, port, (i, present) -> present.version(term)))
                    .ifPresent(version -> rollBack(term, index, shard.get(), version));
        }
    }

    /** Sends a shard the pin request, and reports the versions that it pinned while no master listened. */
    private int pin(Term term, int index, ShardPort shard, PinReportCollector.Order order) throws InterruptedException {
        var report = pins.of(index);
        shard.pinEvery(term, order.every(), order.keep(), report);
        shard.pins(term).forEach(report::accept);
        return index;
    }

    /** Empties the slot of a shard whose connection has closed, unless another connection occupies it. */
    public void detach(int index, ShardPort shard) {
        slots.vacate(index, shard);
    }

    @Override
    public ShardsControl lead(Term term) {
        return lead(term, CutRetry.FLUSH);
    }

    /** Leads as {@link #lead(Term)} does, with the given longest wait for pushes in flight when a cut begins. */
    ShardsControl lead(Term term, Duration flush) {
        FencedShards servers = new FencedShards(this, term, patience, flush);
        membership.lock();
        try {
            slots.require(term);
            leader = term;
            members.clear();
            long last = memberChanges;
            calls.orderPresent((index, shard) -> shard.members(term, last, List.of()));
            control = servers;
            catchUp(term);
        } finally {
            membership.unlock();
        }
        announce();
        return servers;
    }

    /** Sends the present shards a change of members, and all members to a shard that lacks an earlier change. */
    private void sendChange(Term term, String worker, boolean joins) {
        long change = ++memberChanges;
        calls.orderPresent((index, shard) -> {
            if (!shard.member(term, change, worker, joins)) {
                // The caller holds the lock of the members until all shards have answered.
                shard.members(term, change, List.copyOf(members));
            }
        });
    }

    /** Adds or removes a worker. Returns whether that changes anything. */
    final boolean member(Term term, String worker, boolean counts) {
        boolean changes;
        membership.lock();
        try {
            slots.require(term);
            changes = counts ? members.add(worker) : members.remove(worker);
            if (changes) {
                sendChange(term, worker, counts);
            }
        } finally {
            membership.unlock();
        }
        announce();
        return changes;
    }

    /**
     * Calls the listener of pinned versions on this thread for each version that waits for it, if no other thread does
     * so. The caller must hold no lock.
     */
    void announce() {}

    /** Returns whether copies of several shards of this JVM take so long that they are made in parallel. */
    boolean large() {
        return false;
    }

    /**
     * Receives the number of consecutive pushes that every shard holds.
     *
     * @throws dev.edl.runtime.ps.ShardGoneException when a shard was replaced since it was asked
     */
    void confirm(ShardPort[] shards, long firstPushId, int held) {
        slots.requireSeated(shards);
    }

    /** Returns the model at a pinned version; empty unless all shards have it pinned. */
    Optional<ModelSnapshot> pinned(ShardPort[] shards, Term term, long version) throws InterruptedException {
        List<PinnedShard> parts = calls.all(shards, (index, shard) -> shard.pinned(term, version)).stream()
                .flatMap(Optional::stream)
                .toList();
        return parts.size() == count() ? Optional.of(ModelSnapshot.of(parts)) : Optional.empty();
    }

    /** Returns false if it is known that some shard would refuse to keep a version. */
    boolean mayKeep(ShardPort[] shards, long version) {
        return true;
    }

    final ReentrantLock membership() {
        return membership;
    }

    final ReentrantLock cutting() {
        return cutting;
    }

    /** Returns the number of the next cut's first attempt; used under {@link #cutting}. */
    final long nextCut() {
        return cuts += CutRetry.TRIES;
    }

    /** Returns the last master's control of the shards; empty before the first. */
    final Optional<ShardsControl> led() {
        return Optional.ofNullable(control);
    }

    private ShardsControl control() throws InterruptedException {
        if (control == null) {
            // Shards are attached once a master leads.
            slots.run(null, patience, shards -> shards);
        }
        return led().orElseThrow(
                        () -> new IllegalStateException("no master of this process leads the parameter shards yet"));
    }

    @Override
    public ShardCut cut() throws InterruptedException {
        return underLeader(ShardsControl::cut);
    }

    /** Calls under the newest master of this process; repeats the call if another one has begun meanwhile. */
    private <T> T underLeader(Led<T> call) throws InterruptedException {
        while (true) {
            ShardsControl present = control();
            try {
                return call.on(present);
            } catch (StaleTermException stale) {
                if (isLast(present)) {
                    throw stale;
                }
            }
        }
    }

    /** Returns whether no other master has begun; waits for a master that begins now. */
    private boolean isLast(ShardsControl present) {
        membership.lock();
        try {
            return control == present;
        } finally {
            membership.unlock();
        }
    }

    @FunctionalInterface
    private interface Led<T> {
        T on(ShardsControl present) throws InterruptedException;
    }

    @Override
    public Optional<DecisionRecord> decided() throws InterruptedException {
        return underLeader(ShardsControl::decided);
    }

    /** Ends every present and later wait for an absent shard with an exception, and ends the group's threads. */
    @Override
    public void close() {
        slots.close();
        calls.close();
        if (announcer instanceof ExecutorService thread) {
            thread.shutdownNow();
        }
    }

    /** Returns the text for people, for example {@code 2 shards, 4 members}. */
    @Override
    public String toString() {
        membership.lock();
        try {
            return count() + " shards, " + members.size() + " members";
        } finally {
            membership.unlock();
        }
    }
}
