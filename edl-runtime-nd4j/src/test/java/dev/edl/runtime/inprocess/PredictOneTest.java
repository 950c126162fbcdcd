package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import dev.edl.runtime.zoo.DeepFm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictOneTest {
    /** weight 1, -2; bias 0.5. */
    private final TrainedModel line = TrainedModel.of(new LogisticModel(2).layout(), new float[] {1, -2, 0.5f}, 1)
            .using(new LogisticModel(2));

    private static float sigmoid(double z) {
        return (float) (1 / (1 + Math.exp(-z)));
    }

    @Test
    void one_record_is_one_call() {
        assertThat(line.predict(3, 1)).containsExactly(new float[] {1 - sigmoid(1.5), sigmoid(1.5)}, within(1e-6f));
        assertThat(line.predictClass(3, 1)).isEqualTo(1);
        assertThat(line.predictClass(1, 3)).isEqualTo(0);
    }

    @Test
    void no_class_is_picked_of_an_output_that_is_nan() {
        assertThatThrownBy(() -> line.predictClass(1, Float.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("output 0 is NaN, so no class can be picked: feature 1 must be finite, was NaN");
        TrainedModel diverged =
                TrainedModel.of(line.layout(), new float[] {1, Float.NaN, 0}, 1).using(new LogisticModel(2));
        assertThatThrownBy(() -> diverged.predictClass(3, 1))
                .hasMessage(
                        "output 0 is NaN, so no class can be picked: every feature is finite, so the cause is in the"
                                + " parameters; predict(...) returns all outputs");
        assertThat(line.predict(1, Float.NaN)[0]).isNaN();
    }

    @Test
    void many_records_are_predicted_in_one_call_with_equal_results() {
        List<float[]> records = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            records.add(new float[] {i / 100f, 1});
        }
        List<float[]> answers = line.predictAll(records);

        assertThat(answers).hasSize(600);
        for (int i = 0; i < 600; i++) {
            assertThat(answers.get(i)).containsExactly(line.predict(records.get(i)));
        }
        assertThat(line.predictAll(List.of())).isEmpty();
    }

    @Test
    void a_training_and_its_export_both_yield_a_model_that_predicts(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("model.npz");
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .export(file)
                .build();
        float[] record = Fixture.data(2).row(3);
        float[] answer;
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            answer = run.awaitResult(Fixture.LIMIT).model().predict(record);
        }

        TrainedModel read = TrainedModel.load(file);
        assertThat(read.using(new LogisticModel(Fixture.FEATURES)).predict(record))
                .containsExactly(answer);
        assertThatThrownBy(() -> read.predict(record))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "a model from a file or from parameters alone cannot predict; set the model that computes with"
                                + " it, for example trained.using(Mlp.of(4, 3)).predict(5.1f, 3.5f, 1.4f, 0.2f)");
    }

    @Test
    void one_output_is_the_probability_of_class_1() {
        Model one = new LogisticModel(2) {
            @Override
            public int outputs() {
                return 1;
            }

            @Override
            public Session open(int capacity) {
                Session two = super.open(capacity);
                return new Session() {
                    @Override
                    public float gradient(float[] parameters, Batch batch, float[] gradient) {
                        return two.gradient(parameters, batch, gradient);
                    }

                    @Override
                    public void predict(float[] parameters, Batch batch, float[] outputs) {
                        float[] both = new float[2 * batch.size()];
                        two.predict(parameters, batch, both);
                        for (int row = 0; row < batch.size(); row++) {
                            outputs[row] = both[2 * row + 1];
                        }
                    }

                    @Override
                    public void close() {
                        two.close();
                    }
                };
            }
        };
        TrainedModel asked = TrainedModel.of(one.layout(), line.parameters(), 1).using(one);

        assertThat(asked.predict(3, 1)).containsExactly(line.predict(3, 1)[1]);
        assertThat(asked.predictClass(3, 1)).isEqualTo(1);
        assertThat(asked.predictClass(1, 3)).isEqualTo(0);
        assertThatThrownBy(() -> asked.predictClass(Float.NaN, 3))
                .hasMessage("output 0 is NaN, so no class can be picked: feature 0 must be finite, was NaN");
    }

    @Test
    void a_model_with_ids_takes_them() {
        DeepFm model =
                DeepFm.builder().fields(2).numeric(1).dimension(2).hidden().build();
        List<TableSnapshot> tables = model.embeddings().stream()
                .map(table -> TableSnapshot.of(
                        table.name(), table.dimension(), table.initializer(), 1, new long[0], new float[0]))
                .toList();
        TrainedModel trained = TrainedModel.of(
                model, ModelSnapshot.of(1, new float[model.layout().size()], tables));

        assertThat(trained.predict(new float[] {1}, new long[] {7, -1})).hasSize(1);
        assertThatThrownBy(() -> trained.predict(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the model takes 2 ids per record, but record 0 has 0");
    }

    @Test
    void a_record_of_another_width_is_refused() {
        assertThatThrownBy(() -> line.predict(1, 2, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the model takes 2 features per record, but record 0 has 3");
    }
}
