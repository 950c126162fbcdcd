package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.LogLine;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The mock answers a log request at once and ends it: each answer acts as a lost connection. */
@MockCluster
class LogFollowerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private final BlockingQueue<LogLine> lines = new LinkedBlockingQueue<>();

    @AfterEach
    void no_thread_is_left() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("edl-mnist"));
    }

    private static Job job() {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .master()
                .workers(2)
                .build();
    }

    private void log(String pod, String since, int code, String text) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/elasticdl-mnist-" + pod
                        + "/log?container=elasticdl&follow=true&timestamps=true" + since)
                .andReturn(code, text)
                .always();
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
                .withRunning(running ? new io.fabric8.kubernetes.api.model.ContainerStateRunning() : null)
                .withTerminated(
                        running
                                ? null
                                : new io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder()
                                        .withExitCode(137)
                                        .build())
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    private String next() throws InterruptedException {
        LogLine line = lines.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        return String.valueOf(line);
    }

    @Test
    void a_log_is_followed_across_lost_connections_and_relaunches() throws Exception {
        log("worker-0", "", 200, "2026-01-31T12:00:00.000000001Z a\n2026-01-31T12:00:00.000000002Z b\n2026-01-31T12:0");
        log(
                "worker-0",
                "&sinceTime=2026-01-31T12:00:00.000000002Z",
                200,
                "2026-01-31T12:00:00.000000001Z a\n2026-01-31T12:00:00.000000002Z b\n2026-01-31T12:00:00.000000003Z c\n");
        log("worker-0", "&sinceTime=2026-01-31T12:00:00.000000003Z", 200, "2026-01-31T12:00:00.000000003Z c\n");
        log("worker-2", "", 200, "2026-01-31T12:01:00.000000001Z d\n");
        log("worker-2", "&sinceTime=2026-01-31T12:01:00.000000001Z", 200, "2026-01-31T12:01:00.000000001Z d\n");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job());
                LogFollower follower = run.logs("worker-0", lines::add)) {
            state("worker-0", "Running", true);
            assertThat(List.of(next(), next(), next())).containsExactly("[worker-0] a", "[worker-0] b", "[worker-0] c");

            state("worker-0", "Failed", false);
            state("worker-2", "Running", true);
            assertThat(List.of(next(), next())).containsExactly("[worker-2] -- replaces worker-0", "[worker-2] d");

            state("master", "Succeeded", false);
            assertThat(follower.awaitEnd(LIMIT)).isTrue();
            assertThat(lines).isEmpty();
        }
    }

    @Test
    void a_forbidden_log_ends_with_the_refusal() throws Exception {
        log("master", "", 403, "pods \"elasticdl-mnist-master\" is forbidden");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job());
                LogFollower follower = run.logs("master", 0, lines::add)) {
            state("master", "Running", true);

            assertThatThrownBy(() -> follower.awaitEnd(LIMIT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the log of pod elasticdl-mnist-master cannot be read: 403 pods"
                            + " \"elasticdl-mnist-master\" is forbidden");
        }
    }

    @Test
    void closing_the_run_ends_the_follower_of_an_unstarted_replica() throws Exception {
        LogFollower follower;
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job())) {
            follower = run.logs("worker-1", lines::add);
        }

        assertThat(follower.awaitEnd(Duration.ZERO)).isTrue();
        assertThat(lines).isEmpty();
    }

    @Test
    void a_reader_that_throws_ends_its_follower() throws Exception {
        log("worker-0", "", 200, "2026-01-31T12:00:00.000000001Z a\n");
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job());
                LogFollower follower = run.logs("worker-0", line -> {
                    throw new UnsupportedOperationException(line.text());
                })) {
            state("worker-0", "Running", true);

            assertThatThrownBy(() -> follower.awaitEnd(LIMIT)).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void a_log_includes_its_predecessors() throws Exception {
        for (String pod : List.of("worker-0", "worker-2")) {
            server.expect()
                    .get()
                    .withPath("/api/v1/namespaces/test/pods/elasticdl-mnist-" + pod
                            + "/log?container=elasticdl&timestamps=true&tailLines=10")
                    .andReturn(200, "2026-01-31T12:00:00.000000001Z of " + pod + "\n")
                    .always();
        }
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job())) {
            state("worker-0", "Running", true);
            state("worker-0", "Failed", false);
            state("worker-2", "Running", true);
            Polled.until(
                    client.pods().inNamespace("test").withName("elasticdl-mnist-worker-2"),
                    pod -> run.log("worker-0", 10).size() == 2);

            assertThat(run.log("worker-0", 10))
                    .extracting(LogLine::toString)
                    .containsExactly("[worker-0] of worker-0", "[worker-2] of worker-2");
            assertThatThrownBy(() -> run.log("worker-0", 0))
                    .hasMessage("lines of a log must be at least 1, for example 1000; was 0");
        }
    }
}
