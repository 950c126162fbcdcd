package dev.edl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.program.TrainingSummary;
import dev.edl.runtime.zoo.Mlp;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RandomFaultsRulesTest {
    private static Optional<String> lost(Consistency consistency, long steps, String proof) {
        Training training = Training.builder()
                .model(Mlp.of(1, 2))
                .data(ArrayDataset.of(new float[10][1], new int[10]).sharded(5))
                .optimizer(Optimizer.sgd(0.1f))
                .minibatch(4)
                .epochs(3)
                .consistency(consistency)
                .build();
        return RandomFaults.lost(
                training,
                new TrainingSummary(
                        steps,
                        Map.of(),
                        true,
                        proof,
                        Duration.ofSeconds(1),
                        30,
                        30,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        ""));
    }

    @Test
    void without_rounds_each_minibatch_is_one_step() {
        // 3 epochs of 2 shards, whose 5 records are 2 minibatches.
        assertThat(lost(Consistency.asynchronous(), 12, "each once")).isEmpty();
        assertThat(lost(Consistency.staleness(3), 11, "each once")).contains("11 steps of 12 minibatches: each once");
        assertThat(lost(Consistency.asynchronous(), 12, "ps-0 at version 12; ps-1 at version 11"))
                .contains("12 steps of 12 minibatches: ps-0 at version 12; ps-1 at version 11");
    }

    @Test
    void with_rounds_the_steps_of_two_shards_may_differ() {
        assertThat(lost(Consistency.synchronous(), 6, "ps-0 at version 6; ps-1 at version 7"))
                .isEmpty();
    }
}
