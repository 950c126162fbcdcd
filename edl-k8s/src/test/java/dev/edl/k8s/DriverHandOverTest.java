package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@MockCluster
class DriverHandOverTest {
    private static final DriverPod DRIVER = DriverPod.of("acme/edl:1");

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

    private static String digest() {
        return "--job-digest=" + KubernetesExecutor.digestOf(job().plan());
    }

    /** Changes the image of the record's job, between two writes of its driver. */
    private void edit() {
        for (boolean edited = false; !edited; ) {
            try {
                client.configMaps()
                        .inNamespace("test")
                        .withName("edl-job-mnist")
                        .edit(map -> {
                            map.getData()
                                    .computeIfPresent("job.yaml", (key, text) -> text.replace("mnist:1", "evil:1"));
                            return map;
                        });
                edited = true;
            } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(409);
            }
        }
    }

    @Test
    void a_driver_pod_does_not_run_a_forged_record() {
        String digest = KubernetesExecutor.digestOf(job().plan());
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job());
            executor.handOver("test", "mnist", DRIVER);
        }
        edit();

        try (KubernetesExecutor pod = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> pod.attach("test", "mnist", Optional.of(digest), event -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("ConfigMap edl-job-mnist of namespace test stores another job than the one"
                            + " handed over: its digest is sha256:[0-9a-f]{64}, and must be " + digest
                            + "; the job in it is not run. kubectl delete configmap edl-job-mnist removes it with its"
                            + " pods");
            assertThat(pod.jobs()).isEmpty();
        }
    }

    @Test
    void a_forged_record_is_not_handed_over() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job());
            edit();

            assertThatThrownBy(() -> executor.handOver("test", "mnist", DRIVER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stores another job than \"mnist\" was created with: its digest is sha256:");
        }
        assertThat(driver()).isNull();
    }

    private io.fabric8.kubernetes.api.model.batch.v1.Job driver() {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace("test")
                .withName("edl-driver-mnist")
                .get();
    }

    @Test
    void a_driver_inherits_force_delete_from_its_executor() {
        try (KubernetesExecutor executor =
                KubernetesExecutor.builder().client(client).forceDelete(false).build()) {
            executor.submit(job());
            executor.handOver("test", "mnist", DRIVER.nodeNotices());
        }

        var pod = driver().getSpec().getTemplate();
        assertThat(pod.getSpec().getContainers().get(0).getCommand())
                .endsWith("test", "mnist", digest(), "--node-notices", "--no-force-delete");
    }

    @Test
    void a_driver_refuses_an_unknown_argument() {
        assertThatThrownBy(() -> KubernetesDriver.run(PodOptions.none(), "test", "mnist", "--force"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the driver takes a namespace and a job, then optionally --node-notices and --no-force-delete"
                                + ", for example: default mnist; was: test mnist --force");
    }

    @Test
    void a_driver_is_a_restricted_pod_with_minimal_permissions() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job());
            executor.handOver("test", "mnist", DRIVER);

            assertThat(executor.jobs()).isEmpty();
        }

        var pod = driver().getSpec().getTemplate();
        assertThat(pod.getMetadata().getLabels()).containsEntry("sidecar.istio.io/inject", "false");
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("linkerd.io/inject", "disabled");
        assertThat(pod.getSpec().getContainers().get(0).getCommand())
                .containsExactly(
                        "java",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        "/app/*",
                        "dev.edl.k8s.KubernetesDriver",
                        "test",
                        "mnist",
                        digest());
        assertThat(pod.getSpec().getServiceAccountName()).isEqualTo("edl-driver-mnist");
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("OnFailure");
        assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isEqualTo(1000);
        assertThat(PodSecurity.violations(pod)).isEmpty();
        assertThat(client.rbac()
                        .roles()
                        .inNamespace("test")
                        .withName("edl-driver-mnist")
                        .get()
                        .getRules())
                .extracting((PolicyRule rule) -> Serialization.asJson(rule))
                .containsExactly(
                        "{\"apiGroups\":[\"\"],\"resourceNames\":[\"edl-job-mnist\"],\"resources\":[\"configmaps\"],"
                                + "\"verbs\":[\"get\",\"update\"]}",
                        "{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],"
                                + "\"verbs\":[\"get\",\"list\",\"watch\",\"create\",\"delete\"]}",
                        "{\"apiGroups\":[\"\"],\"resources\":[\"events\"],\"verbs\":[\"create\",\"patch\"]}");
        assertThat(driver().getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getName()).isEqualTo("edl-job-mnist"));
    }

    @Test
    void a_job_needs_the_module_that_scales_its_workers() {
        JobPlan plan = Job.named("mnist")
                .namespace("test")
                .horovod()
                .image("horovod:1")
                .launcher()
                .workers(2)
                .elastic(1, 4)
                .build()
                .plan(Profile.ET_V1ALPHA1);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.submit(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("job \"mnist\" of profile ET_V1ALPHA1 has a launcher whose workers are scaled by module"
                            + " edl-operators, which is not on the class path; add the dependency"
                            + " dev.edl:edl-operators");
        }

        assertThat(client.configMaps().inNamespace("test").list().getItems()).isEmpty();
    }

    @Test
    void direct_scaling_refuses_a_limit() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            KubernetesRun run = executor.submit(job());

            assertThatThrownBy(() -> run.scale("worker", 2, Duration.ofMinutes(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\": worker scales directly and takes no limit, was PT1M; leave it out, for"
                            + " example"
                            + " scale(\"worker\", 2)");
        }
    }

    @Test
    void only_a_job_with_a_time_to_live_is_removed_by_its_driver() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(Job.named("mnist")
                    .namespace("test")
                    .image("mnist:1")
                    .tensorflow()
                    .ttl(Duration.ofHours(1))
                    .workers(1)
                    .build());
            executor.handOver("test", "mnist", DRIVER);
        }

        assertThat(client.rbac()
                        .roles()
                        .inNamespace("test")
                        .withName("edl-driver-mnist")
                        .get()
                        .getRules()
                        .get(0)
                        .getVerbs())
                .containsExactly("get", "update", "delete");
    }

    @Test
    void a_job_is_handed_over_again() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job());
            executor.handOver("test", "mnist", DRIVER);
            executor.attach("test", "mnist");
            executor.handOver(
                    "test", "mnist", DRIVER.mainClass("com.example.Driver").java("/opt/java"));
        }

        assertThat(driver().getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getCommand())
                .startsWith("/opt/java", "-XX:+ExitOnOutOfMemoryError", "-cp", "/app/*", "com.example.Driver");
    }

    @Test
    void the_job_of_an_earlier_driver_is_deleted_by_its_uid() throws InterruptedException {
        String uid;
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job());
            executor.handOver("test", "mnist", DRIVER);
            uid = driver().getMetadata().getUid();
            executor.attach("test", "mnist");
            executor.handOver("test", "mnist", DRIVER);
        }

        List<String> deletions = new ArrayList<>();
        for (int left = server.getRequestCount(); left > 0; left--) {
            var request = server.takeRequest();
            if (request.getMethod().equals("DELETE")
                    && String.valueOf(request.getPath()).contains("/jobs/edl-driver-mnist")) {
                deletions.add(request.getUtf8Body());
            }
        }
        assertThat(deletions)
                .singleElement()
                .satisfies(body -> assertThat(body).contains("\"preconditions\":{\"uid\":\"" + uid + "\"}"));
    }

    @Test
    void a_driver_gets_the_node_notices_flag() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(job());
            executor.handOver("test", "mnist", DRIVER.nodeNotices().java("/opt/java"));
        }

        assertThat(driver().getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getCommand())
                .containsExactly(
                        "/opt/java",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        "/app/*",
                        "dev.edl.k8s.KubernetesDriver",
                        "test",
                        "mnist",
                        digest(),
                        "--node-notices");
    }

    @Test
    void a_driver_without_the_executors_node_notices_is_refused() {
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                .client(client)
                .nodeNotices(NodeNotices.standard())
                .build()) {
            executor.submit(job());

            assertThatThrownBy(() -> executor.handOver("test", "mnist", DRIVER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" cannot be handed over to a driver dev.edl.k8s.KubernetesDriver of"
                            + " acme/edl:1, which does not move workers off nodes that are about to go, as this"
                            + " executor"
                            + " does; call DriverPod.nodeNotices()");
            executor.handOver("test", "mnist", DRIVER.mainClass("com.example.Driver"));
            assertThat(executor.jobs()).isEmpty();
        }
    }

    @Test
    void options_that_the_driver_does_not_have_are_refused() {
        PodOptions options = PodOptions.builder().runAsUser(1000).build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            executor.submit(job());

            assertThatThrownBy(() -> executor.handOver("test", "mnist", DRIVER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" cannot be handed over to a driver dev.edl.k8s.KubernetesDriver of"
                            + " acme/edl:1, which does not know the options of its pods (PodOptions runAsUser 1000); give"
                            + " it a mainClass that calls KubernetesDriver.run(options, args)");
            assertThat(executor.jobs()).hasSize(1);
        }
    }

    @Test
    void a_missing_job_is_refused() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.handOver("test", "mnist", DRIVER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("job \"mnist\" is not in namespace \"test\"; ");
        }
    }

    @Test
    void an_invalid_image_is_refused() {
        assertThatThrownBy(() -> DriverPod.of(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an image must not be empty and have no spaces, was \"\"; for example"
                        + " registry.example/acme/edl:1");
        assertThat(DRIVER).hasToString("driver dev.edl.k8s.KubernetesDriver of acme/edl:1");
    }
}
