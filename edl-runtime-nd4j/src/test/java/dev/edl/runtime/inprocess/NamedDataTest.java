package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.data.RecordNames;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of features and classes from the data over checkpoint and exported model to evaluation and prediction. */
class NamedDataTest {
    private static final List<String> FEATURES = List.of("a", "b", "c", "d", "e");
    private static final List<String> OTHERS = List.of("a", "b", "c", "e", "d");
    private static final List<String> CLASSES = List.of("no", "yes");
    private static final String OTHER_ORDER = "in another order: feature 3 is \"e\" and not \"d\"";

    @TempDir
    Path folder;

    private static ArrayDataset data(long seed, List<String> features) {
        return Fixture.data(seed).named(features, CLASSES);
    }

    private TrainingBuilder training() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES))
                .data(data(1, FEATURES))
                .validation(data(2, FEATURES))
                .epochs(1);
    }

    private TrainingResult result(Training training) throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            return run.awaitResult(Fixture.LIMIT);
        }
    }

    @Test
    void validation_data_of_another_meaning_is_refused_when_the_training_is_built() {
        assertThatThrownBy(() -> training().validation(data(2, OTHERS)).build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageContaining("validation has the features of data " + OTHER_ORDER);
        assertThatThrownBy(() -> training()
                        .validation(Fixture.data(2).named(FEATURES, List.of("yes", "no")))
                        .build())
                .hasMessageContaining("validation has other classes than data: class 0 is \"yes\" and not \"no\"");
    }

    @Test
    void validation_data_that_is_opened_later_is_refused_by_the_master() {
        Training training = training().validation(() -> data(2, OTHERS)).build();

        assertThatThrownBy(() -> result(training)).hasStackTraceContaining("validation has the features of data");
    }

    @Test
    void a_checkpoint_an_exported_model_and_the_result_know_the_names() throws Exception {
        Path exported = folder.resolve("model.npz");
        Path checkpoints = folder.resolve("checkpoints");
        TrainingResult result = result(
                training().checkpointDirectory(checkpoints).export(exported).build());
        RecordNames names = new RecordNames(FEATURES, CLASSES);

        assertThat(result.model().names()).isEqualTo(names);
        assertThat(TrainedModel.load(checkpoints).names()).isEqualTo(names);
        assertThat(TrainedModel.load(exported).names()).isEqualTo(names);
        assertThat(TrainedModel.load(exported)
                        .using(new LogisticModel(Fixture.FEATURES))
                        .names())
                .isEqualTo(names);

        assertThatThrownBy(() -> result(training()
                        .data(data(1, OTHERS))
                        .validation(data(2, OTHERS))
                        .epochs(2)
                        .resumeFrom(checkpoints)
                        .build()))
                .hasStackTraceContaining("data has the features of the checkpoint " + OTHER_ORDER);
        assertThat(result(training().epochs(2).resumeFrom(checkpoints).build()).proof())
                .contains("exactly once");
    }

    @Test
    void data_of_another_meaning_is_neither_evaluated_nor_predicted() throws Exception {
        TrainedModel model = result(training().build()).model();
        Evaluation evaluation = Evaluation.builder()
                .model(new LogisticModel(Fixture.FEATURES))
                .data(data(2, OTHERS))
                .from(model)
                .build();
        Prediction prediction = Prediction.builder()
                .model(new LogisticModel(Fixture.FEATURES))
                .data(data(2, OTHERS))
                .from(model)
                .to(PredictionWriter.npy(folder.resolve("outputs.npy")))
                .build();

        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation)) {
            assertThatThrownBy(() -> executor.submit(EvaluationJobTest.job(1)))
                    .hasMessageContaining("data has the features of the model's training " + OTHER_ORDER);
        }
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction)) {
            assertThatThrownBy(() -> executor.submit(EvaluationJobTest.job(1)))
                    .hasMessageContaining("data has the features of the model's training " + OTHER_ORDER);
        }
    }

    @Test
    void unnamed_data_is_taken_with_any_names() throws Exception {
        assertThat(result(training().validation(Fixture.data(2)).build()).proof())
                .contains("exactly once");
        assertThat(result(training().data(Fixture.data(1)).build()).model().names())
                .isEqualTo(RecordNames.UNKNOWN);
    }
}
