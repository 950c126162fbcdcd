package dev.edl.bench.runtime.shards;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;

/** Groups of parameter shards in one JVM. */
public final class ShardGroups {
    private static final int MINIBATCHES = 1 << 20;
    private static final Term TERM = new Term(1, "bench");

    private ShardGroups() {}

    /**
     * Creates a group with values, for asynchronous training and for one master.
     *
     * @param values the whole vector
     */
    public static LocalShards of(ShardContents contents, int shards, Optimizer optimizer, float[] values) {
        UpdateRule rule = UpdateRule.of(optimizer, Consistency.asynchronous());
        LocalShards group = new LocalShards(contents, shards, Duration.ofSeconds(30));
        group.lead(TERM);
        for (ShardRange range : contents.split(shards)) {
            ParameterShard shard = new ParameterShard(range, shards, contents, rule, MINIBATCHES);
            shard.initialize(values);
            group.attach(range.index(), shard, TERM, new ShardLife("bench", TERM.number(), 0));
        }
        return group;
    }
}
