package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.plan.Profile;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On fabric8's mock, where the test acts as Kubeflow's operator; conformance/kubernetes uses the real one. */
@MockCluster
// The extension sets the fields.
@SuppressWarnings("NullAway.Init")
class CustomResourceExecutorTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final CustomResourceKind TFJOB = CustomResourceKind.kubeflowTfJob();

    private KubernetesClient client;
    private KubernetesMockServer server;
    private PlayedOperator operator;

    @BeforeEach
    void resources() {
        PlayedOperator.expect(server, TFJOB.context());
        PlayedOperator.expect(server, CustomResourceKind.kubeflowMxJob().context());
        operator = new PlayedOperator(client, TFJOB, job().build().plan(Profile.KUBEFLOW_V1));
    }

    @AfterEach
    void no_thread_is_left() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.equals("edl-mnist"));
    }

    private static JobBuilder job() {
        return Job.named("mnist")
                .namespace("test")
                .tensorflow()
                .image("mnist:1")
                .ps(1)
                .workers(2)
                .elastic(1, 4);
    }

    static void awaitEvent(CustomResourceRun run, JobEvent.Type type, String message) throws InterruptedException {
        CountDownLatch seen = new CountDownLatch(1);
        try (var listening = run.onEvent(event -> {
            if (event.type() == type && event.message().equals(message)) {
                seen.countDown();
            }
        })) {
            assertThat(listening).isNotNull();
            if (run.events().stream()
                    .noneMatch(e -> e.type() == type && e.message().equals(message))) {
                assertThat(seen.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .as(() -> type + " " + message + " in " + run.events())
                        .isTrue();
            }
        }
    }

    @Test
    void a_job_is_the_operators_resource_with_the_job_noted_in_it() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            CustomResourceRun run = executor.submit(job().build());

            CustomObject written = KubeflowTfJobs.write(job().build()).resource();
            assertThat(run.resource().fields())
                    .containsEntry("spec", written.fields().get("spec"));
            assertThat(operator.object().get().getMetadata().getAnnotations())
                    .containsEntry("edl.dev/job", job().build().toYaml());
            assertThat(run.plan()).isEqualTo(job().build().plan(Profile.KUBEFLOW_V1));
        }
    }

    @Test
    void the_note_is_not_read_as_an_annotation_of_the_job() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            CustomResourceRun run = executor.submit(job().build());

            assertThat(KubeflowTfJobs.read(run.resource()).job().spec().annotations())
                    .isEmpty();
        }
    }

    @Test
    void losses_of_the_resource_are_reported() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            assertThat(run.losses())
                    .extracting(Object::toString)
                    .containsExactly(
                            "worker.elastic = 1..4: workers may come and go (enableDynamicWorker), without bounds");
            awaitEvent(
                    run,
                    JobEvent.Type.JOB_MESSAGE,
                    "not expressed by the TFJob: worker.elastic = 1..4: workers may come and go (enableDynamicWorker),"
                            + " without bounds");
        }
    }

    @Test
    void the_operators_status_and_pods_are_the_jobs() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            assertThat(run.status().phase()).isEqualTo(JobPhase.PENDING);
            operator.pod("worker", 0);
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "created mnist-worker-0");
            operator.phase("worker", 0, "Running");
            awaitEvent(run, JobEvent.Type.REPLICA_RUNNING, "mnist-worker-0 is running");
            operator.condition("Running", "TFJob mnist is running.");
            awaitEvent(run, JobEvent.Type.JOB_RUNNING, "TFJob mnist is running.");
            assertThat(run.status().replicas())
                    .singleElement()
                    .satisfies(row -> assertThat(row.name() + " " + row.ready() + " " + row.status())
                            .isEqualTo("mnist-worker-0 1/1 Running"));
            operator.phase("worker", 0, "Succeeded");
            awaitEvent(run, JobEvent.Type.REPLICA_SUCCEEDED, "mnist-worker-0 succeeded");
            operator.condition("Succeeded", "TFJob mnist successfully completed.");

            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(end.message()).isEqualTo("TFJob mnist successfully completed.");
        }
    }

    @Test
    void a_job_that_fails_says_which_replica_did() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            operator.pod("worker", 1);
            operator.failed("worker", 1, 3);
            awaitEvent(run, JobEvent.Type.REPLICA_FAILED, "mnist-worker-1 failed: exit code 3 (Error)");
            operator.condition("Failed", "TFJob mnist has failed because 1 Worker replica(s) failed.");

            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message())
                    .isEqualTo("TFJob mnist has failed because 1 Worker replica(s) failed.; mnist-worker-1: exit code 3"
                            + " (Error)");
        }
    }

    @Test
    void scaling_changes_the_number_in_the_resource() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            run.scale("worker", 4);

            awaitEvent(run, JobEvent.Type.SCALED, "scaled worker from 2 to 4");
            assertThat(PlayedOperator.at(operator.object().get(), "spec", "tfReplicaSpecs", "Worker", "replicas"))
                    .isEqualTo("4");
            assertThat(run.status().roles().get(1).desired()).isEqualTo(4);
            assertThatThrownBy(() -> run.scale("worker", 5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\": worker can be scaled between 1 and 4, was 5");
        }
    }

    @Test
    void a_resource_whose_operator_does_not_scale_refuses_it() {
        Job mx = Job.named("mnist")
                .namespace("test")
                .mxnet()
                .image("mnist:1")
                .scheduler()
                .servers(1)
                .workers(2)
                .elastic(1, 4)
                .build();
        try (CustomResourceExecutor executor =
                        CustomResourceExecutor.using(client, CustomResourceKind.kubeflowMxJob());
                CustomResourceRun run = executor.submit(mx)) {
            assertThatThrownBy(() -> run.scale("worker", 3))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("job \"mnist\" cannot be scaled as a MXJob kubeflow.org/v1: an MXJob has a fixed number"
                            + " of replicas, set in their environment; submit it again with 3 worker replicas, or"
                            + " to a KubernetesExecutor");
        }
    }

    @Test
    void a_job_is_suspended_until_it_is_resumed() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            operator.condition("Running", "TFJob mnist is running.");
            awaitEvent(run, JobEvent.Type.JOB_RUNNING, "TFJob mnist is running.");
            run.suspend();
            assertThat(PlayedOperator.at(operator.object().get(), "spec", "runPolicy", "suspend"))
                    .isEqualTo("true");
            operator.condition("Suspended", "TFJob mnist is suspended.");
            awaitEvent(run, JobEvent.Type.JOB_SUSPENDED, "TFJob mnist is suspended.");
            assertThat(run.status().phase()).isEqualTo(JobPhase.SUSPENDED);
            run.resume();
            assertThat(PlayedOperator.at(operator.object().get(), "spec", "runPolicy", "suspend"))
                    .isEqualTo("false");
            operator.condition("Created", "TFJob mnist is created.");
            awaitEvent(run, JobEvent.Type.JOB_RESUMED, "TFJob mnist is created.");
        }
    }

    @Test
    void a_cancelled_job_ends_once_its_resource_is_deleted() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            run.cancel();

            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.CANCELLED);
            assertThat(end.message()).isEqualTo("cancelled on request");
            assertThat(operator.object().get()).isNull();
            assertThatThrownBy(() -> run.scale("worker", 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("job \"mnist\" cannot be scaled, as it has ended: CANCELLED, cancelled on request");
        }
    }

    @Test
    void a_refused_deletion_is_told_from_a_later_deletion_by_another_client() throws InterruptedException {
        try (KubernetesClient mayNot = before("DELETE", "/mnist", request -> {
                    throw new IllegalStateException("not allowed");
                });
                CustomResourceExecutor executor = CustomResourceExecutor.using(mayNot, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            assertThatThrownBy(run::cancel).isInstanceOf(RuntimeException.class);
            operator.object().delete();

            assertThat(run.await(LIMIT).message()).isEqualTo("TFJob test/mnist was deleted");
        }
    }

    @Test
    void a_job_deleted_by_another_client_is_cancelled() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            operator.object().delete();

            assertThat(run.await(LIMIT).message()).isEqualTo("TFJob test/mnist was deleted");
        }
    }

    @Test
    void a_replica_is_deleted_by_its_word() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            operator.pod("worker", 0);
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "created mnist-worker-0");
            run.delete("worker-0");

            awaitEvent(run, JobEvent.Type.REPLICA_DELETED, "mnist-worker-0 was deleted");
        }
    }

    @Test
    void another_program_follows_the_job_by_the_plan_that_was_submitted() throws InterruptedException {
        try (CustomResourceExecutor first = CustomResourceExecutor.using(client, TFJOB)) {
            first.submit(job().build());
        }
        try (CustomResourceExecutor second = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = second.attach("test", "mnist")) {
            assertThat(run.plan()).isEqualTo(job().build().plan(Profile.KUBEFLOW_V1));
            run.scale("worker", 3);
            awaitEvent(run, JobEvent.Type.SCALED, "scaled worker from 2 to 3");
        }
    }

    @Test
    void a_resource_created_by_hand_is_attached_as_its_job() {
        operator.object();
        client.resource(KubeflowTfJobs.write(
                                job().build().toBuilder().workers(2).build())
                        .resource()
                        .toKubernetes())
                .create();
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            assertThat(executor.attach("test", "mnist").plan().role("worker").replicas())
                    .isEqualTo(2);
        }
    }

    @Test
    void a_missing_job_cannot_be_attached() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            assertThatThrownBy(() -> executor.attach("test", "minst"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"minst\" does not exist in namespace \"test\": there is no TFJob test/minst");
        }
    }

    @Test
    void a_job_of_the_same_name_is_refused() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            executor.submit(job().build());

            assertThatThrownBy(() -> executor.submit(job().build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" already exists in namespace \"test\": there is TFJob test/mnist;"
                            + " attach(\"test\", \"mnist\") attaches, delete(\"test\", \"mnist\") deletes it");
        }
    }

    private KubernetesClient before(String method, String path, Consumer<HttpRequest> then) {
        return new KubernetesClientBuilder()
                .withConfig(client.getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("test", new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        if (request.method().equals(method)
                                && request.uri().getPath().endsWith(path)) {
                            then.accept(request);
                        }
                    }
                }))
                .build();
    }

    @Test
    void a_repeated_create_after_a_lost_response_attaches() {
        // As if the response had been lost.
        try (KubernetesClient twice = before(
                        "POST",
                        "/tfjobs",
                        request -> client.genericKubernetesResources(TFJOB.context())
                                .inNamespace("test")
                                .resource(
                                        Serialization.unmarshal(request.bodyString(), GenericKubernetesResource.class))
                                .create());
                CustomResourceExecutor executor = CustomResourceExecutor.using(twice, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            assertThat(run.resource().name()).isEqualTo("mnist");
        }
    }

    @Test
    void a_job_that_cannot_be_followed_is_not_left_behind() {
        try (KubernetesClient blind = before("GET", "/pods", request -> {
                    throw new IllegalStateException("no pods for you");
                });
                CustomResourceExecutor executor = CustomResourceExecutor.using(blind, TFJOB)) {
            assertThatThrownBy(() -> executor.submit(job().build())).isInstanceOf(RuntimeException.class);

            assertThat(executor.jobs()).isEmpty();
            Polled.gone(operator.object());
        }
    }

    @Test
    @Timeout(60)
    void a_listener_may_call_the_executor_during_a_second_attach() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            CustomResourceRun first = executor.submit(job().build());
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch attaching = new CountDownLatch(1);
            CountDownLatch answered = new CountDownLatch(1);
            AtomicBoolean inTime = new AtomicBoolean();
            first.onEvent(event -> {
                begun.countDown();
                await(attaching);
                executor.jobs();
                answered.countDown();
            });
            operator.pod("ps", 0);
            await(begun);
            AtomicReference<@Nullable CustomResourceRun> again = new AtomicReference<>();
            Thread other = new Thread(
                    () -> {
                        again.set(executor.attach("test", "mnist"));
                        inTime.set(answered.getCount() == 0);
                    },
                    "test-attaches");
            other.start();
            Polled.until("it closes the first", () -> closing(other));
            attaching.countDown();

            other.join(LIMIT.toMillis());
            assertThat(other.isAlive()).isFalse();
            assertThat(again.get()).isNotNull();
            assertThat(inTime).isTrue();
        }
    }

    /** Whether a thread waits for the end of another one. */
    private static boolean closing(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("join"));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_plan_that_the_operator_would_not_make_is_refused() {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            assertThatThrownBy(() -> executor.submit(job().build().plan()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "job \"mnist\": the operator of a TFJob kubeflow.org/v1 sets names and addresses itself,"
                                    + " those of job.plan(Profile.KUBEFLOW_V1); this plan differs and has the"
                                    + " profile ELASTICDL");
        }
    }

    @Test
    void a_missing_status_is_reported() throws InterruptedException {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB);
                CustomResourceRun run = executor.submit(job().build())) {
            GenericKubernetesResource there = operator.object().get();
            assertThat(there).isNotNull();
            operator.pod("ps", 0);
            awaitEvent(run, JobEvent.Type.REPLICA_CREATED, "created mnist-ps-0");

            assertThat(run.status().message()).isEqualTo("no operator has reconciled TFJob test/mnist yet");
        }
    }

    private static void awaitRunning(CustomResourceRun run, String replica) throws InterruptedException {
        awaitEvent(run, JobEvent.Type.REPLICA_RUNNING, replica + " is running");
    }

    @Test
    void a_replica_is_connected_to_by_the_port_forward_of_its_pod() throws Exception {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/mnist-worker-0/portforward?ports=2222")
                .andReturn(403, "")
                .always();
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            CustomResourceRun run = executor.submit(job().build());
            operator.pod("worker", 0);
            operator.running("worker", 0);
            awaitRunning(run, "mnist-worker-0");

            assertThatThrownBy(() -> run.connect("worker-0", 2222))
                    .isInstanceOf(IOException.class)
                    .hasMessage("cannot connect to mnist-worker-0:2222: the API server answers 403");
            assertThatThrownBy(() -> run.connect("worker-1", 2222))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" has no replica \"worker-1\"; the nearest is \"worker-0\"");
        }
    }

    @Test
    void a_replica_that_has_ended_is_not_connected_to() throws Exception {
        try (CustomResourceExecutor executor = CustomResourceExecutor.using(client, TFJOB)) {
            CustomResourceRun run = executor.submit(job().build());
            operator.pod("worker", 0);
            operator.failed("worker", 0, 3);
            awaitEvent(run, JobEvent.Type.REPLICA_FAILED, "mnist-worker-0 failed: exit code 3 (Error)");

            assertThatThrownBy(() -> run.connect("mnist-worker-0", 2222))
                    .isInstanceOf(IOException.class)
                    .hasMessage("cannot connect to mnist-worker-0:2222: container main has ended with exit code 3");
        }
    }
}
