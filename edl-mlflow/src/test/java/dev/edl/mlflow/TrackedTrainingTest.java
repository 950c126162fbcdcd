package dev.edl.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.mlflow.FakeMlflow.Answer;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrackedTrainingTest {
    @TempDir
    Path folder;

    private static ArrayDataset data(long seed) {
        Random random = new Random(seed);
        float[][] rows = new float[200][2];
        int[] labels = new int[200];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new float[] {random.nextFloat() - 0.5f, random.nextFloat() - 0.5f};
            labels[i] = rows[i][0] > rows[i][1] ? 1 : 0;
        }
        return ArrayDataset.of(rows, labels);
    }

    private static TrainingBuilder training() {
        return Training.builder()
                .model(Mlp.of(2, 4, 2))
                .data(data(1))
                .validation(data(2))
                .optimizer(Optimizer.adam(0.01f))
                .minibatch(20)
                .minibatchesPerTask(2)
                .epochs(3)
                .evaluationSteps(10);
    }

    private static TrainingResult run(Training training) throws Exception {
        Job job = Job.builder()
                .name("tracked")
                .elasticdl()
                .master()
                .ps(1)
                .workers(1)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            return run.awaitResult(Duration.ofSeconds(50));
        }
    }

    @Test
    void a_training_is_reported_with_parameters_evaluations_and_model() throws Exception {
        Path model = folder.resolve("a model.npz");
        try (FakeMlflow server = new FakeMlflow()) {
            MlflowTracking tracking =
                    MlflowTracking.to(server.address()).parameter("team", "ads").build();
            TrainingResult result = run(training()
                    .export(model)
                    .callback(tracking)
                    .onTraining(tracking)
                    .build());

            assertThat(tracking.runId()).contains("r1");
            Map<String, String> parameters = new TreeMap<>();
            server.sent("params")
                    .forEach(each -> parameters.put(
                            each.path("key").asText(), each.path("value").asText()));
            assertThat(parameters)
                    .containsEntry("model", "Mlp")
                    .containsEntry("minibatch", "20")
                    .containsEntry("epochs", "3")
                    .containsEntry("optimizer", Optimizer.adam(0.01f).toString())
                    .containsEntry("team", "ads");
            Map<String, Double> last = new TreeMap<>();
            server.sent("metrics")
                    .forEach(each -> last.put(
                            each.path("key").asText() + "@" + each.path("step"),
                            each.path("value").asDouble()));
            assertThat(last)
                    .containsEntry(
                            "evaluation/accuracy@" + result.steps(),
                            result.metrics().get("accuracy"))
                    .containsEntry("records@" + result.steps(), 600.0)
                    .containsKeys("evaluation/accuracy@10", "evaluation/accuracy@20", "loss@" + result.steps());
            assertThat(server.methods())
                    .endsWith(
                            "PUT /api/2.0/mlflow-artifacts/artifacts/7/r1/artifacts/model/a%20model.npz",
                            "runs/update");
            assertThat(server.requests().get(server.requests().size() - 2).body())
                    .isEqualTo(Files.readString(model, StandardCharsets.ISO_8859_1));
            assertThat(server.bodies("runs/update"))
                    .extracting(body -> body.path("status").asText())
                    .containsExactly("FINISHED");
            assertThat(server.warnings()).isEmpty();
        }
    }

    @Test
    void a_server_with_other_artefacts_gets_no_model_and_one_warning() throws Exception {
        Path model = folder.resolve("model.npz");
        try (FakeMlflow server = new FakeMlflow()) {
            server.artifacts = "s3://bucket/7/r1/artifacts";
            MlflowTracking tracking = MlflowTracking.to(server.address()).build();
            run(training().export(model).callback(tracking).build());

            assertThat(server.methods()).noneMatch(method -> method.startsWith("PUT"));
            assertThat(server.warnings())
                    .containsExactly("MLflow at SERVER: " + model + " is not uploaded, because the server does not take"
                            + " artefacts itself: the run's address of artefacts is \"s3://bucket/7/r1/artifacts\";"
                            + " start the server with --serve-artifacts");
        }
    }

    @Test
    void a_server_with_errors_changes_no_result() throws Exception {
        TrainingResult alone = run(training().build());
        try (FakeMlflow server = new FakeMlflow()) {
            server.change = (request, answer) -> new Answer(500, "down");
            MlflowTracking tracking = MlflowTracking.to(server.address())
                    .endTimeout(Duration.ofMillis(50))
                    .build();
            TrainingResult tracked =
                    run(training().callback(tracking).onTraining(tracking).build());

            assertThat(tracked.metrics()).isEqualTo(alone.metrics());
            assertThat(tracked.steps()).isEqualTo(alone.steps());
            assertThat(tracked.exactlyOnce()).isTrue();
            assertThat(server.warnings()).hasSize(2).last().asString().contains("status FINISHED");
        }
    }
}
