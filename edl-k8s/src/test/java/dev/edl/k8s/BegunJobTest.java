package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Job whose driver was gone before all objects were created. conformance/kubernetes ends a driver at each of its
 * requests.
 */
@MockCluster
class BegunJobTest {
    private static final JobPlan PLAN = Job.named("example-job")
            .namespace("test")
            .tensorflow()
            .runId("76no")
            .master()
            .image("tf:1")
            .ps(1)
            .build()
            .plan(Profile.TFJOB_V1ALPHA1);

    private static final PodOptions BOARD =
            PodOptions.builder().tensorBoard(TensorBoard.of("/logs")).build();

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static List<String> names(List<? extends HasMetadata> objects) {
        return objects.stream().map(object -> object.getMetadata().getName()).toList();
    }

    // E.A 7: the operator found the existing ConfigMap, and created none of the objects that follow it.
    @Test
    void the_next_driver_creates_missing_supporting_objects() {
        JobRecord record = JobRecord.create(
                ClusterApi.of(client, "test"), PLAN, JobState.initial(PLAN), "one that is gone", Optional.empty());
        ConfigMap program = Manifests.of(
                        PLAN, BOARD.toBuilder().owner(record.object()).build(), Workload.PODS)
                .objects(ConfigMap.class)
                .get(0);
        client.resource(program).create();

        try (KubernetesExecutor executor = KubernetesExecutor.using(client, BOARD);
                KubernetesRun run = executor.attach("test", "example-job")) {
            Polled.until(client.pods().inNamespace("test").withName("example-job-ps-76no-0"), there -> true);

            assertThat(names(client.services().inNamespace("test").list().getItems()))
                    .containsExactlyInAnyOrder(
                            "example-job-master-76no-0", "example-job-ps-76no-0", "example-job-tensorboard-76no");
            assertThat(names(client.apps()
                            .deployments()
                            .inNamespace("test")
                            .list()
                            .getItems()))
                    .containsExactly("example-job-tensorboard-76no");
            assertThat(names(client.configMaps().inNamespace("test").list().getItems()))
                    .containsExactlyInAnyOrder("cm-ps-76no", "edl-job-example-job");
            assertThat(run.status().phase().ended()).isFalse();
        }
    }

    @Test
    void a_hand_over_creates_missing_supporting_objects_first() {
        JobRecord.create(
                ClusterApi.of(client, "test"), PLAN, JobState.initial(PLAN), "one that is gone", Optional.empty());

        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.handOver("test", "example-job", DriverPod.of("driver:1"));
        }
        client.services().inNamespace("test").withName("example-job-ps-76no-0").delete();
        try (KubernetesExecutor pod = KubernetesExecutor.builder()
                        .client(client)
                        .mark(KubernetesDriver.MARK)
                        .build();
                KubernetesRun run = pod.attach("test", "example-job")) {
            Polled.until(client.pods().inNamespace("test").withName("example-job-ps-76no-0"), there -> true);

            assertThat(names(client.services().inNamespace("test").list().getItems()))
                    .containsExactly("example-job-master-76no-0");
            assertThat(run.status().phase().ended()).isFalse();
        }
    }

    private void begin(boolean services) {
        JobRecord record = JobRecord.create(
                ClusterApi.of(client, "test"), PLAN, JobState.initial(PLAN), "one that is gone", Optional.empty());
        PodOptions owned = PodOptions.builder().owner(record.object()).build();
        if (services) {
            Manifests.of(PLAN, owned, Workload.PODS)
                    .objects(Service.class)
                    .forEach(service -> client.resource(service).create());
        }
    }

    @Test
    void a_quota_used_up_by_existing_objects_does_not_stop_an_attach() {
        begin(true);
        Refused.create(
                        server,
                        "services",
                        403,
                        "Forbidden",
                        "exceeded quota: few, used: services=2, limited: services=2")
                .always();

        try (KubernetesExecutor executor = KubernetesExecutor.using(client);
                KubernetesRun run = executor.attach("test", "example-job")) {
            Polled.until(client.pods().inNamespace("test").withName("example-job-ps-76no-0"), there -> true);
            assertThat(run.status().phase().ended()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "403, Forbidden, exceeded quota: few",
        "409, Conflict, the object has been modified; please apply your changes to the latest version"
    })
    void an_object_that_a_quota_refuses_does_not_count_as_created(int code, String reason, String message) {
        begin(false);
        Refused.create(server, "services", code, reason, message).always();

        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            assertThatThrownBy(() -> executor.attach("test", "example-job"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining(message);
            assertThat(executor.jobs()).isEmpty();
        }
        assertThat(client.pods().inNamespace("test").list().getItems()).isEmpty();
    }
}
