package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.LogLine;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@MockCluster
class JobClientTest {
    private static final Executor THREAD = task -> new Thread(task, "requester").start();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static Job job(String name) {
        return Job.named(name)
                .namespace("test")
                .image("mnist:1")
                .master()
                .workers(2)
                .elastic(1, 4)
                .build();
    }

    private void state(String pod, String phase, boolean running) {
        var at = client.pods().inNamespace("test").withName("elasticdl-mnist-" + pod);
        Polled.until(at, there -> true);
        at.editStatus(p -> p.edit()
                .withNewStatus()
                .withPhase(phase)
                .addNewContainerStatus()
                .withName("elasticdl")
                .withNewState()
                .withRunning(running ? new ContainerStateRunning() : null)
                .withTerminated(
                        running
                                ? null
                                : new ContainerStateTerminatedBuilder()
                                        .withExitCode(0)
                                        .build())
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    private String token() {
        return String.valueOf(client.configMaps()
                .inNamespace("test")
                .withName("edl-job-mnist")
                .get()
                .getData()
                .get("driver"));
    }

    @Test
    void a_status_is_read_without_taking_the_job_over() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesExecutor other = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            state("master", "Running", true);
            Polled.until(
                    "the record has the running master",
                    () -> other.find("test", "mnist")
                            .status()
                            .toString()
                            .startsWith("job mnist RUNNING: master 1/1 running; worker 0/2 running, 2 pending"));

            assertThat(other.find("test", "mnist").status().replicas())
                    .extracting(replica -> replica.name() + " " + replica.status())
                    .containsExactly(
                            "elasticdl-mnist-master Running",
                            "elasticdl-mnist-worker-0 Pending",
                            "elasticdl-mnist-worker-1 Pending");
            assertThat(other.find("test", "mnist").driver())
                    .isEqualTo("a program, " + token() + "; the record does not show whether it still runs");
            assertThat(run.lost()).isFalse();
            assertThat(run.taken()).isFalse();
            assertThat(other.jobs()).isEmpty();
        }
    }

    @Test
    void a_job_without_a_record_is_not_found() {
        try (KubernetesExecutor other = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> other.find("test", "mnist"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" is not in namespace \"test\"; a job that was submitted there has a"
                            + " ConfigMap edl-job-mnist");
        }
    }

    @Test
    void the_jobs_of_a_namespace_are_listed_by_name() {
        client.configMaps()
                .inNamespace("test")
                .resource(new io.fabric8.kubernetes.api.model.ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("edl-job-other")
                        .endMetadata()
                        .build())
                .create();
        try (KubernetesExecutor driver = KubernetesExecutor.using(client)) {
            driver.submit(job("mnist"));
            driver.submit(job("cifar"));

            assertThat(driver.list("test")).extracting(JobClient::name).containsExactly("cifar", "mnist");
            assertThat(driver.list("test"))
                    .extracting(listed -> listed.recorded().phase())
                    .containsOnly(JobPhase.PENDING);
            assertThat(driver.list("elsewhere")).isEmpty();
        }
    }

    @Test
    void a_driver_pod_is_named_with_its_phase() {
        try (KubernetesExecutor driver = KubernetesExecutor.builder()
                .client(client)
                .mark(KubernetesDriver.MARK)
                .build()) {
            driver.submit(job("mnist"));
            JobClient remote = driver.find("test", "mnist");

            assertThat(remote.driver()).isEqualTo("none: its driver pod does not exist");

            client.pods()
                    .inNamespace("test")
                    .resource(new PodBuilder()
                            .withNewMetadata()
                            .withName("edl-driver-mnist-x7k2p")
                            .addToLabels("edl.dev/drives", "mnist")
                            .endMetadata()
                            .withNewStatus()
                            .withPhase("Running")
                            .endStatus()
                            .build())
                    .create();

            assertThat(remote.driver()).isEqualTo("pod edl-driver-mnist-x7k2p (Running)");
        }
    }

