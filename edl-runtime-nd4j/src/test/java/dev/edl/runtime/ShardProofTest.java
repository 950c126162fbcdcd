package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.proof.ShardProof;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardProofTest {
    private static ShardProof pushed(int index, Consistency consistency) {
        ParameterShard shard =
                new ParameterShard(new ShardRange(index, 2 * index, 2), Optimizer.sgd(1f), consistency, 8);
        shard.initialize(new float[4]);
        shard.join("a");
        shard.join("b");
        shard.push("a", 0, 0, new float[4]);
        shard.push("b", 1, 0, new float[4]);
        ShardSnapshot state = shard.snapshot();
        return new ShardProof(state.range().name(), state.version(), state.appliedCount(), state.gradientCount());
    }

    @Test
    void a_proof_fails_if_a_push_was_applied_twice() {
        ShardProof twice = new ShardProof("ps-0", 2, 2, 3);

        assertThat(twice.holds(2)).isFalse();
        assertThat(TrainingResult.proof(List.of(twice), 2)).isEqualTo("ps-0 holds 2 of 2 pushes, by 3 gradients");
    }

    @Test
    void a_proof_has_no_versions_that_agree() {
        List<ShardProof> shards = List.of(pushed(0, Consistency.asynchronous()), pushed(1, Consistency.asynchronous()));

        assertThat(TrainingResult.proof(shards, 2))
                .isEqualTo("ps-0 holds 2 of 2 pushes, each once; ps-1 holds 2 of 2 pushes, each once");
    }

    @Test
    void a_proof_has_the_versions_if_a_shard_made_fewer_updates() {
        List<ShardProof> shards = List.of(pushed(0, Consistency.asynchronous()), pushed(1, Consistency.synchronous()));

        assertThat(TrainingResult.proof(shards, 2))
                .isEqualTo("ps-0 holds 2 of 2 pushes, each once at version 2; ps-1 holds 2 of 2 pushes, each once"
                        + " at version 1");
    }
}
