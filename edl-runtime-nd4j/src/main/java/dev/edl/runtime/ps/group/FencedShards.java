package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** All shards under one master's term. Each request to a shard carries the term. */
final class FencedShards implements ShardsControl {
    private final ShardGroup group;
    private final ShardSlots<ShardPort> slots;
    private final ParallelShardCalls calls;
    private final Term term;
    private final Duration patience;
    private final Duration flush;

    FencedShards(ShardGroup group, Term term, Duration patience, Duration flush) {
        this.group = group;
        this.slots = group.slots();
        this.calls = group.calls();
        this.term = term;
        this.patience = patience;
        this.flush = flush;
    }

    @Override
    public Term term() {
        return term;
    }

    @Override
    public int count() {
        return slots.count();
    }

    @Override
    public boolean join(String worker) {
        return group.member(term, worker, true);
    }

    @Override
    public boolean leave(String worker) {
        return group.member(term, worker, false);
    }

    /** Waits until no shard is absent and calls all of them. Repeats the call if a shard is replaced meanwhile. */
    private <T> T whole(ShardSlots.Action<ShardPort, T> action) throws InterruptedException {
        slots.require(term);
        return slots.run(null, patience, shards -> {
            T answer = action.on(shards);
            slots.requireSeated(shards);
            return answer;
        });
    }

    /**
     * Calls all shards as {@link #whole} does, and meanwhile prevents changes of members and pins, and new shards from
     * being attached.
     */
    private <T> T alone(ShardSlots.Action<ShardPort, T> action) throws InterruptedException {
        slots.require(term);
        return slots.run(group.membership(), patience, action);
    }

    @Override
    public boolean holds(long firstPushId, int count, long lives) throws InterruptedException {
        slots.require(term);
        return slots.run(null, patience, shards -> {
            int held = count;
            if (lives != slots.lives()) {
                for (int each : calls.all(shards, (index, shard) -> shard.held(term, firstPushId, count))) {
                    held = Math.min(held, each);
                }
            }
            group.confirm(shards, firstPushId, held);
            return held == count;
        });
    }

    @Override
    public Map<Integer, ShardPushes> pushes() throws InterruptedException {
        slots.require(term);
        ParallelShardCalls.Call<Map.Entry<Integer, ShardPushes>> call =
                (index, shard) -> Map.entry(index, shard.pushes(term));
        Map<Integer, ShardPushes> present = byIndex(calls.present(call));
        return present.values().stream().allMatch(ShardPushes::isEmpty)
                ? whole(shards -> byIndex(calls.all(shards, call)))
                : present;
    }

