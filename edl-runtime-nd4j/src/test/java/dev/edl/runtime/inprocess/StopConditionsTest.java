package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.ExportCallback;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.MetricMode;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.decisions.CallbackState;
import dev.edl.runtime.engine.decisions.DecisionsCodec;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.CheckpointStore;
import dev.edl.status.JobPhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training of 52 minibatches an epoch: four shards of 50 records, cut into 13 minibatches of 4. */
class StopConditionsTest {
    @TempDir
    Path folder;

    private static TrainingBuilder training() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES));
    }

    private static TrainingResult run(TrainingBuilder training, int workers) throws InterruptedException {
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(2, workers))) {
            JobStatus end = run.await(Fixture.LIMIT);
            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            return result;
        }
    }

    @Test
    void max_steps_trains_exactly_as_many_minibatches() throws Exception {
        for (int steps : new int[] {1, 51, 52, 60, 104, 311, 312, 1000}) {
            TrainingResult result = run(training().maxSteps(steps), 3);

            int trained = Math.min(steps, 312);
            assertThat(result.steps()).isEqualTo(trained);
            assertThat(result.pushesExpected()).isEqualTo(trained);
            assertThat(result.shards()).allMatch(shard -> shard.applied() == trained);
            assertThat(result.stopped()).isEmpty();
        }
    }

    @Test
    void the_proof_of_max_steps_separates_whole_epochs_from_the_cut_one() throws Exception {
        TrainingResult result = run(training().shuffle(false).maxSteps(60), 1);

        // 8 minibatches of 4 records after the 52 of epoch 0.
        assertThat(result.records()).isEqualTo(232);
        assertThat(result.proof())
                .isEqualTo("each of 200 records applied exactly once in 1 epoch, 32 of 200 at most once in epoch 2:"
                        + " 60 minibatches in all\n"
                        + "ps-0 holds 60 of 60 pushes, each once; ps-1 holds 60 of 60 pushes, each once");
    }

    @Test
    void a_resumed_training_may_raise_max_steps_but_not_lower_them() throws Exception {
        float[] whole = run(training().maxSteps(100), 1).model().parameters();
        run(training().maxSteps(60).checkpointDirectory(folder), 1);

        TrainingResult rest =
                run(training().maxSteps(100).checkpointDirectory(folder).resumeFrom(folder), 1);

        assertThat(rest.steps()).isEqualTo(100);
        assertThat(rest.model().parameters()).containsExactly(whole);
        Training fewer = training().maxSteps(80).resumeFrom(folder).build();
        try (InProcessExecutor executor = InProcessExecutor.of(fewer)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(2, 1)))
                    .hasMessageEndingWith("belongs to another training: maxSteps was 100 and may only grow, is 80");
        }
    }

    @Test
    void a_training_without_improvement_is_stopped_with_a_reason() throws Exception {
        // With a learning rate of almost zero, each evaluation equals the first.
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        TrainingBuilder training = training()
                .epochs(5000)
                .optimizer(Optimizer.sgd(1e-30f))
                .evaluationSteps(10)
                .callback(EarlyStop.on("loss").patience(3))
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.Stopped) {
                        told.add(event.toString());
                    }
                });
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.stopped().orElseThrow())
                    .matches("loss has not been better for 3 evaluations than 0\\.\\d+ at version \\d+");
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(result.proof()).contains(" minibatches in all, stopped early: loss has not been better for 3");
            assertThat(result.steps()).isLessThan(5000 * 52);
            assertThat(result.records()).isEqualTo(run.progress().recordsDone());
            assertThat(run.progress().recordsDone()).isEqualTo(run.progress().records());
            assertThat(told).hasSize(1);
            assertThat(told.get(0)).matches("Stopped early at version \\d+: loss has not been better for 3 .*");
        }
    }

    @Test
    void the_best_version_can_be_the_result() throws Exception {
        // The loss falls, so by MAX the first evaluation stays the best.
        Path export = folder.resolve("out/model.npz");
        Path best = folder.resolve("best/best.npz");
        AtomicReference<Map<String, Double>> first = new AtomicReference<>();
        AtomicReference<TrainedModel> model = new AtomicReference<>();
        TrainingResult result = run(
                training()
                        .epochs(5000)
                        .evaluationSteps(50)
                        .export(export)
                        .callback(EarlyStop.on("loss")
                                .mode(MetricMode.MAX)
                                .patience(2)
                                .restoreBest(true))
                        .callback(ExportCallback.best("loss", best).mode(MetricMode.MAX))
                        .callback(new TrainingCallback() {
                            @Override
                            public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control)
                                    throws InterruptedException {
                                if (first.compareAndSet(null, metrics)) {
                                    model.set(control.model());
                                }
                            }
                        }),
                1);

        TrainedModel measured = Objects.requireNonNull(model.get());
        assertThat(result.metrics()).isEqualTo(first.get());
        assertThat(result.model().version()).isEqualTo(measured.version()).isLessThan(result.steps());
        assertThat(result.model().parameters()).containsExactly(measured.parameters());
        for (Path file : List.of(export, best)) {
            assertThat(TrainedModel.load(file).parameters()).containsExactly(measured.parameters());
        }
    }

    @Test
    void the_result_can_be_the_best_version_before_a_resume() throws Exception {
        // The loss falls, so by MAX the first evaluation stays the best.
        TrainingBuilder training = training()
                .evaluationSteps(20)
                .checkpointDirectory(folder)
                .callback(
                        EarlyStop.on("loss").mode(MetricMode.MAX).patience(1000).restoreBest(true));
        TrainingResult first = run(training.maxSteps(60), 1);
        TrainingResult resumed = run(training.maxSteps(100).resumeFrom(folder), 2);

        assertThat(first.model().version()).isEqualTo(20);
        assertThat(resumed.steps()).isEqualTo(100);
        assertThat(resumed.model().version()).isEqualTo(20);
        assertThat(resumed.model().parameters()).containsExactly(first.model().parameters());
        assertThat(resumed.metrics()).isEqualTo(first.metrics());
    }

    @Test
    void the_last_checkpoint_has_the_best_version_that_the_last_evaluation_found() throws Exception {
        List<TrainingEvent> lost = Collections.synchronizedList(new ArrayList<>());
        // The loss falls, so the last evaluation, which ends after the training, is the best.
        TrainingBuilder training = training()
                .evaluationSteps(20)
                .checkpointDirectory(folder)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.BestVersionLost) {
                        lost.add(event);
                    }
                })
                .callback(EarlyStop.on("loss").patience(1000).restoreBest(true));
        TrainingResult first = run(training.maxSteps(60), 1);
        run(training.maxSteps(100).resumeFrom(folder), 1);

        assertThat(first.model().version()).isEqualTo(60);
        assertThat(lost).isEmpty();
    }

    @Test
    void early_stop_goes_on_counting_after_a_resume() throws Exception {
        CountDownLatch seen = new CountDownLatch(5);
        TrainingBuilder training = training()
                .epochs(5000)
                .optimizer(Optimizer.sgd(1e-30f))
                .evaluationSteps(10)
                .checkpointDirectory(folder)
                .callback(EarlyStop.on("loss").patience(1000))
                // Called after the callback above, whose state is recorded by then; listeners may receive it before
                // both.
                .callback(new TrainingCallback() {
                    @Override
                    public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
                        seen.countDown();
                    }
                });
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            Waits.on(seen);
            run.cancel();
        }
        List<Long> versions = new ArrayList<>();
        TrainingResult result = run(
                training.resumeFrom(folder).callback(new TrainingCallback() {
                    @Override
                    public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
                        versions.add(version);
                        control.stop("enough");
                    }
                }),
                1);

        ResumedProgress before = result.resumed().orElseThrow();
        assertThat(versions).isNotEmpty().allMatch(version -> version > before.version());
        String decided = CheckpointStore.load(result.checkpoint().orElseThrow())
                .metadata()
                .getOrDefault("decisions", "");
        String state = DecisionsCodec.decode(Base64.getDecoder().decode(decided))
                .callbacks()
                .getOrDefault("0.dev.edl.runtime.EarlyStop", CallbackState.NONE)
                .state();
        // Best value, its version, the last version, evaluations since; 4 of the latter were before the cancel.
        assertThat(Integer.parseInt(state.split(" ")[3])).isGreaterThan(4);
        assertThat(result.stopped()).contains("enough");
    }

    @Test
    void callbacks_run_once_in_order_on_one_thread_despite_a_killed_master() throws Exception {
        List<String> calls = new ArrayList<>();
        List<Long> versions = new ArrayList<>();
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        TrainingBuilder training = Fixture.training(model)
                .evaluationSteps(20)
                .checkpointDirectory(folder)
                .checkpointSteps(50)
                .callback(new TrainingCallback() {
                    @Override
                    public long everySteps() {
                        return 25;
                    }

                    @Override
                    public void onStep(long version, TrainingControl control) throws InterruptedException {
                        calls.add("step");
                        versions.add(version);
                        assertThat(control.model().version()).isGreaterThanOrEqualTo(version);
                    }

                    @Override
                    public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control)
                            throws InterruptedException {
                        calls.add("evaluation");
                        assertThat(control.model().version()).isEqualTo(version);
                        assertThat(metrics).containsOnlyKeys("accuracy", "loss");
                    }

                    @Override
                    public void onCheckpoint(long version, Path directory, TrainingControl control) {
                        calls.add("checkpoint");
                        assertThat(directory).isDirectory();
                    }

                    @Override
                    public void onEnd(TrainingResult result) {
                        calls.add("end");
                        assertThat(result.exactlyOnce()).isTrue();
                    }
                });
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(1, 2))) {
            model.before(step -> {
                if (step == 120) {
                    run.kill("master");
                }
            });
            JobStatus end = run.await(Fixture.LIMIT);
            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
        }

        assertThat(calls).contains("step", "evaluation", "checkpoint").endsWith("end");
        assertThat(calls.stream().filter("end"::equals)).hasSize(1);
        assertThat(versions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_callback_that_throws_fails_the_training_and_is_named() throws Exception {
        TrainingBuilder training = training().callback(new TrainingCallback() {
            @Override
            public void onEnd(TrainingResult result) {
                throw new IllegalStateException("the disk of the registry is full");
            }

            @Override
            public String toString() {
                return "Registry";
            }
        });
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message())
                    .contains("the callback Registry failed on the end: the disk of the registry is full");
            assertThat(run.result()).isEmpty();
        }
    }

    @Test
    void every_so_many_steps_a_model_is_written() throws Exception {
        run(training().epochs(40).callback(ExportCallback.every(100, folder.resolve("steps"))), 1);

        try (Stream<Path> files = Files.list(folder.resolve("steps"))) {
            assertThat(files)
                    .isNotEmpty()
                    .allMatch(f -> f.getFileName().toString().matches("model-\\d+\\.npz"));
        }
    }

    @Test
    void mistakes_of_callbacks_are_told_when_the_training_is_built() {
        assertThatThrownBy(() -> training()
                        .maxSteps(-1)
                        .callback(EarlyStop.on("los").patience(0).minDelta(-1))
                        .build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessage("""
                        training: 5 mistakes
                          maxSteps must be at least 0, where 0 means no bound, was -1; for example .maxSteps(1000)
                          EarlyStop on los, patience 0 follows a metric that is not computed; the metrics are [accuracy, loss]
                          EarlyStop on los, patience 0 needs evaluations while it trains; for example .evaluationSteps(200)
                          EarlyStop on los, patience 0: patience must be at least 1, was 0
                          EarlyStop on los, patience 0: minDelta must be at least 0 and finite, was -1.0""");
        assertThatThrownBy(() -> training()
                        .callback(EarlyStop.on("los").patience(0).minDelta(-1))
                        .callback(ExportCallback.best("accuracy", Path.of("best.zip")))
                        .callback(ExportCallback.every(0, Path.of("steps")))
                        .build())
                .hasMessage("""
                        training: 6 mistakes
                          EarlyStop on los, patience 0 follows a metric that is not computed; the metrics are [accuracy, loss]
                          EarlyStop on los, patience 0 needs evaluations while it trains; for example .evaluationSteps(200)
                          EarlyStop on los, patience 0: patience must be at least 1, was 0
                          EarlyStop on los, patience 0: minDelta must be at least 0 and finite, was -1.0
                          Export of the best accuracy must name an .npz, .safetensors or .onnx file, for example out/best.npz; was best.zip
                          Export every 0 steps: steps must be at least 1, was 0""");
    }

    /** Callback with a test's contract violation. */
    private static class Odd implements TrainingCallback {
        @Override
        public String toString() {
            return "Odd";
        }
    }

    @Test
    void a_callback_with_negative_steps_or_failing_problems_is_rejected() {
        assertThatThrownBy(() -> training()
                        .callback(new Odd() {
                            @Override
                            public long everySteps() {
                                return -10;
                            }
                        })
                        .callback(new Odd() {
                            @Override
                            public List<String> problems(Training training) {
                                throw new IllegalStateException("no registry");
                            }
                        })
                        .build())
                .hasMessage("""
                        training: 2 mistakes
                          the callback Odd: everySteps() must be at least 0, where 0 means never, was -10
                          the callback Odd failed on problems(...): java.lang.IllegalStateException: no registry""");
    }

    @Test
    @SuppressWarnings("NullAway") // what callers may do who have no such check
    void a_callback_that_gives_null_is_named() throws Exception {
        Training forgets = training()
                .callback(new Odd() {
                    @Override
                    public String state() {
                        return null;
                    }
                })
                .build();
        Training never = training()
                .callback(new Odd() {
                    @Override
                    public TrainingCallback begin(String state) {
                        return null;
                    }
                })
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(forgets)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessage("training: the callback Odd: state() must return a text, empty for no state;"
                            + " it returned null");
        }
        try (InProcessExecutor executor = InProcessExecutor.of(never)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessage("training: the callback Odd: begin(...) must return a callback, for example itself;"
                            + " it returned null");
        }
        AtomicReference<String> state = new AtomicReference<>("");
        Training later = training()
                .callback(new Odd() {
                    @Override
                    public String state() {
                        return state.get();
                    }

                    @Override
                    public void onEnd(TrainingResult result) {
                        state.set(null);
                    }
                })
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(later);
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message()).contains("the callback Odd: state() must return a text");
        }
    }

    @Test
    void an_export_that_cannot_be_written_is_refused_before_anything_runs() throws Exception {
        Path directory = Files.createDirectory(folder.resolve("best.npz"));
        Path file = Files.writeString(folder.resolve("steps"), "notes");
        Training best =
                training().callback(ExportCallback.best("accuracy", directory)).build();
        Training every = training().callback(ExportCallback.every(10, file)).build();
        try (InProcessExecutor executor = InProcessExecutor.of(best)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .hasMessage("job \"unit\": FileAlreadyExistsException: " + directory
                            + ": is a directory; Export of the best accuracy needs a file");
        }
        try (InProcessExecutor executor = InProcessExecutor.of(every)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .hasMessage("job \"unit\": FileAlreadyExistsException: " + file
                            + ": is no directory; Export every 10 steps needs one");
        }
    }

    @Test
    void a_synchronous_training_is_cut_and_stopped_as_well() throws Exception {
        assertThat(run(training().consistency(Consistency.synchronous()).maxSteps(77), 3)
                        .pushesExpected())
                .isEqualTo(77);
    }
}
