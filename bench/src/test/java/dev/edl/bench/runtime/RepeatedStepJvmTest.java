package dev.edl.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RepeatedStepJvmTest {
    @Test
    void lanes_run_together_and_answer_the_sum_of_their_rates() throws Exception {
        RepeatedStepJvm jvm = new RepeatedStepJvm();
        assertThat(jvm.handle("open 0,1 shard sgd:learning_rate=0.01 1000")).isEmpty();
        assertThat(Double.parseDouble(jvm.handle("run 1"))).isPositive();
    }

    @Test
    void a_worker_is_a_lane() throws Exception {
        RepeatedStepJvm jvm = new RepeatedStepJvm();
        jvm.handle("open 1 step mlp 4");
        assertThat(Double.parseDouble(jvm.handle("run 1"))).isPositive();
    }

    @Test
    void other_commands_are_refused() {
        assertThatThrownBy(() -> new RepeatedStepJvm().handle("walk"))
                .hasMessage("a command must be \"open INDEX[,INDEX] WORK\" or \"run MILLIS\", was \"walk\"");
        assertThatThrownBy(() -> new RepeatedStepJvm().handle("open 0 dance"))
                .hasMessage("work must be \"step MODEL BATCH\" or \"shard OPTIMIZER FLOATS\", was \"dance\"");
    }
}
