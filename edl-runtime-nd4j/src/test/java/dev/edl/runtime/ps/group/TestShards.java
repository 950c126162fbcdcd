package dev.edl.runtime.ps.group;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Shards of this JVM that a test drives without a master of its own. */
public final class TestShards extends LocalShards {
    /** Term of the test, if no master of its own leads. */
    private static final Term TERM = new Term(1, "m.1");

    public TestShards(List<ParameterShard> shards, Duration patience) {
        super(shards.get(0).contents(), shards.size(), patience);
        for (int i = 0; i < shards.size(); i++) {
            attach(i, shards.get(i), null, shards.get(i).life().next());
        }
    }

    public static TestShards create(
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

    /** Makes a group of new shards without values. */
    public static TestShards create(
            ShardContents contents, int shards, UpdateRule rule, int minibatchesPerEpoch, Duration patience) {
        return new TestShards(
                contents.split(shards).stream()
                        .map(range -> new ParameterShard(range, shards, contents, rule, minibatchesPerEpoch))
                        .toList(),
                patience);
    }

    /** Returns the master; one thread begins it, because a second one would begin without the first one's members. */
    private synchronized ShardsControl leader() {
        return led().orElseGet(() -> lead(TERM));
    }

    /** Attaches a shard with the next life of its slot. */
    public void attach(int index, ParameterShard shard) {
        Term term = leader().term();
        attach(index, shard, term, slots().life(index).next());
    }

    /** Attaches a new shard of zeros for plain SGD with rate 1. */
    public void bringBack(int index, Consistency consistency) {
        UpdateRule rule = UpdateRule.of(Optimizer.sgd(1f), consistency);
        ParameterShard shard = new ParameterShard(contents().split(count()).get(index), count(), contents(), rule, 8);
        shard.initialize(new float[size()]);
        attach(index, shard);
    }

    public boolean join(String worker) {
        return leader().join(worker);
    }

    public boolean leave(String worker) {
        return leader().leave(worker);
    }

    public void flush() throws InterruptedException {
        leader().flush();
    }

    @Override
    public ShardCut cut() throws InterruptedException {
        leader();
        return super.cut();
    }

    /** Returns the control of the present master, or of the test. */
    public ShardsControl pins() {
        return leader();
    }

    /** Sets the first values of every shard that has none. Returns whether any shard used them. */
    public boolean initialize(float[] full) throws InterruptedException {
        return any(shard -> shard.initialize(full));
    }

    public void learningRate(float learningRate) throws InterruptedException {
        any(shard -> {
            shard.learningRate(learningRate);
            return true;
        });
    }

    private boolean any(Predicate<ParameterShard> action) throws InterruptedException {
        return slots().run(null, patience, shards -> {
            boolean any = false;
            for (ShardPort shard : shards) {
                any |= action.test(local(shard));
            }
            return any;
        });
    }

    /** Restores each shard from its snapshot. */
    public void restore(List<ShardSnapshot> snapshots) {
        for (int i = 0; i < count(); i++) {
            shard(i).orElseThrow().restore(snapshots.get(i));
        }
    }

    /** Returns the first push that a shard lacks, or the id after the last one. */
    public long resumeAt(long firstPushId, int count, long lives) throws InterruptedException {
        return lives == ShardLife.UNKNOWN_LIVES || lives != slots().lives()
                ? resumeAt(firstPushId, count)
                : firstPushId + count;
    }

    /** Returns the life of a shard as a master reaches it. */
    public HostedShard hosted(int index) {
        return (HostedShard) slots().at(index).orElseThrow();
    }
}
