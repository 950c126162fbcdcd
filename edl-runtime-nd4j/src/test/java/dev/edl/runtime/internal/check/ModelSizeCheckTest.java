package dev.edl.runtime.internal.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import org.junit.jupiter.api.Test;

class ModelSizeCheckTest {
    @Test
    void a_model_too_large_for_an_array_is_rejected() {
        assertThatThrownBy(() -> Mlp.of(3, 2_000_000_000, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "parameter dense/kernel[3, 2000000000] brings the model to 6,000,000,000 parameters, 22 GiB as"
                                + " 32-bit floats; a model has at most 2,147,483,639, which are one array: make a layer smaller,"
                                + " or use an embedding table for parameters that are looked up by id");
    }

    @Test
    void the_message_names_the_required_heap_option() {
        assertThat(ModelSizeCheck.text("Mlp", 700_000_006L, 8, 4, "adam:learning_rate=0.001", 2L << 30))
                .isEqualTo(
                        "model \"Mlp\" has 700,000,006 parameters, 2.6 GiB as 32-bit floats; a training with 4 workers"
                                + " and adam:learning_rate=0.001 holds at least 8 copies (weights, optimizer slots, gradients):"
                                + " 20.9 GiB, but the heap limit of this JVM is 2.0 GiB; raise it, for example"
                                + " -Xmx24g, or train a smaller model");
    }

    @Test
    void a_model_too_large_for_the_heap_is_rejected_early() {
        Model huge = new LogisticModel(Fixture.FEATURES) {
            @Override
            public ParameterLayout layout() {
                return ParameterLayout.builder().add("w", 2_000_000_000).build();
            }
        };
        try (InProcessExecutor executor = InProcessExecutor.of(
                Fixture.training(huge).optimizer(Optimizer.adam(0.1f)).build())) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 4)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageContaining("has 2,000,000,000 parameters, 7.5 GiB as 32-bit floats")
                    .hasMessageContaining("-Xmx");
        }
    }

    @Test
    void running_out_of_memory_has_the_same_message() {
        Model greedy = new LogisticModel(Fixture.FEATURES) {
            @Override
            public void initialize(float[] parameters, long seed) {
                throw new OutOfMemoryError("Java heap space");
            }
        };
        try (InProcessExecutor executor =
                InProcessExecutor.of(Fixture.training(greedy).build())) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageContaining("has 6 parameters")
                    .hasRootCauseInstanceOf(OutOfMemoryError.class);
        }
    }
}
