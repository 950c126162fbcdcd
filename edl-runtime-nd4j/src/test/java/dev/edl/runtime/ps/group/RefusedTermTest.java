package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard begins a life under a term that the other shards refuse, because they follow an earlier master's. */
@Timeout(60)
class RefusedTermTest {
    private static final ShardContents CONTENTS = ShardContents.floats(4);

    private static HostedShard hosted(int index, Term term, ShardLife life) {
        ParameterShard shard = new ParameterShard(
                CONTENTS.split(2).get(index),
                2,
                CONTENTS,
                UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous()),
                8);
        shard.initialize(new float[4]);
        return new HostedShard(shard, term, life);
    }

    @Test
    void the_next_term_sends_the_sequence_numbers_of_the_other_shards() throws Exception {
        ShardLife old = new ShardLife("run/old", 1, 0);
        HostedShard kept = hosted(0, new Term(1, "old.1"), old);
        kept.push("worker-0", 3, 0, old, 0, new float[2], List.of());
        try (ShardGroup group = new ShardGroup("new", 2, Duration.ofMillis(5))) {
            Term refused = new Term(1, "new.1");
            group.lead(refused);
            group.attach(0, kept);
            HostedShard begun = hosted(1, refused, new ShardLife("run/new", 1, 0));
            group.attach(1, begun);
            assertThat(begun.taken(refused)).isEmpty();

            Term next = new Term(2, "new.2");
            group.lead(next);

            assertThat(begun.taken(next)).isEqualTo(Map.of("worker-0", 3L));
        }
    }
}
