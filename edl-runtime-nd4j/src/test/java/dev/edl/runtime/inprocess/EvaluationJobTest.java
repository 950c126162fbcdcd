package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.status.JobPhase;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluationJobTest {
    private static final List<Metric> METRICS = List.of(Metric.accuracy(), Metric.crossEntropy(), Metric.auc());

    @TempDir
    Path folder;

    /** Returns a job without parameter servers, which an evaluation does not need. */
    static Job job(int workers) {
        return Job.builder()
                .name("unit")
                .elasticdl()
                .master()
                .workers(workers)
                .elastic(1, 8)
                .build();
    }

    static TrainedModel trained() {
        float[] parameters = {-0.9f, 0.1f, 1.1f, 1.9f, 3.2f, 0.05f};
        return TrainedModel.of(new LogisticModel(Fixture.FEATURES).layout(), parameters, 120);
    }

    private static Evaluation.Builder evaluation(Model model) {
        return Evaluation.builder()
                .model(model)
                .data(Fixture.data(2))
                .from(trained())
                .minibatch(4)
                .minibatchesPerTask(2)
                .metrics(METRICS.toArray(Metric[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "worker-1", "master", "scale"})
    void each_record_counts_once_and_the_metrics_equal_a_single_pass(String victim) throws Exception {
        AskedModel model = new AskedModel(Fixture.FEATURES);
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch listening = new CountDownLatch(1);
        model.before(n -> Waits.on(listening));
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation(model)
                        .onTraining(event -> told.add(event.toString()))
                        .build());
                PassRun<EvaluationResult> run = executor.submit(job(3))) {
            model.before(n -> {
                Waits.on(listening);
                if (n == 20) {
                    if (victim.equals("scale")) {
                        run.scale("worker", 6);
                    } else if (!victim.equals("nothing")) {
                        run.kill(victim);
                    }
                }
            });
            listening.countDown();
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            EvaluationResult result = run.result().orElseThrow();
            float[] parameters = trained().parameters();
            assertThat(result.metrics())
                    .isEqualTo(SinglePass.metrics(
                            new LogisticModel(Fixture.FEATURES), parameters, Fixture.data(2), 4, 2, METRICS));
            Map<String, Double> inOneGo = SinglePass.metrics(
                    new LogisticModel(Fixture.FEATURES),
                    parameters,
                    Fixture.data(2).sharded(200),
                    200,
                    1,
                    METRICS);
            assertThat(result.metrics()).containsEntry("accuracy", inOneGo.get("accuracy"));
            assertThat(result.metrics()).containsEntry("auc", inOneGo.get("auc"));
            assertThat(result.metrics().getOrDefault("loss", Double.NaN))
                    .isCloseTo(inOneGo.getOrDefault("loss", Double.NaN), within(1e-12));
            assertThat(result.version()).isEqualTo(120);
            assertThat(result.ledgerProof().holds()).isTrue();
            assertThat(result.ledgerProof().toString()).startsWith("each of 200 records evaluated exactly once");
            assertThat(run.progress().recordsDone()).isEqualTo(200);
            // 50 records of a shard are 7 tasks of at most 8.
            assertThat(run.progress().tasksDone()).isEqualTo(28);
            assertThat(told).contains(result.toString());
        }
    }

    @Test
    void evaluations_during_training_equal_a_single_pass_despite_kills() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        Training training = Fixture.training(model)
                .evaluationSteps(40)
                .metrics(METRICS.toArray(Metric[]::new))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            model.before(step -> {
                if (step % 50 == 0) {
                    run.status().replicas().stream()
                            .map(replica -> replica.name())
                            .filter(name -> name.contains("worker"))
                            .findFirst()
                            .ifPresent(run::delete);
                }
            });
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.metrics())
                    .isEqualTo(SinglePass.metrics(
                            new LogisticModel(Fixture.FEATURES),
                            result.model().parameters(),
                            Fixture.data(2),
                            Fixture.MINIBATCH,
                            4,
                            METRICS));
        }
    }

    @Test
    void parameters_come_from_checkpoints_from_an_export_and_from_a_result_alike() throws Exception {
        Path npz = folder.resolve("model.npz");
        Path checkpoints = folder.resolve("checkpoints");
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(checkpoints)
                .export(npz)
                .build();
        TrainingResult trained;
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            run.await(Fixture.LIMIT);
            trained = run.result().orElseThrow();
        }
        LogisticModel model = new LogisticModel(Fixture.FEATURES);
        Evaluation.Builder evaluation = Evaluation.builder().model(model).data(Fixture.data(2));

        EvaluationResult direct = run(evaluation.from(trained.model()).build());
        EvaluationResult newest = run(evaluation.from(checkpoints).build());
        EvaluationResult version =
                run(evaluation.from(trained.checkpoint().orElseThrow()).build());
        EvaluationResult exported = run(evaluation.from(npz).build());

        assertThat(direct.metrics())
                .isEqualTo(newest.metrics())
                .isEqualTo(version.metrics())
                .isEqualTo(exported.metrics());
        assertThat(direct.version()).isEqualTo(312).isEqualTo(newest.version()).isEqualTo(version.version());
        assertThat(exported.version()).isEqualTo(TrainedModel.UNKNOWN_VERSION);
    }

    private static EvaluationResult run(Evaluation evaluation) throws InterruptedException {
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation);
                PassRun<EvaluationResult> run = executor.submit(job(2))) {
            JobStatus end = run.await(Fixture.LIMIT);
            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            return run.result().orElseThrow();
        }
    }

    @Test
    void parameter_servers_are_not_needed_and_do_not_disturb() throws Exception {
        AskedModel model = new AskedModel(Fixture.FEATURES);
        try (PassExecutor<EvaluationResult> executor =
                        InProcessExecutor.of(evaluation(model).build());
                PassRun<EvaluationResult> run = executor.submit(Fixture.job(2, 1))) {
            model.before(n -> {
                if (n == 5) {
                    run.kill("ps-0");
                }
            });
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
        }
    }

    @Test
    void a_model_that_always_fails_fails_the_job_with_its_words() throws Exception {
        AskedModel model = new AskedModel(Fixture.FEATURES);
        model.before(n -> {
            throw new IllegalStateException("no such layer");
        });
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(
                        evaluation(model).maxTaskFailures(2).build());
                PassRun<EvaluationResult> run = executor.submit(job(1))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message()).contains("no such layer");
            assertThat(run.result()).isEmpty();
        }
    }

    @Test
    void mistakes_are_told_together_before_anything_runs() {
        assertThatThrownBy(() -> Evaluation.builder()
                        .minibatch(0)
                        .metrics(Metric.auc(), Metric.auc())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                        evaluation: 5 mistakes
                          model is missing; for example .model(Mlp.of(64, 32, 10))
                          data is missing; for example .data(RecordIoDataset.open(folder, decoder))
                          from is missing, the source of the parameters; for example .from(Path.of("checkpoints"))
                          minibatch must be at least 1, was 0; for example .minibatch(64)
                          metrics must have different names, was [auc, auc]""");
    }

    @Test
    void parameters_of_another_model_or_none_are_refused_at_once() {
        Evaluation other = evaluation(new LogisticModel(Fixture.FEATURES))
                .from(TrainedModel.of(
                        ParameterLayout.builder()
                                .add("weight", 4)
                                .add("bias", 1)
                                .build(),
                        new float[5],
                        0))
                .build();
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(other)) {
            assertThatThrownBy(() -> executor.submit(job(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"unit\": the model has the parameter weight[5], but the trained model has"
                            + " weight[4]");
        }
        Path nothing = folder.resolve("nothing");
        Evaluation missing =
                evaluation(new LogisticModel(Fixture.FEATURES)).from(nothing).build();
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(missing)) {
            assertThatThrownBy(() -> executor.submit(job(1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage(
                            "job \"unit\": there is no trained model at " + nothing + "; a model is read from a"
                                    + " directory of checkpoints, a version-N directory in it, or an .npz or .safetensors file");
        }
    }

    @Test
    void a_job_without_workers_and_a_second_concurrent_job_are_rejected() {
        AskedModel model = new AskedModel(Fixture.FEATURES);
        CountDownLatch end = new CountDownLatch(1);
        model.before(n -> Waits.on(end));
        try (PassExecutor<EvaluationResult> executor =
                        InProcessExecutor.of(evaluation(model).build());
                PassRun<EvaluationResult> run = executor.submit(job(1))) {
            assertThatThrownBy(() -> executor.submit(job(2)))
                    .hasMessage("job \"unit\" cannot run beside job \"unit\", which runs here; await it, or use an"
                            + " executor of its own");
            assertThat(run.progress()).hasToString("task 0/28, 0 samples/s, ETA unknown");
            end.countDown();
        }
    }
}
