package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.spec.CleanupPolicy;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Jobs whose pods get a mesh proxy before their main container. The proxy runs on after the main container has ended.
 */
@MockCluster
class MeshedJobTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static Job job() {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .cleanup(CleanupPolicy.NONE)
                .master()
                .relaunchLimit(0)
                .workers(1)
                .build();
    }

    private PodResource at(String replica) {
        return client.pods().inNamespace("test").withName("elasticdl-mnist-" + replica);
    }

    /** Adds the proxy as a webhook does, but after the creation. */
    private void meshed(String replica, String main) {
        Polled.until(at(replica), there -> true);
        at(replica)
                .edit(pod -> pod.edit()
                        .editSpec()
                        .addToContainers(
                                0,
                                new ContainerBuilder().withName("istio-proxy").build())
                        .endSpec()
                        .build());
        at(replica)
                .editStatus(pod -> pod.edit()
                        .withNewStatus()
                        .withPhase("Running")
                        .addNewContainerStatus()
                        .withName("istio-proxy")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .endContainerStatus()
                        .addNewContainerStatus()
                        .withName("elasticdl")
                        .withState(Serialization.unmarshal(main, ContainerState.class))
                        .endContainerStatus()
                        .endStatus()
                        .build());
    }

    @Test
    void a_job_succeeds_and_its_pod_is_deleted_after_its_master_exits_0() throws InterruptedException {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job())) {
            meshed("master", "terminated: {exitCode: 0, reason: Completed}");

            assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            Polled.gone(at("master"));
        }
    }

    @Test
    void a_job_reports_its_masters_oom_kill_and_deletes_its_pod() throws InterruptedException {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job())) {
            meshed("master", "terminated: {exitCode: 137, reason: OOMKilled}");

            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message()).contains("exit code 137 (OOMKilled): it ran out of memory");
            Polled.gone(at("master"));
        }
    }

    @Test
    void a_pod_is_deleted_once_its_log_was_read() throws InterruptedException {
        server.expect()
                .get()
                .withPath(
                        "/api/v1/namespaces/test/pods/elasticdl-mnist-master/log?container=elasticdl&follow=true&timestamps=true")
                .andReturn(200, "2026-01-31T12:00:00.000000001Z the last words\n")
                .always();
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch returns = new CountDownLatch(1);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job());
                LogFollower log = run.logs("master", line -> {
                    read.countDown();
                    await(returns);
                })) {
            meshed("master", "terminated: {exitCode: 0, reason: Completed}");
            assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            await(read);
            askedAgain();
            askedAgain();
            assertThat(at("master").get()).isNotNull();

            returns.countDown();

            Polled.gone(at("master"));
            assertThat(log.awaitEnd(LIMIT)).isTrue();
        }
    }

    /** Waits for the record to show a new time of the last deletion request. */
    private void askedAgain() {
        String before = version();
        Polled.until("the record is written again", () -> !version().equals(before));
    }

    private String version() {
        return client.configMaps()
                .inNamespace("test")
                .withName("edl-job-mnist")
                .get()
                .getMetadata()
                .getResourceVersion();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
