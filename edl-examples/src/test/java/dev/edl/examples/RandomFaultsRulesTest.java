package dev.edl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.program.TrainingSummary;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.zoo.Mlp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RandomFaultsRulesTest {
    /** As printed by {@code ss -Htnp} of iproute2 6.1. */
    private static final String LISTED = """
            ESTAB 0 0 127.0.0.1:41000 127.0.0.1:35671 users:(("java",pid=71,fd=9))
            ESTAB 0 0 [::ffff:127.0.0.1]:35671 [::ffff:127.0.0.1]:41000 users:(("java",pid=7,fd=12))
            ESTAB 0 0 [::ffff:127.0.0.1]:35680 [::ffff:127.0.0.1]:41002 users:(("java",pid=7,fd=13))
            """;

    private final List<String> commands = new ArrayList<>();

    private RandomFaults.Cut cut(long pid, String listed, String cut) {
        return RandomFaults.cut(pid, command -> {
            commands.add(String.join(" ", command));
            return commands.size() == 1 ? listed : cut;
        });
    }

    @Test
    void all_connections_of_a_process_are_cut_by_their_ports() {
        assertThat(cut(7, LISTED, "ESTAB 0 0")).isEqualTo(RandomFaults.Cut.DONE);
        assertThat(commands).containsExactly("ss -Htnp", "ss -HKtn sport = :35671 or sport = :35680");
    }

    @Test
    void a_process_without_connections_is_not_one_whose_connections_cannot_be_cut() {
        assertThat(cut(8, LISTED, "ESTAB 0 0")).isEqualTo(RandomFaults.Cut.NO_CONNECTIONS);
        commands.clear();
        assertThat(cut(8, "", "")).isEqualTo(RandomFaults.Cut.IMPOSSIBLE);
        commands.clear();
        assertThat(cut(7, LISTED, "")).isEqualTo(RandomFaults.Cut.IMPOSSIBLE);
    }

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
                        TaskType.TRAINING,
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
