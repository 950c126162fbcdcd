package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.RetryPolicy;
import dev.edl.spec.Backoff;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API server that refuses for a while: retries of the client, and of the loop after the client gives up. */
@MockCluster
class BusyServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PODS = "/api/v1/namespaces/test/pods";
    private static final String RECORD = "/api/v1/namespaces/test/configmaps/edl-job-mnist";

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static Job job() {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .tensorflow()
                .workers(1)
                .build();
    }

    private static String refusal(int code) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code
                + ",\"message\":\"not now\"}";
    }

    /** Returns a client of the same server without its own retries. */
    private KubernetesClient onceOnly() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(client.getConfiguration())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    private int podsThere() {
        return client.pods().inNamespace("test").list().getItems().size();
    }

    private static CountDownLatch runs(JobEvent.Type type, KubernetesRun run) {
        CountDownLatch latch = new CountDownLatch(1);
        run.onEvent(event -> {
            if (event.type() == type) {
                latch.countDown();
            }
        });
        if (run.events().stream().anyMatch(event -> event.type() == type)) {
            latch.countDown();
        }
        return latch;
    }

    private void running() {
        var pod = client.pods().inNamespace("test").withName("elasticdl-mnist-worker-0");
        Polled.until(pod, there -> true);
        pod.editStatus(
                p -> p.edit().withNewStatus().withPhase("Running").endStatus().build());
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void retries_of_the_client_are_invisible_to_the_job(int code) throws InterruptedException {
        server.expect()
                .post()
                .withPath(PODS)
                .andReturn(code, refusal(code))
                .withHeader("Retry-After: 1")
                .once();
        server.expect().put().withPath(RECORD).andReturn(code, refusal(code)).once();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job())) {
            running();

            assertThat(runs(JobEvent.Type.JOB_RUNNING, run).await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(run.events()).extracting(JobEvent::type).doesNotContain(JobEvent.Type.SUBSTRATE_FAILED);
            assertThat(podsThere()).isEqualTo(1);
        }
    }

    @Test
    void the_loop_retries_after_the_client_gives_up() throws InterruptedException {
        server.expect().post().withPath(PODS).andReturn(500, refusal(500)).times(2);
        server.expect().put().withPath(RECORD).andReturn(503, refusal(503)).times(2);
        try (KubernetesClient once = onceOnly();
                KubernetesExecutor executor = KubernetesExecutor.using(once);
                KubernetesRun run = executor.submit(job())) {
            running();

            assertThat(runs(JobEvent.Type.JOB_RUNNING, run).await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(run.events().stream()
                            .filter(event -> event.type() == JobEvent.Type.SUBSTRATE_FAILED)
                            .map(event -> event.message().replaceAll(": .*", "")))
                    .containsExactly("could not persist the job's state", "could not create elasticdl-mnist-worker-0");
            assertThat(podsThere()).isEqualTo(1);
        }
    }

    @Test
    void permanent_refusals_end_no_job() throws InterruptedException {
        AtomicInteger refusals = new AtomicInteger();
        server.expect()
                .post()
                .withPath(PODS)
                .andReply(500, request -> {
                    refusals.incrementAndGet();
                    return refusal(500);
                })
                .times(4);
        try (KubernetesClient once = onceOnly();
                KubernetesExecutor executor = KubernetesExecutor.builder()
                        .client(once)
                        .retry(RetryPolicy.of(Backoff.doubling(Duration.ofMillis(1), Duration.ofMillis(2))))
                        .build();
                KubernetesRun run = executor.submit(job())) {
            running();

            assertThat(runs(JobEvent.Type.JOB_RUNNING, run).await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(refusals).hasValue(4);
            assertThat(run.status().phase()).isEqualTo(JobPhase.RUNNING);
            assertThat(run.status().requestFailures()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"410, Expired", "500, InternalError", "403, Forbidden"})
    void a_watch_that_the_server_ends_lists_again(int code, String reason) throws InterruptedException {
        WatchEvent gone = new WatchEvent(
                new StatusBuilder()
                        .withCode(code)
                        .withReason(reason)
                        .withMessage("the watch ends")
                        .build(),
                "ERROR");
        for (int version = 0; version < 6; version++) {
            server.expect()
                    .withPath(PODS
                            + "?allowWatchBookmarks=true&labelSelector=app%3Delasticdl%2Celasticdl-job-name%3Dmnist"
                            + "&resourceVersion=" + version + "&timeoutSeconds=600&watch=true")
                    .andUpgradeToWebSocket()
                    .open()
                    .waitFor(1)
                    .andEmit(gone)
                    .done()
                    .once();
        }
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job())) {
            running();

            assertThat(runs(JobEvent.Type.JOB_RUNNING, run).await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(podsThere()).isEqualTo(1);
        }
    }
}
