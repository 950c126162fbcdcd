package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.exec.JobLostException;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.RenderException;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With fabric8's mock, which runs no pod and collects no garbage; conformance/kubernetes uses a real cluster. */
@MockCluster
class KubernetesExecutorTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @AfterEach
    void no_thread_is_left() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.equals("edl-mnist"));
    }

    private static JobBuilder job() {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .master()
                .ps(1)
                .workers(2);
    }

    private List<String> pods() {
        return client.pods().inNamespace("test").list().getItems().stream()
                .map(pod -> pod.getMetadata().getName().replace("elasticdl-mnist-", ""))
                .sorted()
                .toList();
    }

    private void phase(String pod, String phase) {
        client.pods()
                .inNamespace("test")
                .withName("elasticdl-mnist-" + pod)
                .editStatus(p ->
                        p.edit().withNewStatus().withPhase(phase).endStatus().build());
    }

    private static void awaitEvent(KubernetesRun run, JobEvent.Type type, String replica) throws InterruptedException {
        CountDownLatch seen = new CountDownLatch(1);
        try (var listening = run.onEvent(event -> {
            if (event.type() == type && event.message().contains(replica)) {
                seen.countDown();
            }
        })) {
            assertThat(listening).isNotNull();
            if (run.events().stream()
                    .noneMatch(e -> e.type() == type && e.message().contains(replica))) {
                assertThat(seen.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .as(() -> type + " of " + replica + " in " + run.events())
                        .isTrue();
            }
        }
    }

    @Test
    void a_job_whose_pods_share_a_token_gets_a_secret_that_its_record_owns() {
        JobBuilder job = Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .elasticdl()
                .env("EDL_TOKEN_FILE", "/run/edl/token")
                .master()
                .ps(1)
                .workers(2);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job.build())) {
            assertThat(run.plan().name()).isEqualTo("mnist");
            assertThat(client.secrets().inNamespace("test").list().getItems())
                    .singleElement()
                    .satisfies(secret -> {
                        assertThat(secret.getMetadata().getName()).startsWith("edl-token-mnist-");
                        assertThat(secret.getData()).containsOnlyKeys("token");
                        assertThat(secret.getMetadata().getOwnerReferences())
                                .singleElement()
                                .satisfies(owner -> assertThat(owner.getName()).isEqualTo("edl-job-mnist"));
                    });
        }
    }

    @Test
    void a_job_is_pods_and_services_that_its_record_owns() throws InterruptedException {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job().build())) {
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-1");
        }

        String uid = client.configMaps()
                .inNamespace("test")
                .withName("edl-job-mnist")
                .get()
                .getMetadata()
                .getUid();
        assertThat(pods()).containsExactly("master", "ps-0", "worker-0", "worker-1");
        assertThat(client.pods().inNamespace("test").list().getItems())
                .allSatisfy(pod -> assertThat(pod.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid)))
                .allSatisfy(pod -> assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never"));
        assertThat(client.services().inNamespace("test").list().getItems())
                .isNotEmpty()
                .allSatisfy(service -> assertThat(service.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid)));
    }

    @Test
    void a_deleted_worker_is_replaced_under_the_next_id() throws InterruptedException {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job().build())) {
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-1");
            phase("worker-0", "Running");
            awaitEvent(run, JobEvent.Type.REPLICA_RUNNING, "worker-0");
            client.pods()
                    .inNamespace("test")
                    .withName("elasticdl-mnist-worker-0")
                    .delete();
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-2");
            phase("master", "Succeeded");

            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(client.configMaps()
                            .inNamespace("test")
                            .withName("edl-job-mnist")
                            .get()
                            .getData())
                    .containsEntry("phase", "SUCCEEDED");
        }
    }

    @Test
    void an_attached_program_replaces_the_first_driver() throws InterruptedException {
        try (KubernetesExecutor first = KubernetesExecutor.using(client);
                KubernetesExecutor second = KubernetesExecutor.using(client)) {
            KubernetesRun old = first.submit(job().elastic(1, 4).build());
            awaitEvent(old, JobEvent.Type.REPLICA_CREATED, "worker-1");

            KubernetesRun taken = second.attach("test", "mnist");
            taken.scale("worker", 3);
            awaitEvent(taken, JobEvent.Type.REPLICA_CREATED, "worker-2");

            assertThatThrownBy(() -> old.await(LIMIT))
                    .isInstanceOf(JobLostException.class)
                    .hasMessageStartingWith(
                            "job \"mnist\" is no longer driven by this handle: another program drives it now, ");
            assertThat(pods()).containsExactly("master", "ps-0", "worker-0", "worker-1", "worker-2");
        }
    }

    @Test
    void a_job_keeps_its_driver_if_the_options_do_not_fit() throws InterruptedException {
        PodOptions wrong = PodOptions.builder()
                .role("chief", chief -> chief.toleration("gpu", "NoSchedule"))
                .build();
        try (KubernetesExecutor first = KubernetesExecutor.using(client);
                KubernetesExecutor second = KubernetesExecutor.using(client, wrong)) {
            KubernetesRun run = first.submit(job().elastic(1, 4).build());

            assertThatThrownBy(() -> second.attach("test", "mnist")).isInstanceOf(RenderException.class);

            run.scale("worker", 3);
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-2");
        }
    }

    @Test
    void a_job_that_is_deleted_may_be_submitted_again() throws InterruptedException {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            KubernetesRun first = executor.submit(job().build());
            awaitEvent(first, JobEvent.Type.REPLICA_CREATED, "worker-1");
            executor.delete("test", "mnist");
            // The mock does not collect the record's dependents.
            client.pods().inNamespace("test").delete();
            client.services().inNamespace("test").delete();

            KubernetesRun second = executor.submit(job().build());

            awaitEvent(second, JobEvent.Type.REPLICA_CREATED, "worker-1");
            assertThat(executor.jobs()).containsExactly(second);
        }
    }

    @Test
    void a_listener_may_call_the_executor_that_deletes_its_job() throws Exception {
        FutureTask<Integer> asked;
        CountDownLatch told = new CountDownLatch(1);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            AtomicReference<Thread> deleting = new AtomicReference<>();
            asked = new FutureTask<>(() -> {
                told.countDown();
                Polled.until(
                        "the executor waits for this very thread to end",
                        () -> Optional.ofNullable(deleting.get()).stream()
                                .flatMap(thread -> Stream.of(thread.getStackTrace()))
                                .anyMatch(frame -> frame.getMethodName().equals("join")));
                return executor.jobs().size();
            });
            executor.submit(job().build(), event -> asked.run());
            assertThat(told.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            FutureTask<Boolean> deleted = new FutureTask<>(() -> executor.delete("test", "mnist"), true);
            Thread thread = new Thread(deleted, "deleting");
            deleting.set(thread);
            thread.start();

            assertThat(asked.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isZero();
            assertThat(deleted.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(client.configMaps().inNamespace("test").list().getItems())
                    .isEmpty();
        }
    }

    @Test
    void a_job_of_the_same_name_is_refused() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job().build());

            assertThatThrownBy(() -> executor.submit(job().build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" is in namespace \"test\" already; attach(\"test\", \"mnist\") takes it"
                            + " over, delete(\"test\", \"mnist\") removes it");
            assertThatThrownBy(() -> executor.attach("test", "minst"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "job \"minst\" is not in namespace \"test\"; a job that was submitted there has a ConfigMap"
                                    + " edl-job-minst");
        }
    }

    @Test
    void a_finished_replica_does_not_run_again_without_its_pod() throws InterruptedException {
        try (KubernetesExecutor first = KubernetesExecutor.using(client)) {
            KubernetesRun run = first.submit(job().build());
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-1");
            phase("worker-0", "Succeeded");
            awaitEvent(run, JobEvent.Type.REPLICA_SUCCEEDED, "worker-0");
        }
        client.pods().inNamespace("test").withName("elasticdl-mnist-worker-0").delete();

        try (KubernetesExecutor second = KubernetesExecutor.using(client);
                KubernetesRun run = second.attach("test", "mnist")) {
            phase("worker-1", "Running");
            awaitEvent(run, JobEvent.Type.REPLICA_RUNNING, "worker-1");

            assertThat(pods()).containsExactly("master", "ps-0", "worker-1");
        }
    }

    @Test
    void a_pod_of_the_name_that_another_program_owns_is_kept_and_reported() throws InterruptedException {
        Pod foreign = client.pods()
                .inNamespace("test")
                .resource(new io.fabric8.kubernetes.api.model.PodBuilder()
                        .withNewMetadata()
                        .withName("elasticdl-mnist-worker-1")
                        .endMetadata()
                        .build())
                .create();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.submit(job().build())) {
            awaitEvent(run, JobEvent.Type.SUBSTRATE_FAILED, "does not belong to the job; delete it");
            run.cancel();
            run.await(LIMIT);
        }
        assertThat(client.resource(foreign).get().getMetadata().getUid())
                .isEqualTo(foreign.getMetadata().getUid());
    }

    @Test
    void a_listener_of_submit_and_attach_gets_the_first_event() throws InterruptedException {
        List<JobEvent> heard = new CopyOnWriteArrayList<>();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            KubernetesRun run = executor.submit(job().build(), heard::add);
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-1");
            run.close();

            assertThat(heard).isEqualTo(run.events()).hasSizeGreaterThanOrEqualTo(4);

            heard.clear();
            KubernetesRun again = executor.attach("test", "mnist", heard::add);
            phase("master", "Succeeded");
            again.await(LIMIT);
            again.close();
            assertThat(heard).isEqualTo(again.events()).isNotEmpty();
        }
    }

    @Test
    void a_suspended_job_keeps_its_services_and_is_resumed_by_another_program() throws InterruptedException {
        try (KubernetesExecutor first = KubernetesExecutor.using(client)) {
            KubernetesRun run = first.submit(job().build());
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-1");
            run.suspend();
            awaitEvent(run, JobEvent.Type.JOB_SUSPENDED, "mnist");
            // A pod that was not observed before is deleted only 1 s after its creation request.
            for (String pod : List.of("master", "ps-0", "worker-0", "worker-1")) {
                Polled.gone(client.pods().inNamespace("test").withName("elasticdl-mnist-" + pod));
            }
            assertThat(run.status().phase()).isEqualTo(JobPhase.SUSPENDED);
        }
        assertThat(pods()).isEmpty();
        assertThat(client.services().inNamespace("test").list().getItems()).isNotEmpty();

        try (KubernetesExecutor second = KubernetesExecutor.using(client);
                KubernetesRun run = second.attach("test", "mnist")) {
            assertThat(run.status().phase()).isEqualTo(JobPhase.SUSPENDED);
            run.resume();
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "worker-3");
            assertThat(pods()).containsExactly("master", "ps-0", "worker-2", "worker-3");
        }
    }
}