    private static Map<Integer, ShardPushes> byIndex(List<Map.Entry<Integer, ShardPushes>> each) {
        return each.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public Optional<ShardPushes> pushes(int shard) {
        slots.require(term);
        return slots.at(shard).flatMap(present -> calls.one(shard, present, (index, port) -> port.pushes(term)));
    }

    private <T> T each(ShardPort[] shards, T answer, ParallelShardCalls.Order order) throws InterruptedException {
        calls.order(shards, order);
        return answer;
    }

    @Override
    public void flush() throws InterruptedException {
        whole(shards -> each(shards, term, (index, shard) -> shard.flush(term)));
        group.announce();
    }

    @Override
    public ShardCut cut() throws InterruptedException {
        slots.require(term);
        ShardCut cut = slots.run(
                group.cutting(), patience, shards -> CutRetry.take(group.nextCut(), number -> cut(shards, number)));
        group.announce();
        return cut;
    }

    private ShardCut cut(ShardPort[] shards, long number) throws InterruptedException {
        try (ShardGroupCut cut = new ShardGroupCut(calls, shards, term, number, group.large())) {
            long lives;
            // Not during the transfers, which may take seconds.
            group.membership().lock();
            try {
                slots.requireSeated(shards);
                lives = slots.lives();
                cut.copy(flush);
            } finally {
                group.membership().unlock();
            }
            ShardCut copies = cut.await();
            if (slots.lives() != lives) {
                // A replaced shard lacks pushes that its copy has.
                slots.requireSeated(shards);
            }
            return copies;
        }
    }

    @Override
    public void decide(DecisionRecord record) throws InterruptedException {
        whole(shards -> each(shards, term, (index, shard) -> shard.decide(term, record)));
    }

    @Override
    public Optional<DecisionRecord> decided() throws InterruptedException {
        slots.require(term);
        Optional<DecisionRecord> present = newest(calls.present(this::decided));
        return present.isPresent() ? present : whole(shards -> newest(calls.all(shards, this::decided)));
    }

    private Optional<DecisionRecord> decided(int index, ShardPort shard) throws InterruptedException {
        // Any master may read a record, but a later one may have begun.
        shard.version(term);
        return shard.decided();
    }

    private static Optional<DecisionRecord> newest(List<Optional<DecisionRecord>> records) {
        return records.stream().flatMap(Optional::stream).reduce((one, other) -> other.isNewerThan(one) ? other : one);
    }

    @Override
    public long lives() {
        slots.require(term);
        return slots.lives();
    }

    @Override
    public void pinEvery(int every, int keep, LongConsumer listener) throws InterruptedException {
        PinReportCollector reports = group.pinReports();
        alone(shards -> {
            reports.begin(new PinReportCollector.Order(every, keep, listener), common(shards));
            return each(shards, term, (index, shard) -> shard.pinEvery(term, every, keep, reports.of(index)));
        });
    }

    private NavigableSet<Long> common(ShardPort[] shards) throws InterruptedException {
        List<NavigableSet<Long>> pins = calls.all(shards, (index, shard) -> shard.pins(term));
        NavigableSet<Long> all = new TreeSet<>(pins.get(0));
        pins.forEach(all::retainAll);
        return all;
    }

    @Override
    public NavigableSet<Long> pins() throws InterruptedException {
        return alone(this::common);
    }

    @Override
    public void pinNow(long version) throws InterruptedException {
        alone(shards -> each(shards, term, (index, shard) -> shard.pinNow(term, version)));
    }

    @Override
    public boolean hold(long version) throws InterruptedException {
        return ifPinned(version, (index, shard) -> shard.holdPin(term, version));
    }

    @Override
    public void release(long version) throws InterruptedException {
        alone(shards -> each(shards, term, (index, shard) -> shard.releasePin(term, version)));
    }

    @Override
    public boolean keep(long version) throws InterruptedException {
        return alone(shards -> group.mayKeep(shards, version)
                && common(shards).contains(version)
                && calls.all(shards, (index, shard) -> shard.keepPin(term, version)).stream()
                        .allMatch(Boolean::booleanValue));
    }

    private boolean ifPinned(long version, ParallelShardCalls.Call<Boolean> call) throws InterruptedException {
        return alone(shards -> common(shards).contains(version)
                && calls.all(shards, call).stream().allMatch(Boolean::booleanValue));
    }

    @Override
    public void keepOnly(long version) throws InterruptedException {
        alone(shards -> each(shards, term, (index, shard) -> shard.keepOnlyPin(term, version)));
    }

    @Override
    public Optional<ModelSnapshot> pinned(long version) throws InterruptedException {
        // Outside the lock: the copies are large, and a version in use is held.
        return whole(shards -> group.pinned(shards, term, version));
    }

    @Override
    public boolean unpin(long version) throws InterruptedException {
        return alone(shards -> calls.all(shards, (index, shard) -> shard.dropPin(term, version)).stream()
                .anyMatch(Boolean::booleanValue));
    }

    /** Returns the text for people, for example {@code term 2 of mnist-master-0.1 over 2 shards, 4 members}. */
    @Override
    public String toString() {
        return term + " over " + group;
    }
}
