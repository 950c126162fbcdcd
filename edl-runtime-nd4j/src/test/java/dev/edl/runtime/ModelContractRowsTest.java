package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ModelException;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Models with embedding tables or untrained state. */
class ModelContractRowsTest {
    private final Batch sample = new Batch(2, 0, 1, 3, List.of()).clear("train[0..2)");

    @BeforeEach
    void fill() {
        sample.row();
        sample.row();
        System.arraycopy(new long[] {7, 7, -1, 5, 7, -2}, 0, sample.ids(), 0, 6);
    }

    @Test
    void passes_a_model_that_keeps_the_contract() {
        assertThatCode(() -> ModelContract.check("fake", new Fake(), sample)).doesNotThrowAnyException();
    }

    @Test
    void finds_missing_ids_and_clashing_tables() {
        fails(
                new Fake() {
                    @Override
                    public int ids() {
                        return 2;
                    }

                    @Override
                    public List<EmbeddingTable> embeddings() {
                        return List.of(table("w", 0, 3), table("w", 0, 2), table("bias", 0, 1));
                    }
                },
                """
                model "fake": ids() must be the data's 3, was 2
                model "fake": embeddings() has w[*, 2] of ids 0..2, but records have 2 ids
                model "fake": embeddings() names two tables "w"
                model "fake": "bias" is a parameter in layout() and a table in embeddings()""");
    }

