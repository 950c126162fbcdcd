package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.IdDataset;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TableModel;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A training that begins with the parameters of a trained model. */
class FromModelTest {
    @TempDir
    Path folder;

    private static TrainingBuilder training(int epochs) {
        return Training.builder()
                .model(new TableModel(seen -> {}))
                .data(new IdDataset(1))
                .optimizer(Optimizer.sgd(0.5f))
                .consistency(Consistency.synchronous())
                .minibatch(4)
                .minibatchesPerTask(4)
                .epochs(epochs)
                .shuffle(false)
                .seed(7);
    }

    private static TrainingResult run(Training training, int servers) throws InterruptedException {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(servers, 1))) {
            return run.awaitResult(Fixture.LIMIT);
        }
    }

    /** One epoch and then two more are the updates of three epochs, since this optimizer has no state. */
    @ParameterizedTest
    @ValueSource(strings = {"model.npz", "model.safetensors", "checkpoints", "memory"})
    void it_continues_with_parameters_and_rows(String form) throws Exception {
        Path path = folder.resolve(form);
        TrainingBuilder first = training(1);
        if (form.startsWith("model")) {
            first.export(path);
        } else if (form.equals("checkpoints")) {
            first.checkpointDirectory(path);
        }
        TrainingResult epoch = run(first.build(), 2);

        TrainingBuilder further = training(2);
        TrainingResult result =
                run((form.equals("memory") ? further.from(epoch.model()) : further.from(path)).build(), 3);

        TrainingResult whole = run(training(3).build(), 2);
        assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        assertThat(result.steps()).isEqualTo(whole.steps() - epoch.steps());
        assertThat(result.model().parameters()).isEqualTo(whole.model().parameters());
        for (int t = 0; t < 2; t++) {
            EmbeddingValues rows = result.tables().get(t);
            EmbeddingValues expected = whole.tables().get(t);
            assertThat(rows.ids()).isEqualTo(expected.ids()).isNotEmpty();
            for (long id : expected.ids()) {
                assertThat(rows.row(id)).as("row " + id).isEqualTo(expected.row(id));
            }
        }
        String from = form.equals("memory") ? epoch.model().toString() : path.toString();
        assertThat(result.reproduce()).contains("\nfrom: " + from + "\n");
    }

    @Test
    void a_model_with_other_parameters_is_refused_at_submission() {
        TrainedModel other = TrainedModel.of(new LogisticModel(3).layout(), new float[4], 9);
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .from(other)
                .build();

        assertThatThrownBy(() -> run(training, 1))
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageStartingWith("training: from is model version 9, 4 parameters: the model has the parameter");
    }

    @Test
    void a_model_that_does_not_exist_is_refused_at_submission() {
        Training training = training(1).from(folder.resolve("nothing.npz")).build();

        assertThatThrownBy(() -> run(training, 1))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("there is no trained model at " + folder.resolve("nothing.npz"));
    }

    @Test
    void a_checkpoint_to_resume_from_has_parameters_of_its_own() throws Exception {
        Path checkpoints = Files.createDirectory(folder.resolve("checkpoints"));

        assertThatThrownBy(() -> training(1)
                        .from(folder.resolve("model.npz"))
                        .resumeFrom(checkpoints)
                        .build())
                .hasMessage("training: from is " + folder.resolve("model.npz") + " and resumeFrom is " + checkpoints
                        + ", which has parameters of its own; leave one of them out");
    }
}
