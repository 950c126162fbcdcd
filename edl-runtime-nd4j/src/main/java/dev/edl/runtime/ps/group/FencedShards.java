package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import java.util.BitSet;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The shards of one JVM under one master's term. Each call first checks at every slot that no later master leads. */
final class FencedShards implements ShardsControl {
    private final ShardGroup group;
    private final LocalShardSlots slots;
    private final Term term;

    FencedShards(ShardGroup group, LocalShardSlots slots, Term term) {
        this.group = group;
        this.slots = slots;
        this.term = term;
    }

    private ShardGroup led() {
        slots.require(term);
        return group;
    }

    @Override
    public Term term() {
        return term;
    }

    @Override
    public int count() {
        return group.shards();
    }

    @Override
    public boolean join(String worker) {
        return group.join(term, worker);
    }

    @Override
    public boolean leave(String worker) {
        return group.leave(term, worker);
    }

    @Override
    public boolean holds(long firstPushId, int count, long lives) throws InterruptedException {
        return led().resumeAt(firstPushId, count, lives) == firstPushId + count;
    }

    @Override
    public Optional<BitSet> appliedBy(int shard, int epoch) {
        return led().shard(shard).map(present -> present.appliedInEpoch(epoch));
    }

    @Override
    public void flush() throws InterruptedException {
        led().flush();
    }

    @Override
    public ShardCut cut() throws InterruptedException {
        return led().cut();
    }

    @Override
    public void decide(DecisionRecord record) throws InterruptedException {
        led().decide(term, record);
    }

    @Override
    public Optional<DecisionRecord> decided() throws InterruptedException {
        return led().decided();
    }

    @Override
    public long lives() {
        led();
        return slots.lives();
    }

    @Override
    public void pinEvery(int every, int keep, LongConsumer listener) throws InterruptedException {
        led().pins().every(every, keep, listener);
    }

    @Override
    public NavigableSet<Long> pins() throws InterruptedException {
        return led().pins().versions();
    }

    @Override
    public void pinNow(long version) throws InterruptedException {
        led().pins().now(version);
    }

    @Override
    public boolean hold(long version) throws InterruptedException {
        return led().pins().hold(version);
    }

    @Override
    public void release(long version) throws InterruptedException {
        led().pins().release(version);
    }

    @Override
    public boolean keep(long version) throws InterruptedException {
        return led().pins().keep(version);
    }

    @Override
    public void keepOnly(long version) throws InterruptedException {
        led().pins().keepOnly(version);
    }

    @Override
    public Optional<ModelSnapshot> pinned(long version) throws InterruptedException {
        return led().pins().model(version);
    }

    @Override
    public boolean unpin(long version) throws InterruptedException {
        return led().pins().drop(version);
    }

    /**
     * Returns the text for people, for example {@code term 2 of mnist-master-0.1 over 2 shards of 650 floats, 4
     * members}.
     */
    @Override
    public String toString() {
        return term + " over " + group;
    }
}