    private void log(String pod, String query, String text) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/elasticdl-mnist-" + pod + "/log?container=elasticdl&" + query)
                .andReturn(200, text)
                .always();
    }

    @Test
    void the_last_lines_of_a_log_are_read_without_taking_the_job_over() {
        log("master", "timestamps=true&tailLines=2", "2026-01-31T12:00:00.1Z a\n2026-01-31T12:00:00.2Z b\n");
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            state("master", "Running", true);

            assertThat(driver.find("test", "mnist").log("master", 2))
                    .extracting(LogLine::text)
                    .containsExactly("a", "b");
            assertThat(run.taken()).isFalse();
        }
    }

    @Test
    void a_log_is_followed_to_the_end_of_the_job_without_taking_it_over() throws InterruptedException {
        String first = "2026-01-31T12:00:00.000000001Z";
        log("master", "follow=true&timestamps=true&tailLines=1", first + " a\n");
        log("master", "follow=true&timestamps=true&sinceTime=" + first, first + " a\n" + first + " b\n");
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesExecutor other = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            state("master", "Running", true);
            try (LogFollower follower = other.find("test", "mnist").logs("master", 1, line -> lines.add(line.text()))) {
                assertThat(List.of(next(lines), next(lines))).containsExactly("a", "b");

                state("master", "Succeeded", false);
                assertThat(follower.awaitEnd(LIMIT)).isTrue();
            }
            assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
        assertThat(lines).isEmpty();
    }

    private Map<String, String> record() {
        return client.configMaps()
                .inNamespace("test")
                .withName("edl-job-mnist")
                .get()
                .getData();
    }

    /** Makes a request on another thread, and waits until the record has it. */
    private CompletableFuture<Void> request(KubernetesExecutor other, int workers, Duration limit) {
        CompletableFuture<Void> request = CompletableFuture.runAsync(
                () -> {
                    try {
                        other.find("test", "mnist").scale("worker", workers, limit);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                },
                THREAD);
        Polled.until("the record has the request", () -> record().containsKey("requests"));
        return request;
    }

    @Test
    void a_request_of_another_program_scales_the_job_and_leaves_the_record_with_the_new_number() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesExecutor other = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            CompletableFuture<Void> request = request(other, 3, LIMIT);

            run.applyRequests();
            request.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();

            assertThat(other.find("test", "mnist").recorded().roles().get(1).desired())
                    .isEqualTo(3);
            assertThat(record()).doesNotContainKeys("requests", "refused-requests");
            assertThat(run.lost()).isFalse();
        }
    }

    @Test
    void a_request_for_the_number_that_the_job_has_is_answered() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesExecutor other = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            CompletableFuture<Void> request = request(other, 2, LIMIT);

            Polled.until("the request is answered", () -> {
                run.applyRequests();
                return request.isDone();
            });

            assertThat(request).isCompleted();
        }
    }

    @Test
    void a_refused_request_has_the_message_of_the_drivers_own_check() {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesExecutor other = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            CompletableFuture<Void> request = request(other, 9, LIMIT);

            Polled.until("the request is answered", () -> {
                try {
                    run.applyRequests();
                } catch (KubernetesClientException e) {
                    // The loop wrote the record at the same time; the poll repeats the refusal.
                    assertThat(e.getCode()).isEqualTo(409);
                }
                return request.isDone();
            });

            String why = "job \"mnist\": worker can be scaled between 1 and 4, was 9";
            assertThatThrownBy(request::join)
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseMessage(why);
            assertThat(run.events())
                    .extracting(event -> event.type() + " " + event.message())
                    .contains("SCALE_FAILED request \"scale worker 9\" is refused: " + why);
            assertThat(record()).doesNotContainKey("requests");
        }
    }

    @Test
    void a_request_without_a_driver_is_kept_for_the_next_driver() throws InterruptedException {
        try (KubernetesExecutor gone = KubernetesExecutor.using(client)) {
            gone.submit(job("mnist"));
        }
        try (KubernetesExecutor other = KubernetesExecutor.using(client)) {
            String token = token();
            assertThatThrownBy(() -> other.find("test", "mnist").scale("worker", 3, Duration.ZERO))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("job \"mnist\": no driver answered the request \"scale worker 3\" within 0s; the driver"
                            + " is a program, " + token + "; the record does not show whether it still runs. The"
                            + " request stays in ConfigMap edl-job-mnist, and the next driver applies it:"
                            + " attach(\"test\", \"mnist\")");

            KubernetesRun run = other.attach("test", "mnist");
            run.applyRequests();
            Polled.until("the next driver has written the number", () -> !record().containsKey("requests"));

            assertThat(other.find("test", "mnist").recorded().roles().get(1).desired())
                    .isEqualTo(3);
        }
    }

    @Test
    void a_request_cancels_the_job() throws Exception {
        try (KubernetesExecutor driver = KubernetesExecutor.using(client);
                KubernetesExecutor other = KubernetesExecutor.using(client);
                KubernetesRun run = driver.submit(job("mnist"))) {
            CompletableFuture<Void> request = CompletableFuture.runAsync(
                    () -> {
                        try {
                            other.find("test", "mnist").cancel(LIMIT);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    },
                    THREAD);
            Polled.until("the record has the request", () -> record().containsKey("requests"));

            run.applyRequests();

            assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
            request.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    private static String next(BlockingQueue<String> lines) throws InterruptedException {
        return String.valueOf(lines.poll(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }
}
