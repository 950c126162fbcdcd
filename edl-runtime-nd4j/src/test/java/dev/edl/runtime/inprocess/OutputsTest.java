package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.exec.JobFailedException;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ModelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training checks its outputs when its job is submitted, and a later failure names the path. */
class OutputsTest {
    @TempDir
    Path folder;

    private static TrainingBuilder training() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES));
    }

    private static void refused(TrainingBuilder training, String message) {
        try (InProcessExecutor executor = InProcessExecutor.of(training.build())) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("job \"unit\": " + message);
        }
    }

    @Test
    void submit_reports_a_directory_that_cannot_be_created_with_its_setting() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path below = file.resolve("below");
        String why =
                ": FileAlreadyExistsException: " + file + "; name a path in a folder that this program may write to";

        refused(
                training().export(below.resolve("m.npz")),
                "export cannot be written to " + below.resolve("m.npz") + why);
        refused(training().checkpointDirectory(below), "checkpointDirectory cannot be written to " + below + why);
        refused(training().tensorboard(below), "tensorboard cannot be written to " + below + why);
        refused(training().history(below.resolve("h")), "history cannot be written to " + below.resolve("h") + why);
    }

    @Test
    void a_submit_that_is_refused_leaves_nothing() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        refused(
                training().tensorboard(folder.resolve("events/a")).export(file.resolve("m.npz")),
                "FileAlreadyExistsException: " + file + ": is no directory; export needs one");
        Model broken = new LogisticModel(Fixture.FEATURES) {
            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                return -super.gradient(parameters, batch, gradient);
            }
        };
        try (InProcessExecutor executor = InProcessExecutor.of(Fixture.training(broken)
                .tensorboard(folder.resolve("events/a"))
                .export(folder.resolve("b/m.npz"))
                .build())) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1))).isInstanceOf(ModelException.class);
        }

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    /** Returns a callback that replaces a directory by a file, so that writes fail as on a full disk. */
    private TrainingCallback fills(Path target) {
        AtomicBoolean done = new AtomicBoolean();
        return new TrainingCallback() {
            @Override
            public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control)
                    throws IOException {
                if (!done.getAndSet(true)) {
                    Files.move(target, folder.resolve("away"));
                    Files.writeString(target, "");
                }
            }
        };
    }

    @Test
    void a_failed_checkpoint_names_its_directory_and_the_saved_model() throws Exception {
        Path checkpoints = folder.resolve("checkpoints");
        Training training = training()
                .checkpointDirectory(checkpoints)
                .evaluationSteps(100)
                .callback(fills(checkpoints))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            assertThatThrownBy(() -> run.awaitResult(Fixture.LIMIT))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining(" cannot be written to checkpointDirectory " + checkpoints
                            + ", which has no checkpoint yet")
                    .hasMessageContaining("; all steps are done, version 312 is available in: TrainingRun.model()"
                            + "; the checkpoint cannot be written: ");
            assertThat(run.model()).isPresent();
        }
    }

    @Test
    void a_failed_export_names_its_file_and_the_saved_model() throws Exception {
        Path export = folder.resolve("out/model.npz");
        Training training = training()
                .export(export)
                .evaluationSteps(100)
                .callback(fills(folder.resolve("out")))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            assertThatThrownBy(() -> run.awaitResult(Fixture.LIMIT))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining(
                            "the model cannot be exported to " + export + "; all steps are done, version 312 is"
                                    + " available in: TrainingRun.model(); the export cannot be written: ");
            assertThat(run.model()).isPresent();
        }
    }
}