    @Test
    void finds_a_parameter_name_that_clashes_with_an_exported_table() {
        Model clash = new Fake() {
            @Override
            public ParameterLayout layout() {
                return ParameterLayout.builder()
                        .add("w/values", 1)
                        .addState("w/count", 2)
                        .build();
            }
        };
        String what =
                "\"w/values\" is a parameter in layout(), but an export uses this name for a part of the table \"w\";"
                        + " give one of them another name";

        fails(clash, "model \"fake\": " + what);
        assertThatThrownBy(() ->
                        Training.builder().model(clash).data(new IdDataset(1)).build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageContaining("model: " + what);
    }

    @Test
    void finds_tables_that_change() {
        fails(
                new Fake() {
                    private int calls;

                    @Override
                    public List<EmbeddingTable> embeddings() {
                        return List.of(table("w" + calls++, 0, 3));
                    }
                },
                "model \"fake\": embeddings() must be the same at every call");
    }

    @Test
    void finds_missing_trained_parameters_and_unwritten_state() {
        fails(
                new Fake() {
                    @Override
                    public ParameterLayout layout() {
                        return ParameterLayout.builder().addState("mean", 3).build();
                    }
                },
                "model \"fake\": layout() must have at least one trained parameter, but has only state: [mean[3]]");
        fails(
                new Fake() {
                    @Override
                    void gradient(float[] gradient, EmbeddingRows rows) {
                        gradient[0] = 1;
                        gradient[1] = 0;
                    }
                },
                "model \"fake\": gradient(...) does not write the change of the state mean[2] at element [1], 0 for none");
    }

    @Test
    void finds_gradients_of_rows_that_are_overwritten() {
        fails(
                new Fake() {
                    @Override
                    void row(float[] gradients, int at) {
                        gradients[at] = 0.25f;
                    }
                },
                "model \"fake\": gradient(...) must add to the gradients of rows, but that of w of id 7 at element [0] was"
                        + " 0.0 before and 0.25 after, then 1.0 before and 0.25 after");
    }

    @Test
    void finds_gradients_of_rows_that_are_not_finite() {
        fails(
                new Fake() {
                    @Override
                    void row(float[] gradients, int at) {
                        gradients[at + 1] += at == 2 ? Float.NaN : 0;
                    }
                },
                "model \"fake\": gradient(...) must be finite at the initial values, but the gradient of w of id 5 at"
                        + " element [1] is NaN for Batch[2 of 3 records, train[0..2)]");
    }

    @Test
    void finds_values_of_rows_that_a_step_changes() {
        fails(
                new Fake() {
                    @Override
                    void gradient(float[] gradient, EmbeddingRows rows) {
                        super.gradient(gradient, rows);
                        rows.values()[3] = 0;
                    }
                },
                "model \"fake\": gradient(...) must not change the values of rows, but changed w of id 5 at element [1]");
    }

    @Test
    void finds_a_write_to_a_row_that_the_batch_does_not_have() {
        fails(
                new Fake() {
                    @Override
                    void gradient(float[] gradient, EmbeddingRows rows) {
                        super.gradient(gradient, rows);
                        rows.gradients()[rows.count() * 2] = 1;
                    }
                },
                "model \"fake\": gradient(...) writes beyond the 2 rows of w[*, 2] of ids 0..2 that the batch has");
    }

    @Test
    void finds_mistakes_with_missing_ids() {
        Arrays.fill(sample.ids(), 9);
        fails(
                new Fake() {
                    @Override
                    void missing(float[] gradients) {
                        gradients[0] += 1;
                    }
                },
                "model \"fake\": gradient(...) writes a gradient for w[*, 2] of ids 0..2 although the records have no id;"
                        + " skip an id for which EmbeddingRows.row(...) returns -1");
        fails(
                new Fake() {
                    @Override
                    void missing(float[] gradients) {
                        gradients[-2] += 1;
                    }
                },
                "model \"fake\": gradient(...) or predict(...) reads or writes outside its arrays for records without ids"
                        + " (Index -2 out of bounds for length 18); skip an id for which EmbeddingRows.row(...) returns -1");
    }

    @Test
    void finds_predictions_that_change_row_values_or_ids() {
        fails(
                new Fake() {
                    @Override
                    void predict(Batch batch) {
                        batch.rows(0).values()[3] = 4;
                    }
                },
                "model \"fake\": predict(...) must not change the values of rows, but changed w of id 5 at element [1]");
        fails(
                new Fake() {
                    @Override
                    void predict(Batch batch) {
                        batch.ids()[2] = 8;
                    }
                },
                "model \"fake\": predict(...) must not change the batch, but changed its ids at [0, 2]");
    }

    @Test
    void leaves_the_sample_as_it_was() {
        long[] ids = sample.ids().clone();
        ModelContract.check("fake", new Fake(), sample);
        assertThat(sample.ids()).isEqualTo(ids);
    }

    private static EmbeddingTable table(String name, int first, int columns) {
        return new EmbeddingTable(name, 2, first, columns, Initializer.uniform(0.5f, 1));
    }

    private void fails(Model model, String message) {
        assertThatThrownBy(() -> ModelContract.check("fake", model, sample))
                .isInstanceOf(ModelException.class)
                .hasMessage(message);
    }

    /** Keeps the contract; adds 0.25 to the first element of an id's row for each occurrence. */
    private static class Fake implements Model {
        @Override
        public ParameterLayout layout() {
            return ParameterLayout.builder().add("bias", 1).addState("mean", 2).build();
        }

        @Override
        public int features() {
            return 0;
        }

        @Override
        public int labels() {
            return 1;
        }

        @Override
        public int ids() {
            return 3;
        }

        @Override
        public List<EmbeddingTable> embeddings() {
            return List.of(table("w", 0, 3));
        }

        @Override
        public int outputs() {
            return 1;
        }

        @Override
        public void initialize(float[] parameters, long seed) {
            Arrays.fill(parameters, (float) seed);
        }

        void row(float[] gradients, int at) {
            gradients[at] += 0.25f;
        }

        void missing(float[] unusedGradients) {}

        void predict(Batch unusedBatch) {}

        void gradient(float[] gradient, EmbeddingRows unusedRows) {
            Arrays.fill(gradient, 1);
        }

        @Override
        public Session open(int capacity) {
            return new Session() {
                @Override
                public float gradient(float[] parameters, Batch batch, float[] gradient) {
                    EmbeddingRows rows = batch.rows(0);
                    float loss = parameters[0];
                    for (int i = 0; i < batch.size() * 3; i++) {
                        if (rows.rows()[i] < 0) {
                            missing(rows.gradients());
                        } else {
                            row(rows.gradients(), rows.rows()[i] * 2);
                            loss += 0.25f * rows.values()[rows.rows()[i] * 2];
                        }
                    }
                    Fake.this.gradient(gradient, rows);
                    return loss;
                }

                @Override
                public void predict(float[] parameters, Batch batch, float[] outputs) {
                    Fake.this.predict(batch);
                    Arrays.fill(outputs, 0, batch.size(), 0.5f);
                }

                @Override
                public void close() {}
            };
        }
    }
}
