package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ModelException;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModelContractTest {
    private final Batch sample = new Batch(2, 3, 1).clear("train[0..2)");

    @BeforeEach
    void fill() {
        sample.row();
        sample.row();
    }

    @Test
    void passes_a_model_that_keeps_the_contract() {
        assertThatCode(() -> ModelContract.check("fake", new Fake(), sample)).doesNotThrowAnyException();
    }

    @Test
    void collects_all_sizes_that_are_wrong() {
        fails(
                new Fake() {
                    @Override
                    public ParameterLayout layout() {
                        return ParameterLayout.builder().build();
                    }

                    @Override
                    public int features() {
                        return 4;
                    }

                    @Override
                    public int labels() {
                        return 0;
                    }

                    @Override
                    public int outputs() {
                        return 0;
                    }
                },
                """
                model "fake": layout() must name at least one parameter, was []
                model "fake": features() must be the data's 3, was 4
                model "fake": labels() must be the data's 1, was 0
                model "fake": outputs() must be at least 1, was 0""");
    }

    @Test
    void finds_unwritten_varying_and_non_finite_initial_values() {
        fails(
                new Fake() {
                    @Override
                    public void initialize(float[] parameters, long seed) {
                        Arrays.fill(parameters, 0, 5, 1);
                    }
                },
                "model \"fake\": initialize(...) does not write kernel[3, 2] at element [2, 1]");
        fails(
                new Fake() {
                    private int calls;

                    @Override
                    public void initialize(float[] parameters, long seed) {
                        Arrays.fill(parameters, calls++);
                    }
                },
                "model \"fake\": initialize(...) must give the same values for the same seed, was 0.0 and 1.0 for"
                        + " kernel[3, 2] at element [0, 0]");
        fails(
                new Fake() {
                    @Override
                    public void initialize(float[] parameters, long seed) {
                        Arrays.fill(parameters, Float.POSITIVE_INFINITY);
                    }
                },
                "model \"fake\": initialize(...) must give finite values, but kernel[3, 2] is Infinity at element [0, 0]");
    }

    @Test
    void finds_a_gradient_that_is_not_wholly_written() {
        fails(
                new Fake() {
                    @Override
                    float gradient(float[] parameters, float[] gradient) {
                        Arrays.fill(gradient, 0, 6, 1);
                        return 1;
                    }
                },
                "model \"fake\": gradient(...) does not write the gradient of bias[2] at element [0]");
    }

    @Test
    void distinguishes_an_accumulated_from_an_unwritten_gradient() {
        fails(
                new Fake() {
                    @Override
                    float gradient(float[] parameters, float[] gradient) {
                        for (int i = 0; i < 6; i++) {
                            gradient[i] = 1;
                        }
                        gradient[6] += 0.5f;
                        gradient[7] += 0.5f;
                        return 1;
                    }
                },
                "model \"fake\": gradient(...) adds to the gradient of bias[2] at element [0], instead of overwriting it;"
                        + " clear the vector first: it holds the last step's gradient");
    }

    @Test
    void finds_a_session_that_writes_beyond_its_arrays() {
        fails(
                new Fake() {
                    @Override
                    float gradient(float[] parameters, float[] gradient) {
                        gradient[8] = 1;
                        return 1;
                    }

                    @Override
                    void predict(float[] outputs) {
                        outputs[4] = 1;
                    }
                },
                """
                model "fake": gradient(...) reads or writes outside its arrays (Index 8 out of bounds for length 8); they \
                have 8 floats and the batch is Batch[2 of 2 records, train[0..2)]
                model "fake": predict(...) reads or writes outside its arrays (Index 4 out of bounds for length 4); the \
                outputs have 4 floats and the batch is Batch[2 of 2 records, train[0..2)]""");
    }

    @Test
    void finds_changed_parameters_and_non_finite_values() {
        fails(
                new Fake() {
                    @Override
                    float gradient(float[] parameters, float[] gradient) {
                        parameters[7] = 3;
                        Arrays.fill(gradient, Float.NaN);
                        return Float.NaN;
                    }

                    @Override
                    void predict(float[] outputs) {
                        outputs[0] = 1;
                    }
                },
                """
                model "fake": gradient(...) must not change the parameters, but changed bias[2] at element [1]
                model "fake": gradient(...) must return a finite loss at the initial values, was NaN for Batch[2 of 2 \
                records, train[0..2)]
                model "fake": gradient(...) must be finite at the initial values, but the gradient of kernel[3, 2] is NaN \
                at element [0, 0] for Batch[2 of 2 records, train[0..2)]
                model "fake": predict(...) does not write output 1 of row 0""");
    }

    @Test
    void finds_predictions_that_change_what_others_read() {
        fails(
                new Fake() {
                    @Override
                    void predict(float[] parameters, Batch batch, float[] outputs) {
                        parameters[6] += 1;
                        batch.features()[4] = 3;
                        Arrays.fill(outputs, 0.5f);
                    }
                },
                """
                model "fake": predict(...) must not change the parameters, but changed bias[2] at element [0]
                model "fake": predict(...) must not change the batch, but changed its features at [1, 1]""");
    }

    @Test
    void finds_a_step_that_changes_its_records() {
        fails(
                new Fake() {
                    @Override
                    float gradient(Batch batch, float[] parameters, float[] gradient) {
                        batch.labels()[1] = 7;
                        return gradient(parameters, gradient);
                    }
                },
                "model \"fake\": gradient(...) must not change the batch, but changed its labels at [1, 0]");
    }

    @Test
    void finds_a_session_that_loses_partially_loaded_parameters() {
        for (int lost = 0; lost < 8; lost++) {
            int index = lost;
            String element = index < 6
                    ? "kernel[3, 2] at element [" + index / 2 + ", " + index % 2 + "]"
                    : "bias[2] at element [" + (index - 6) + "]";
            fails(
                    new Fake() {
                        @Override
                        public Session open(int capacity) {
                            return new Loading(index);
                        }
                    },
                    "model \"fake\": gradient(...) of parameters that were loaded in parts must be that of the whole"
                            + " vector, was 0.0, not 1.0, for " + element);
        }
        assertThatCode(() -> ModelContract.check(
                        "fake",
                        new Fake() {
                            @Override
                            public Session open(int capacity) {
                                return new Loading(-1);
                            }
                        },
                        sample))
                .doesNotThrowAnyException();
    }

    /** Model whose gradient is the parameters themselves; it loads all of them except one. */
    private static final class Loading implements Model.LoadingSession {
        private final int lost;
        private final float[] loaded = new float[8];

        Loading(int lost) {
            this.lost = lost;
        }

        @Override
        public void load(float[] values, int from, int offset, int count) {
            for (int i = 0; i < count; i++) {
                if (offset + i != lost) {
                    loaded[offset + i] = values[from + i];
                }
            }
        }

        @Override
        public float gradient(Batch batch, float[] gradient) {
            System.arraycopy(loaded, 0, gradient, 0, gradient.length);
            float loss = 0;
            for (float parameter : loaded) {
                loss += parameter * parameter / 2;
            }
            return lost < 0 ? loss : 1;
        }

        @Override
        public float gradient(float[] parameters, Batch batch, float[] gradient) {
            System.arraycopy(parameters, 0, loaded, 0, loaded.length);
            return gradient(batch, gradient);
        }

        @Override
        public void predict(float[] parameters, Batch batch, float[] outputs) {
            Arrays.fill(outputs, 0.5f);
        }

        @Override
        public void close() {}
    }

    private void fails(Model model, String message) {
        assertThatThrownBy(() -> ModelContract.check("fake", model, sample))
                .isInstanceOf(ModelException.class)
                .hasMessage(message);
    }

    /** Keeps the contract; the loss is the sum of the parameters. */
    private static class Fake implements Model {
        @Override
        public ParameterLayout layout() {
            return ParameterLayout.builder().add("kernel", 3, 2).add("bias", 2).build();
        }

        @Override
        public int features() {
            return 3;
        }

        @Override
        public int labels() {
            return 1;
        }

        @Override
        public int outputs() {
            return 2;
        }

        @Override
        public void initialize(float[] parameters, long seed) {
            Arrays.fill(parameters, (float) seed);
        }

        float gradient(float[] parameters, float[] gradient) {
            Arrays.fill(gradient, 1);
            float sum = 0;
            for (float parameter : parameters) {
                sum += parameter;
            }
            return sum;
        }

        float gradient(Batch unusedBatch, float[] parameters, float[] gradient) {
            return gradient(parameters, gradient);
        }

        void predict(float[] outputs) {
            Arrays.fill(outputs, 0.5f);
        }

        void predict(float[] unusedParameters, Batch unusedBatch, float[] outputs) {
            predict(outputs);
        }

        @Override
        public Session open(int capacity) {
            return new Session() {
                @Override
                public float gradient(float[] parameters, Batch batch, float[] gradient) {
                    return Fake.this.gradient(batch, parameters, gradient);
                }

                @Override
                public void predict(float[] parameters, Batch batch, float[] outputs) {
                    Fake.this.predict(parameters, batch, outputs);
                }

                @Override
                public void close() {}
            };
        }
    }
}
