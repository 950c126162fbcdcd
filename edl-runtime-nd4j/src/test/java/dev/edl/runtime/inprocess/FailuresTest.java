package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ModelException;
import dev.edl.spec.RestartPolicy;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that cannot succeed end soon, with a message that names the cause. */
class FailuresTest {
    private static JobStatus end(Training training, Job job) throws InterruptedException {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            return run.await(Fixture.LIMIT);
        }
    }

    /** Model whose gradient is invalid from a step on. */
    private static final class Spoilt extends LogisticModel {
        private final float bad;

        Spoilt(float bad) {
            super(Fixture.FEATURES);
            this.bad = bad;
        }

        @Override
        public float gradient(float[] parameters, Batch batch, float[] gradient) {
            float loss = super.gradient(parameters, batch, gradient);
            if (batch.origin().startsWith("table-00001[16..20)")) {
                gradient[3] = bad;
            }
            return loss;
        }
    }

    @Test
    void a_nan_gradient_fails_the_job_with_step_parameter_and_batch() throws Exception {
        Training training =
                Fixture.training(new Spoilt(Float.NaN)).shuffle(false).build();

        JobStatus end = end(training, Fixture.job(2, 1));

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .isEqualTo("elasticdl-unit-master failed with exit code 70 (model \"Spoilt\": step 17: the gradient of"
                        + " weight[5] is NaN at element [3]; batch table-00001[16..20); a smaller learning"
                        + " rate, or standardised features, may help), which is fatal for the job");
    }

    @Test
    void a_label_out_of_range_is_located_in_shuffled_data() throws Exception {
        float[][] rows = new float[40][2];
        int[] labels = new int[40];
        labels[37] = 5;
        // A view declares no classes, like a file, so the label is found when its record is read.
        Dataset table = Datasets.take(ArrayDataset.of("labels", rows, labels).sharded(20), 40);
        Training training = Training.builder()
                .model(new LogisticModel(2) {
                    @Override
                    public float gradient(float[] parameters, Batch batch, float[] gradient) {
                        for (int r = 0; r < batch.size(); r++) {
                            batch.classLabel(r, 2);
                        }
                        return super.gradient(parameters, batch, gradient);
                    }
                })
                .data(table)
                .minibatch(4)
                .minibatchesPerTask(5)
                .build();

        JobStatus end = end(training, Fixture.job(1, 1));

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .containsPattern(
                        "of labels-00001\\[0\\.\\.20\\), shuffled in epoch 1, row \\d \\(record 17\\): the label"
                                + " must be a whole number from 0 to 1, was 5\\.0");
    }

    @Test
    void parameters_that_overflow_fail_the_job_although_every_gradient_was_finite() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES) {
                    @Override
                    public float gradient(float[] parameters, Batch batch, float[] gradient) {
                        java.util.Arrays.fill(gradient, 0);
                        gradient[2] = -Float.MAX_VALUE;
                        return 1;
                    }
                })
                .checkGradient(false)
                .optimizer(dev.edl.runtime.optimizers.Optimizer.sgd(2f))
                .validation(Fixture.data(2))
                .build();

        JobStatus end = end(training, Fixture.job(2, 1));

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .contains("version 312: weight[5] is Infinity at element [2]; its gradients were finite, so a smaller"
                        + " learning rate may help");
    }

    @Test
    void a_gradient_of_the_wrong_shape_is_found_before_anything_runs() {
        Model wrong = new LogisticModel(Fixture.FEATURES) {
            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                float loss = super.gradient(parameters, batch, gradient);
                gradient[gradient.length] = 1;
                return loss;
            }
        };

        try (InProcessExecutor executor =
                InProcessExecutor.of(Fixture.training(wrong).build())) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("gradient(...) reads or writes outside its arrays")
                    .hasMessageContaining("they have 6 floats and the batch is");
        }
    }

    @Test
    void metrics_that_do_not_suit_are_found_before_anything_runs() {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .validation(Datasets.take(ArrayDataset.of(new float[][] {{1, 2, 3, 4, 5}}, new int[] {2}), 1))
                .metrics(Metric.accuracy(), Metric.meanAbsoluteError(), Metric.auc())
                .build();
        String why = "which cannot measure the first record of validation: ";
        String label = "batch table-00000[0..1), row 0: the label must be a whole number from 0 to 1, was 2.0";
        String advice = "; set suitable metrics, for example .metrics(Metric.meanSquaredError()) for numbers";
        try (InProcessExecutor executor = InProcessExecutor.of(training)) {
            assertThatThrownBy(() -> executor.submit(Fixture.job(1, 1)))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessage("training: 3 mistakes\n"
                            + "  metrics has \"accuracy\", " + why + "metric \"accuracy\": " + label + advice + "\n"
                            + "  metrics has \"mean_absolute_error\", " + why
                            + "metric \"mean_absolute_error\" needs as"
                            + " many outputs as labels for each record, was 2 outputs and 1 labels per record and 2 outputs"
                            + " for Batch[1 of 1 records, table-00000[0..1)]" + advice + "\n"
                            + "  metrics has \"auc\", " + why + "metric \"auc\": " + label + advice);
        }
    }

    @Test
    void a_model_names_the_metrics_of_its_kind() {
        Model regression = new LogisticModel(Fixture.FEATURES) {
            @Override
            public List<Metric> metrics() {
                return List.of(Metric.meanSquaredError());
            }
        };
        assertThat(Fixture.training(regression).build().metrics())
                .extracting(Metric::name)
                .containsExactly("mean_squared_error");
        assertThat(Fixture.training(regression).metrics(Metric.auc()).build().metrics())
                .extracting(Metric::name)
                .containsExactly("auc");
    }

    @Test
    void a_worker_that_always_throws_fails_the_job_with_its_exception() throws Exception {
        Model throwing = new LogisticModel(Fixture.FEATURES) {
            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                if (Thread.currentThread().getName().contains("-worker-")) {
                    throw new IllegalStateException("no luck with " + batch.origin());
                }
                return super.gradient(parameters, batch, gradient);
            }
        };

        JobStatus end = end(Fixture.training(throwing).shuffle(false).build(), Fixture.job(1, 1));

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .isEqualTo("All workers failed; the last one was elasticdl-unit-worker-1:"
                        + " exit code 1 (no luck with table-00000[16..20))");
    }

    @Test
    void unreadable_data_fails_the_job_after_the_last_retry() throws Exception {
        ArrayDataset good = Fixture.data(1);
        Dataset damaged = new Dataset() {
            @Override
            public List<DataShard> shards() {
                return good.shards();
            }

            @Override
            public int features() {
                return good.features();
            }

            @Override
            public int labels() {
                return good.labels();
            }

            @Override
            public void read(String shard, long start, long end, Batch into) throws IOException {
                if (shard.equals("table-00002")) {
                    throw new IOException("data/table-00002: offset 20: expected checksum 1, found 2");
                }
                good.read(shard, start, end, into);
            }
        };

        JobStatus end = end(
                Fixture.training(new LogisticModel(Fixture.FEATURES))
                        .data(damaged)
                        .build(),
                Fixture.job(2, 2));

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .startsWith("elasticdl-unit-master failed with exit code 70 (")
                .contains("table-00002[")
                .contains("failed 4 times")
                .contains("data/table-00002: offset 20: expected checksum 1, found 2");
    }

    /** Validation data whose next to last record, 48 of the fourth shard, has an invalid label. */
    private static Dataset oneBadLabel() {
        float[][] rows = new float[200][Fixture.FEATURES];
        int[] labels = new int[200];
        labels[198] = 7;
        return Datasets.take(ArrayDataset.of("validation", rows, labels).sharded(50), 200);
    }

    private static final String BAD_LABEL = " failed at validation-00003[48..50): metric \"accuracy\": batch"
            + " validation-00003[48..50), row 0 (record 48): the label must be a whole number from 0 to 1, was 7.0";

    @Test
    void a_failed_last_evaluation_fails_the_job_with_a_model() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .validation(oneBadLabel())
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message())
                    .contains("(the evaluation of version 312" + BAD_LABEL
                            + "; all steps are done, version 312 is available in: TrainingRun.model())");
            assertThat(run.result()).isEmpty();
            assertThat(run.model().orElseThrow().version()).isEqualTo(312);
            assertThat(run.model().orElseThrow().parameters()).isNotEqualTo(new float[Fixture.FEATURES + 1]);
        }
    }

    @Test
    void training_before_a_bad_evaluation_is_saved_and_resumed_with_fixed_data(@TempDir Path folder) throws Exception {
        Path export = folder.resolve("model.npz");
        TrainingBuilder training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .validation(oneBadLabel())
                .checkpointDirectory(folder)
                .export(export);

        JobStatus end = end(training.build(), Fixture.job(2, 2));

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .contains(BAD_LABEL + "; all steps are done, version 312 is available in: "
                        + folder.resolve("version-312")
                        + ", " + export + ", TrainingRun.model())");
        assertThat(TrainedModel.load(export).parameters())
                .isEqualTo(TrainedModel.load(folder).parameters());
        Training mended =
                training.validation(Fixture.data(2)).resumeFrom(folder).build();
        try (InProcessExecutor executor = InProcessExecutor.of(mended);
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().metrics()).containsKeys("accuracy", "loss");
            assertThat(run.model()).contains(run.result().orElseThrow().model());
        }
    }

    @Test
    void a_bad_record_fails_the_first_evaluation_and_a_checkpoint_is_written(@TempDir Path folder) throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .epochs(5000)
                .validation(oneBadLabel())
                .evaluationSteps(40)
                .checkpointDirectory(folder)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            long version = run.model().orElseThrow().version();
            assertThat(version).isGreaterThanOrEqualTo(40);
            // If versions follow each other fast, the first one may be skipped.
            assertThat(end.message())
                    .containsPattern("\\(the evaluation of version \\d*[02468]0 failed at ")
                    .contains(BAD_LABEL + "; version " + version + " is available in: "
                            + folder.resolve("version-" + version)
                            + ", TrainingRun.model())");
            assertThat(TrainedModel.load(folder).version()).isEqualTo(version);
        }
    }

    @Test
    void a_job_fails_once_no_worker_can_return() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        model.before(step -> reached.countDown());
        Job job = Job.builder()
                .name("unit")
                .elasticdl()
                .master()
                .ps(1)
                .workers(2)
                .restart(RestartPolicy.NEVER)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(
                        Fixture.training(model).epochs(5000).build());
                TrainingRun run = executor.submit(job)) {
            Waits.on(reached);
            run.kill("worker-0");
            run.kill("worker-1");
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message()).contains("All workers failed");
        }
    }
}
