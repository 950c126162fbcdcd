package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.files.SupersededCheckpointMover;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumeTest {
    @TempDir
    Path folder;

    static TrainingBuilder training(Path folder, Model model) {
        return Fixture.training(model).checkpointDirectory(folder).optimizer(Optimizer.adam(0.01f));
    }

    /**
     * Trains until a step, then cancels. Workers at that step wait until the job has ended, because a training that
     * ends before the cancellation takes effect has succeeded.
     */
    static void cancelAt(Path folder, long step, int workers, Consistency consistency) throws InterruptedException {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        model.before(now -> {
            if (now >= step) {
                reached.countDown();
                Waits.on(cancelled);
            }
        });
        Training training = training(folder, model).consistency(consistency).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, workers))) {
            Waits.on(reached);
            run.cancel();
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
            cancelled.countDown();
        }
    }

    @Test
    void a_cancelled_training_resumes_from_its_checkpoint_without_a_difference() throws Exception {
        Training whole = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .optimizer(Optimizer.adam(0.01f))
                .build();
        float[] expected;
        try (InProcessExecutor executor = InProcessExecutor.of(whole);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            run.await(Fixture.LIMIT);
            expected = InProcessExecutorTest.weights(run.result().orElseThrow());
        }

        cancelAt(folder, 100, 1, Consistency.asynchronous());
        Training rest = training(folder, new LogisticModel(Fixture.FEATURES))
                .resumeFrom(folder)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(rest);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            run.await(Fixture.LIMIT);
            TrainingResult result = run.result().orElseThrow();

            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(InProcessExecutorTest.weights(result)).containsExactly(expected);
        }
    }

    @Test
    void another_model_is_named_among_the_other_differences() throws Exception {
        cancelAt(folder, 50, 1, Consistency.asynchronous());
        Model other = new LogisticModel(Fixture.FEATURES) {
            @Override
            public ParameterLayout layout() {
                return ParameterLayout.builder()
                        .add("weight", Fixture.FEATURES)
                        .add("offset", 1)
                        .build();
            }
        };
        Training training =
                training(folder, other).minibatch(5).resumeFrom(folder).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageEndingWith(
                            "belongs to another training: minibatch was 4, is 5; the model has the parameter"
                                    + " offset[1], but it was [weight[5], bias[1]]");
        }
    }

    @Test
    void a_checkpoint_of_another_training_is_refused_with_what_differs() throws Exception {
        cancelAt(folder, 50, 1, Consistency.asynchronous());
        Training other = training(folder, new LogisticModel(Fixture.FEATURES))
                .minibatch(5)
                .seed(8)
                .resumeFrom(folder)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(other)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageEndingWith("belongs to another training: minibatch was 4, is 5; seed was 7, is 8");
        }
    }

    @Test
    void a_new_run_is_refused_where_an_earlier_one_left_its_checkpoints() throws Exception {
        cancelAt(folder, 50, 1, Consistency.asynchronous());
        try (InProcessExecutor executor = InProcessExecutor.of(
                training(folder, new LogisticModel(Fixture.FEATURES)).build())) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageMatching(
                            "training: checkpointDirectory holds checkpoints of an earlier run: .*version-\\d+;"
                                    + " resume from them with \\.resumeFrom\\(directory\\), or give this run its own"
                                    + " directory");
        }
    }

    @Test
    void a_run_that_resumes_elsewhere_keeps_other_runs_checkpoints() throws Exception {
        cancelAt(folder, 50, 1, Consistency.asynchronous());
        Path elsewhere = folder.resolve("elsewhere");
        Training moved = training(folder, new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(elsewhere)
                .resumeFrom(folder)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(moved);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
        try (InProcessExecutor executor = InProcessExecutor.of(moved)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessage("training: checkpointDirectory holds checkpoints of an earlier run: "
                            + elsewhere.resolve("version-312")
                            + "; resume from them with .resumeFrom(directory), or give this run its own directory");
        }
    }

    @Test
    void an_abandoned_training_is_not_resumed_by_mistake() throws Exception {
        cancelAt(folder, 50, 1, Consistency.asynchronous());
        Path early = folder.resolve("version-" + TrainedModel.load(folder).version());
        runOn(early, 0);
        assertThat(TrainedModel.load(folder).version()).isEqualTo(312);

        runOn(early, 60);

        long left = TrainedModel.load(folder).version();
        assertThat(left).isBetween(100L, 120L);
        assertThat(TrainedModel.load(folder.resolve("abandoned/version-312")).version())
                .isEqualTo(312);
        TrainingResult result = runOn(folder, 0).orElseThrow();
        assertThat(result.resumed().orElseThrow().version()).isEqualTo(left);
        assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
    }

    /** Resumes to the end, or cancels after a number of further steps. */
    private Optional<TrainingResult> runOn(Path from, long steps) throws InterruptedException {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        model.before(now -> {
            if (now == steps) {
                reached.countDown();
                Waits.on(cancelled);
            }
        });
        Training training = training(folder, model).resumeFrom(from).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            if (steps > 0) {
                Waits.on(reached);
                run.cancel();
            }
            run.await(Fixture.LIMIT);
            cancelled.countDown();
            return run.result();
        }
    }

    @Test
    void only_newer_checkpoints_are_moved_aside_and_none_is_overwritten() throws IOException {
        for (String name :
                List.of("version-9", "version-50", "version-50-2", "version-100", "version-100-10", "notes")) {
            Files.createDirectory(folder.resolve(name));
        }
        Path aside = Files.createDirectories(folder.resolve("abandoned"));
        Files.createDirectory(aside.resolve("version-100"));

        List<Path> moved = SupersededCheckpointMover.moveAside(folder, folder.resolve("version-50"));

        assertThat(moved)
                .containsExactly(
                        aside.resolve("version-100-2"), aside.resolve("version-100-3"), aside.resolve("version-50"));
        assertThat(folder)
                .isDirectoryContaining(path -> path.endsWith("version-9"))
                .isDirectoryContaining(path -> path.endsWith("version-50"))
                .isDirectoryContaining(path -> path.endsWith("notes"))
                .isDirectoryNotContaining(path -> path.endsWith("version-50-2"))
                .isDirectoryNotContaining(path -> path.endsWith("version-100"));
    }

    @Test
    void an_empty_folder_to_resume_from_is_said() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("none"));
        Training training = training(folder, new LogisticModel(Fixture.FEATURES))
                .resumeFrom(empty)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("job \"unit\": no valid checkpoint to resume from in " + empty);
        }
    }

    @Test
    void a_directory_of_checkpoints_may_be_called_as_a_checkpoint_is() throws Exception {
        Path called = folder.resolve("version-2");
        TrainingBuilder training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).checkpointDirectory(called);
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            run.await(Fixture.LIMIT);
        }
        Path written = called.resolve("version-312");

        assertThat(TrainedModel.load(called).version()).isEqualTo(312);
        assertThat(TrainedModel.load(written).version()).isEqualTo(312);
        for (Path from : List.of(called, written)) {
            Training other = training.resumeFrom(from).seed(8).build();
            try (InProcessExecutor executor = InProcessExecutor.of(other)) {
                assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                        .isInstanceOf(InvalidTrainingException.class)
                        .hasMessage("training: the checkpoint " + written
                                + " belongs to another training: seed was 7, is 8");
            }
        }
    }
}
