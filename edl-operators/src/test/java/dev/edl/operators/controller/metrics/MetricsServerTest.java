package dev.edl.operators.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
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

class MetricsServerTest {
    private static ControllerMetricsSnapshot metrics(Duration oldest, boolean ready) {
        return new ControllerMetricsSnapshot(
                true,
                ready,
                1,
                4,
                2,
                1,
                0,
                oldest,
                Optional.of(Duration.ZERO),
                Map.of(),
                Map.of("quota", 3L),
                Map.of());
    }

    private static final MetricsFormat JOBS = new MetricsFormat() {
        @Override
        public String contentType() {
            return "text/plain; version=1";
        }

        @Override
        public void write(ControllerMetricsSnapshot metrics, OutputStream to) throws IOException {
            to.write(("jobs " + metrics.jobs() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    };

    private static String get(MetricsServer server, String path) throws IOException, InterruptedException {
        URI at = URI.create("http://localhost:" + server.address().getPort() + path);
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private static MetricsServer start(ControllerMetricsSnapshot metrics, Optional<MetricsFormat> format)
            throws IOException {
        return MetricsServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> metrics, format);
    }

    @Test
    void a_controller_that_gets_on_is_live_and_ready() throws IOException, InterruptedException {
        try (MetricsServer server = start(metrics(Duration.ofMinutes(4), true), Optional.of(JOBS))) {
            assertThat(get(server, "/livez")).isEqualTo("200 ok\n");
            assertThat(get(server, "/readyz")).isEqualTo("200 ok\n");
            assertThat(get(server, "/metrics")).isEqualTo("200 jobs 1\n");
        }
    }

    @Test
    void a_queue_stalled_for_five_minutes_is_not_live() throws IOException, InterruptedException {
        try (MetricsServer server = start(metrics(Duration.ofMinutes(5), false), Optional.empty())) {
            String why = "503 no: 2 objects wait for a thread, the oldest for 300 s; all objects are listed: false\n";
            assertThat(get(server, "/livez")).isEqualTo(why);
            assertThat(get(server, "/readyz")).isEqualTo(why);
        }
    }

    @Test
    void metrics_are_not_served_without_a_format() throws IOException, InterruptedException {
        try (MetricsServer server = start(metrics(Duration.ZERO, true), Optional.empty())) {
            assertThat(get(server, "/metrics")).startsWith("404");
        }
    }
}
