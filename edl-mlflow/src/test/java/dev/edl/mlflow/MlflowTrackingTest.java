package dev.edl.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.mlflow.FakeMlflow.Answer;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class MlflowTrackingTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final TrainingControl NONE = (TrainingControl) Proxy.newProxyInstance(
            MlflowTrackingTest.class.getClassLoader(),
            new Class<?>[] {TrainingControl.class},
            (proxy, method, values) -> {
                throw new AssertionError(method + " is not for an observer");
            });

    private FakeMlflow server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeMlflow();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MlflowTracking.Builder tracking() {
        return MlflowTracking.to(server.address()).endTimeout(LONG).backoff(Duration.ofMillis(1));
    }

    private static TrainingEvent progress(long step, Duration elapsed) {
        return new TrainingEvent.Progressed(new Progress(0, 5, 7, 10, 700, 1000, step, 0.25, 350.5, elapsed));
    }

    /** Lets the server's answers to one method wait until the returned latch is opened. */
    private CountDownLatch hold(String method) {
        CountDownLatch latch = new CountDownLatch(1);
        server.change = (request, answer) -> {
            if (request.method().equals(method)) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return answer;
        };
        return latch;
    }

    private static void report(MlflowTracking tracking, int metrics) {
        for (int i = 0; i < metrics; i++) {
            tracking.onEvaluation(i, Map.of("accuracy", (double) i), NONE);
        }
    }

    private List<Long> steps() {
        return server.sent("metrics").stream()
                .map(metric -> metric.path("step").asLong())
                .toList();
    }

    @Test
    void progress_is_reported_once_in_each_interval() throws Exception {
        MlflowTracking tracking = tracking().interval(Duration.ofSeconds(2)).build();
        tracking.begin("");
        tracking.accept(progress(10, Duration.ofSeconds(1)));
        tracking.accept(progress(20, Duration.ofSeconds(2)));
        tracking.accept(progress(30, Duration.ofSeconds(3)));
        tracking.end(JobPhase.FAILED);

        assertThat(server.sent("metrics"))
                .extracting(
                        metric -> metric.path("key").asText() + "=" + metric.path("value") + "@" + metric.path("step"))
                .containsExactly(
                        "loss=0.25@10",
                        "records=700.0@10",
                        "records_per_second=350.5@10",
                        "epoch=0.0@10",
                        "loss=0.25@30",
                        "records=700.0@30",
                        "records_per_second=350.5@30",
                        "epoch=0.0@30");
        assertThat(server.bodies("runs/update"))
                .extracting(body -> body.path("status").asText())
                .containsExactly("FAILED");
        assertThat(server.warnings()).isEmpty();
    }

    @Test
    void values_that_json_does_not_have_are_texts_and_names_have_permitted_characters() throws Exception {
        MlflowTracking tracking = tracking().build();
        tracking.begin("");
        tracking.onEvaluation(5, Map.of("top:5 (%)", Double.NaN), NONE);
        tracking.end(JobPhase.CANCELLED);

        JsonNode metric = server.sent("metrics").get(0);
        assertThat(metric.path("key").asText()).isEqualTo("evaluation/top_5 ___");
        assertThat(metric.path("value").isTextual()).isTrue();
        assertThat(metric.path("value").asText()).isEqualTo("NaN");
        assertThat(server.bodies("runs/update").get(0).path("status").asText()).isEqualTo("KILLED");
    }

    @Test
    void metrics_are_sent_a_thousand_at_a_time() throws Exception {
        CountDownLatch created = hold("runs/create");
        MlflowTracking tracking = tracking().build();
        tracking.begin("");
        report(tracking, 2500);
        created.countDown();
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(server.bodies("runs/log-batch"))
                .extracting(body -> body.path("metrics").size())
                .containsExactly(1000, 1000, 500);
        assertThat(steps()).isSorted().hasSize(2500).doesNotHaveDuplicates();
    }

    @Test
    void parameters_are_sent_fifty_at_a_time_and_cut() throws Exception {
        MlflowTracking.Builder builder = tracking();
        for (int i = 0; i < 120; i++) {
            builder.parameter("p" + i, "x".repeat(7000));
        }
        MlflowTracking tracking = builder.build();
        tracking.begin("");
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(server.bodies("runs/log-batch"))
                .extracting(body -> body.path("params").size())
                .containsExactly(50, 50, 20);
        assertThat(server.sent("params"))
                .allSatisfy(each -> assertThat(each.path("value").asText()).hasSize(6000));
    }

    @Test
    void a_full_queue_drops_its_oldest_metrics_and_one_line_says_so() throws Exception {
        CountDownLatch created = hold("runs/create");
        MlflowTracking tracking = tracking().queue(3).build();
        tracking.begin("");
        report(tracking, 5);
        created.countDown();
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(steps()).containsExactly(2L, 3L, 4L);
        assertThat(server.warnings())
                .containsExactly("MLflow run r1 at SERVER: not sent: 2 metrics, because at most 3 wait for the server");
    }

    @Test
    void failed_requests_are_repeated_with_one_warning() throws Exception {
        Map<String, Integer> calls = new ConcurrentHashMap<>();
        server.change = (request, answer) ->
                calls.merge(request.method(), 1, Integer::sum) <= 2 ? new Answer(500, "no\n database") : answer;
        MlflowTracking tracking = tracking().build();
        tracking.begin("");
        report(tracking, 2);
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(steps()).contains(0L, 1L);
        assertThat(server.warnings())
                .containsExactly("MLflow at SERVER does not answer; the training continues:"
                        + " experiments/get-by-name: status 500, \"no database\"");
        assertThat(server.bodies("runs/update")).hasSize(3);
    }

    @Test
    void a_run_whose_creation_was_not_confirmed_is_found_again() throws Exception {
        server.change = (request, answer) -> switch (request.method()) {
            case "runs/create" -> new Answer(503, "");
            case "runs/search" ->
                new Answer(200, "{\"runs\":[{\"info\":{\"run_id\":\"r2\",\"artifact_uri\":\"mlflow-artifacts:/a\"}}]}");
            default -> answer;
        };
        MlflowTracking tracking = tracking().build();
        assertThat(tracking.awaitRunId(LONG)).contains("r2");
        tracking.end(JobPhase.FAILED);

        assertThat(server.bodies("runs/create")).hasSize(1);
        String unique = server.bodies("runs/create")
                .get(0)
                .path("tags")
                .path(0)
                .path("value")
                .asText();
        assertThat(server.bodies("runs/search").get(0).path("filter").asText())
                .isEqualTo("tags.`edl.creation` = '" + unique + "'");
    }

    @Test
    void a_server_that_never_answers_delays_the_end_by_its_bound_only() throws Exception {
        CountDownLatch never = hold("runs/create");
        MlflowTracking tracking =
                tracking().endTimeout(Duration.ofMillis(50)).parameter("a", "b").build();
        tracking.begin("");
        report(tracking, 2);
        assertThat(tracking.awaitRunId(Duration.ofMillis(1))).isEmpty();
        tracking.end(JobPhase.SUCCEEDED);
        never.countDown();

        assertThat(server.warnings())
                .containsExactly("MLflow run at SERVER: not sent: 2 metrics; 1 parameters; status FINISHED");
    }

    @Test
    void a_server_that_is_not_there_fails_nothing() throws Exception {
        server.close();
        MlflowTracking tracking = tracking().endTimeout(Duration.ofMillis(50)).build();
        tracking.begin("");
        report(tracking, 1);
        tracking.end(JobPhase.SUCCEEDED);
        assertThat(tracking.runId()).isEmpty();
    }

    @Test
    void what_the_server_refuses_is_quoted_once_and_not_repeated() throws Exception {
        CountDownLatch created = hold("runs/create");
        var before = server.change;
        server.change = (request, answer) -> request.method().equals("runs/log-batch")
                ? new Answer(400, "{\"error_code\":\"INVALID_PARAMETER_VALUE\",\"message\":\"bad name\"}")
                : before.apply(request, answer);
        MlflowTracking tracking = tracking().build();
        tracking.begin("");
        report(tracking, 1500);
        created.countDown();
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(server.bodies("runs/log-batch")).hasSize(2);
        assertThat(server.bodies("runs/update")).hasSize(1);
        assertThat(server.warnings())
                .containsExactly(
                        "MLflow at SERVER refuses 1000 metrics: runs/log-batch: status 400, \"bad name\"",
                        "MLflow run r1 at SERVER: not sent: 1500 values that the server refused");
    }

    @Test
    void a_wrong_token_ends_the_reports_and_is_told_to_nobody() throws Exception {
        server.change = (request, answer) -> new Answer(401, "unknown token " + request.authorization());
        MlflowTracking tracking =
                tracking().authorization(() -> "Bearer s3cret").build();
        assertThat(tracking.awaitRunId(LONG)).isEmpty();
        tracking.begin("");
        report(tracking, 2);
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(server.requests())
                .extracting(FakeMlflow.Request::authorization)
                .containsExactly("Bearer s3cret");
        assertThat(server.warnings())
                .containsExactly(
                        "MLflow at SERVER receives nothing of this training: experiments/get-by-name: status 401,"
                                + " \"unknown token Bearer ***\"",
                        "MLflow run at SERVER: not sent: 2 metrics; status FINISHED");
        assertThat(tracking.toString()).isEqualTo("MLflow at " + server.address());
    }

    @Test
    void a_function_that_cannot_return_a_header_is_called_again() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        MlflowTracking tracking = tracking()
                .authorization(() -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new IllegalStateException("s3cret");
                    }
                    return "Bearer new";
                })
                .build();
        assertThat(tracking.awaitRunId(LONG)).contains("r1");
        tracking.end(JobPhase.SUCCEEDED);
        assertThat(server.warnings())
                .containsExactly("MLflow at SERVER does not answer; the training continues: experiments/get-by-name:"
                        + " the header Authorization cannot be set: java.lang.IllegalStateException");
    }

    @Test
    void a_later_master_continues_the_run_of_the_saved_state() throws Exception {
        MlflowTracking first = tracking().build();
        TrainingCallback begun = first.begin("");
        first.awaitRunId(LONG);
        assertThat(begun.everySteps()).as("once for the run's id").isEqualTo(1);
        assertThat(begun.state()).isEqualTo("r1");
        assertThat(begun.everySteps()).isZero();
        first.end(JobPhase.FAILED);

        MlflowTracking second = tracking().build();
        second.begin("r1");
        report(second, 1);
        second.end(JobPhase.SUCCEEDED);

        assertThat(server.bodies("runs/create")).hasSize(1);
        assertThat(server.bodies("runs/update"))
                .extracting(body ->
                        body.path("run_id").asText() + " " + body.path("status").asText())
                .containsExactly("r1 FAILED", "r1 RUNNING", "r1 FINISHED");
    }

    @Test
    void a_given_run_is_continued_and_a_missing_experiment_created() throws Exception {
        MlflowTracking given = tracking().runId("r1").build();
        given.begin("old");
        given.end(JobPhase.SUCCEEDED);
        assertThat(server.methods()).containsExactly("runs/update", "runs/update");
        assertThat(server.bodies("runs/update").get(0).path("run_id").asText()).isEqualTo("r1");

        server.change =
                (request, answer) -> request.method().startsWith("experiments/get") ? FakeMlflow.NO_EXPERIMENT : answer;
        MlflowTracking fresh =
                tracking().experiment("a b").runName("n").tag("team", "ads").build();
        fresh.begin("");
        fresh.end(JobPhase.SUCCEEDED);
        assertThat(server.methods())
                .endsWith(
                        "experiments/get-by-name?experiment_name=a+b",
                        "experiments/create",
                        "runs/create",
                        "runs/log-batch",
                        "runs/update");
        assertThat(server.bodies("experiments/create").get(0).path("name").asText())
                .isEqualTo("a b");
        assertThat(server.bodies("runs/create").get(0).path("run_name").asText())
                .isEqualTo("n");
        assertThat(server.sent("tags"))
                .extracting(tag ->
                        tag.path("key").asText() + "=" + tag.path("value").asText())
                .containsExactly("team=ads");
    }

    @Test
    void an_experiment_that_another_training_creates_in_between_is_used() throws Exception {
        AtomicInteger looked = new AtomicInteger();
        server.change = (request, answer) -> {
            if (request.method().equals("experiments/create")) {
                return new Answer(400, "{\"error_code\":\"RESOURCE_ALREADY_EXISTS\",\"message\":\"it exists\"}");
            }
            boolean first = request.method().startsWith("experiments/get") && looked.getAndIncrement() == 0;
            return first ? FakeMlflow.NO_EXPERIMENT : answer;
        };
        MlflowTracking tracking = tracking().build();
        tracking.begin("");
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(tracking.runId()).contains("r1");
        assertThat(server.warnings()).isEmpty();
    }

    @Test
    void an_answer_without_end_is_repeated_after_the_timeout() throws Exception {
        server.endless = "experiments/get-by-name?experiment_name=Default";
        MlflowTracking tracking =
                tracking().requestTimeout(Duration.ofMillis(300)).build();
        assertThat(tracking.awaitRunId(LONG)).contains("r1");
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(server.warnings())
                .containsExactly("MLflow at SERVER does not answer; the training continues: experiments/get-by-name:"
                        + " no complete answer in PT0.3S");
    }

    @Test
    void a_redirection_is_refused_with_its_address() throws Exception {
        server.redirection = "https://login.example.com/";
        server.change = (request, answer) -> new Answer(302, "");
        MlflowTracking tracking = tracking().build();
        assertThat(tracking.awaitRunId(LONG)).isEmpty();
        tracking.end(JobPhase.SUCCEEDED);

        assertThat(server.warnings())
                .first()
                .isEqualTo("MLflow at SERVER receives nothing of this training: experiments/get-by-name: status 302,"
                        + " \"redirects to https://login.example.com/\"");
    }

    @Test
    void wrong_settings_are_named() {
        assertThatThrownBy(() -> MlflowTracking.to(URI.create("mlflow:5000")))
                .hasMessage("server: must be an address such as http://mlflow.example.com:5000, was \"mlflow:5000\"");
        assertThatThrownBy(() -> MlflowTracking.to(URI.create("http://me:s3cret@mlflow:5000")))
                .hasMessage("server: the address must have no user and password; pass them to authorization(...)");
        assertThatThrownBy(() -> tracking().queue(0)).hasMessage("queue: must be at least 1, for example 10000, was 0");
        assertThatThrownBy(() -> tracking().endTimeout(Duration.ZERO))
                .hasMessage("endTimeout: must be positive, for example PT10S, was PT0S");
        assertThatThrownBy(() -> tracking().experiment(" "))
                .hasMessage("experiment: must not be blank, for example \"clicks\"");
        assertThatThrownBy(() -> tracking().build().end(JobPhase.RUNNING))
                .hasMessage("phase: must be final, for example FAILED, was RUNNING");
    }
}
