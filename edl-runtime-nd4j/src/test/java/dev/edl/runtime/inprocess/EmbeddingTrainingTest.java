package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.IdDataset;
import dev.edl.runtime.IdReference;
import dev.edl.runtime.TableModel;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzReader;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model with embedding tables and untrained state through the whole runtime. */
class EmbeddingTrainingTest {
    private static final int EPOCHS = 3;
    /** Of 4 records in tasks of 16 of shards of 100: 25 in each shard. */
    private static final int STEPS = EPOCHS * 75;

    @TempDir
    Path folder;

    private static TrainingBuilder training(TableModel model) {
        return Training.builder()
                .model(model)
                .data(new IdDataset(1))
                .validation(new IdDataset(2))
                .optimizer(Optimizer.sgd(0.5f))
                .minibatch(4)
                .minibatchesPerTask(4)
                .epochs(EPOCHS)
                .shuffle(false)
                .seed(7);
    }

    @Test
    void killed_parameter_servers_restore_their_rows_and_all_rows_are_exported() throws Exception {
        IdReference reference = new IdReference(7);
        reference.train(EPOCHS, 1000);
        AtomicBoolean first = new AtomicBoolean();
        AtomicBoolean second = new AtomicBoolean();
        TrainingRun[] running = new TrainingRun[1];
        TableModel model = new TableModel(seen -> {
            if (seen == 100 && first.compareAndSet(false, true)) {
                running[0].kill("ps-1");
            }
            if (seen == 150 && second.compareAndSet(false, true)) {
                running[0].kill("ps-0");
            }
        });
        Training training = training(model)
                .consistency(Consistency.synchronous())
                .checkpointDirectory(folder.resolve("checkpoints"))
                .checkpointSteps(20)
                .export(folder.resolve("model.npz"))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            running[0] = run;
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(first).isTrue();
            EmbeddingValues vectors = result.tables().get(1);
            assertThat(vectors.ids()).isEqualTo(reference.ids());
            assertExported(vectors);
        }
    }

    private void assertExported(EmbeddingValues vectors) throws IOException {
        Map<String, NpzArray> exported = NpzReader.read(folder.resolve("model.npz"));
        assertThat(exported)
                .containsOnlyKeys(
                        "bias",
                        "seen",
                        "edl/state",
                        "weights/ids",
                        "weights/values",
                        "weights/initializer",
                        "weights/seed",
                        "vectors/ids",
                        "vectors/values",
                        "vectors/initializer",
                        "vectors/seed");
        long[] ids = vectors.ids();
        float[] values = new float[2 * ids.length];
        for (int i = 0; i < ids.length; i++) {
            vectors.read(ids[i], values, 2 * i);
        }
        assertThat(exported)
                .containsEntry("vectors/ids", NpzArray.of("vectors/ids", ids, ids.length))
                .containsEntry("vectors/values", NpzArray.of("vectors/values", values, ids.length, 2));
    }

    @Test
    void memory_checkpoint_and_export_of_a_model_with_tables_evaluate_alike() throws Exception {
        Path export = folder.resolve("model.npz");
        Training training = training(new TableModel(seen -> {}))
                .checkpointDirectory(folder.resolve("checkpoints"))
                .export(export)
                .build();
        TrainingResult trained = run(InProcessExecutor.of(training));
        long never = 1_000_000;

        for (Supplier<Evaluation> from : List.<Supplier<Evaluation>>of(
                () -> evaluation(training).from(trained.model()).build(),
                () -> evaluation(training).from(folder.resolve("checkpoints")).build(),
                () -> evaluation(training).from(export).build())) {
            try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(from.get());
                    PassRun<EvaluationResult> run = executor.submit(Fixture.job(1, 2))) {
                JobStatus end = run.await(Fixture.LIMIT);
                assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
                assertThat(run.result().orElseThrow().metrics()).isEqualTo(trained.metrics());
            }
        }
        EmbeddingValues read = TrainedModel.load(export).tables().get(1);
        assertThat(read.contains(never)).isFalse();
        assertThat(read.row(never))
                .containsExactly(trained.tables().get(1).row(never))
                .isNotEqualTo(new float[2]);
        assertThat(read.row(read.ids()[0]))
                .containsExactly(trained.tables().get(1).row(read.ids()[0]));
    }

    private static Evaluation.Builder evaluation(Training training) {
        return Evaluation.builder()
                .model(training.model())
                .data(training.validation().orElseThrow())
                .minibatch(training.minibatch())
                .minibatchesPerTask(training.minibatchesPerTask())
                .metrics(training.metrics().toArray(Metric[]::new));
    }

    private static TrainingResult run(InProcessExecutor executor) throws InterruptedException {
        try (executor;
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            JobStatus end = run.await(Fixture.LIMIT);
            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            return run.result().orElseThrow();
        }
    }

    @Test
    void evaluations_match_their_version_and_the_result_matches_a_plain_loop() throws Exception {
        IdReference reference = new IdReference(7);
        Map<Long, Double> losses = reference.train(EPOCHS, 30);
        Map<Long, Double> evaluated = new TreeMap<>();
        Training training = training(new TableModel(seen -> {}))
                .consistency(Consistency.synchronous())
                .evaluationSteps(30)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.Evaluation e) {
                        evaluated.put(e.step(), e.metrics().get("loss"));
                    }
                })
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);

            TrainingResult result = run.result().orElseThrow();
            assertEqual(result, reference);
            assertThat(evaluated.keySet()).isEqualTo(losses.keySet());
            evaluated.forEach((version, loss) ->
                    assertThat(loss).as("version %d", version).isCloseTo(losses.get(version), within(1e-5)));
        }
    }

    private static void assertEqual(TrainingResult result, IdReference reference) {
        float[] dense = new float[2];
        System.arraycopy(result.model().parameters(), 0, dense, 0, dense.length);
        assertThat((double) dense[0]).isCloseTo(reference.bias(), within(1e-4));
        assertThat(dense[1]).isEqualTo(STEPS);
        EmbeddingValues weights = result.tables().get(0);
        EmbeddingValues vectors = result.tables().get(1);
        assertThat(vectors.ids()).isEqualTo(reference.ids()).isEqualTo(weights.ids());
        for (long id : vectors.ids()) {
            double[] row = reference.row(id);
            assertThat((double) weights.row(id)[0]).as("row %d", id).isCloseTo(row[0], within(1e-4));
            assertThat((double) vectors.row(id)[0]).as("row %d", id).isCloseTo(row[1], within(1e-4));
            assertThat((double) vectors.row(id)[1]).as("row %d", id).isCloseTo(row[2], within(1e-4));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void three_workers_apply_every_record_once_although_a_parameter_server_is_killed(boolean synchronous)
            throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        TrainingRun[] running = new TrainingRun[1];
        TableModel model = new TableModel(seen -> {
            if (seen >= (synchronous ? 30 : 90) && killed.compareAndSet(false, true)) {
                running[0].kill("ps-1");
            }
        });
        Training training = training(model)
                .optimizer(Optimizer.adam(0.05f))
                .consistency(synchronous ? Consistency.synchronous() : Consistency.asynchronous())
                .evaluationSteps(25)
                .checkpointDirectory(folder)
                .checkpointSteps(20)
                .epochs(6)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            running[0] = run;
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(killed).isTrue();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(result.tables().get(0).size()).isGreaterThan(40);
        }
    }

    @Test
    void a_training_with_tables_resumes_with_other_parameter_servers() throws Exception {
        Path checkpoints = folder.resolve("checkpoints");
        Training half = training(new TableModel(seen -> {}))
                .epochs(1)
                .consistency(Consistency.synchronous())
                .checkpointDirectory(checkpoints)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(half);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
        Training rest = training(new TableModel(seen -> {}))
                .consistency(Consistency.synchronous())
                .resumeFrom(checkpoints)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(rest);
                TrainingRun run = executor.submit(Fixture.job(3, 1))) {
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            IdReference reference = new IdReference(7);
            reference.train(EPOCHS, 1000);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertEqual(result, reference);
        }
    }

    @Test
    void the_learning_rate_follows_its_schedule() throws Exception {
        Training training = training(new TableModel(seen -> {}))
                .learningRate(LearningRateSchedule.piecewise(new long[] {74}, 0.5, 0))
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            IdReference reference = new IdReference(7);
            reference.train(1, 1000);

            assertEqual(run.result().orElseThrow(), reference);
        }
        assertThat(training.learningRate()).hasToString("piecewise:boundaries=74,rates=0.5;0.0");
    }

    @Test
    void modulation_without_staleness_and_tables_without_columns_are_refused() {
        assertThatThrownBy(() -> training(new TableModel(seen -> {}))
                        .consistency(Consistency.synchronous())
                        .stalenessModulation(true)
                        .build())
                .hasMessage("training: stalenessModulation does nothing in synchronous training, where no gradient is"
                        + " stale; leave it out, or give a bound, for example .consistency(Consistency.staleness(3))");
        assertThat(training(new TableModel(seen -> {}))
                        .stalenessModulation(true)
                        .build()
                        .stalenessModulation())
                .isTrue();
    }
}
