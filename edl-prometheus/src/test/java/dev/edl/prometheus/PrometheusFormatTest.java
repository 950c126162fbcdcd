package dev.edl.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.operators.controller.metrics.ControllerMetricsSnapshot;
import dev.edl.operators.controller.metrics.MetricsFormat;
import dev.edl.operators.controller.metrics.MetricsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrometheusFormatTest {
    private static final ControllerMetricsSnapshot METRICS = new ControllerMetricsSnapshot(
            true,
            true,
            3,
            40,
            2,
            5,
            1,
            Duration.ofMillis(1500),
            Optional.of(Duration.ofMillis(250)),
            Map.of(new ControllerMetricsSnapshot.Watch("tfjobs.tensorflow.org", "team-a"), Duration.ofSeconds(30)),
            Map.of("quota", 7L, "invalid", 0L),
            Map.of("quota", 5L, "server", 0L));

    private static String text(ControllerMetricsSnapshot metrics) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new PrometheusFormat().write(metrics, bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void every_figure_has_its_name_its_help_and_its_type() throws IOException {
        assertThat(text(METRICS)).isEqualTo("""
                # HELP edl_controller_jobs Jobs that the controller drives.
                # TYPE edl_controller_jobs gauge
                edl_controller_jobs 3.0
                # HELP edl_controller_last_pass_age_seconds Time since a pass ended.
                # TYPE edl_controller_last_pass_age_seconds gauge
                edl_controller_last_pass_age_seconds 0.25
                # HELP edl_controller_leader Whether this controller drives the jobs: 1 or 0.
                # TYPE edl_controller_leader gauge
                edl_controller_leader 1.0
                # HELP edl_controller_passes_running Reconcile passes in progress, each over one object.
                # TYPE edl_controller_passes_running gauge
                edl_controller_passes_running 5.0
                # HELP edl_controller_passes_stuck Reconcile passes running for more than a second because of an unanswered request.
                # TYPE edl_controller_passes_stuck gauge
                edl_controller_passes_stuck 1.0
                # HELP edl_controller_queue_depth Objects waiting for a thread.
                # TYPE edl_controller_queue_depth gauge
                edl_controller_queue_depth 2.0
                # HELP edl_controller_queue_oldest_wait_seconds Longest current wait of an object for a thread.
                # TYPE edl_controller_queue_oldest_wait_seconds gauge
                edl_controller_queue_oldest_wait_seconds 1.5
                # HELP edl_controller_refusals_total Failed reconcile passes, by cause.
                # TYPE edl_controller_refusals_total counter
                edl_controller_refusals_total{cause="invalid"} 0.0
                edl_controller_refusals_total{cause="quota"} 7.0
                # HELP edl_controller_refused_requests_total Requests of jobs that were refused or unanswered, by cause.
                # TYPE edl_controller_refused_requests_total counter
                edl_controller_refused_requests_total{cause="quota"} 5.0
                edl_controller_refused_requests_total{cause="server"} 0.0
                # HELP edl_controller_replicas Sum of the maximum replicas of these jobs.
                # TYPE edl_controller_replicas gauge
                edl_controller_replicas 40.0
                # HELP edl_controller_watch_age_seconds Time since a watch last received anything from the API server.
                # TYPE edl_controller_watch_age_seconds gauge
                edl_controller_watch_age_seconds{namespace="team-a",resource="tfjobs.tensorflow.org"} 30.0
                """);
    }

    @Test
    void a_standby_controller_has_no_pass_and_no_watch() throws IOException {
        ControllerMetricsSnapshot standby = new ControllerMetricsSnapshot(
                false, true, 0, 0, 0, 0, 0, Duration.ZERO, Optional.empty(), Map.of(), Map.of(), Map.of());

        assertThat(text(standby))
                .contains("edl_controller_leader 0.0\n")
                .doesNotContain("last_pass")
                .doesNotContain("watch_age");
    }

    @Test
    void it_is_found_on_the_class_path_and_served() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> METRICS, MetricsFormat.installed())) {
            URI at = URI.create("http://localhost:" + server.address().getPort() + "/metrics");
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.ofString());

            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(answer.body()).isEqualTo(text(METRICS));
        }
    }
}
