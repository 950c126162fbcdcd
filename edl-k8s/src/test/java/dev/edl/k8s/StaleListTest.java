package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.RoleStatus;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** API server with a stale cache: a list of any version shows the state before the job. */
@MockCluster
class StaleListTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .namespace("test")
            .image("mnist:1")
            .master()
            .ps(1)
            .workers(2)
            .elastic(1, 8)
            .build()
            .plan();

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private List<String> uids() {
        return client.pods().inNamespace("test").list().getItems().stream()
                .map(pod -> pod.getMetadata().getUid())
                .toList();
    }

    /** All replicas have been observed running, and their driver is gone. */
    private List<String> running(KubernetesExecutor executor, Function<KubernetesExecutor, KubernetesRun> start) {
        try (KubernetesRun run = start.apply(executor)) {
            Polled.until("all pods exist", () -> uids().size() == 4);
            client.pods()
                    .inNamespace("test")
                    .list()
                    .getItems()
                    .forEach(pod -> client.pods()
                            .resource(pod)
                            .editStatus(p -> p.edit()
                                    .withNewStatus()
                                    .withPhase("Running")
                                    .endStatus()
                                    .build()));
            Polled.until(
                    "all run",
                    () -> run.status().replicas().stream()
                                    .filter(row -> row.ready().equals("1/1"))
                                    .count()
                            == 4);
        }
        return uids();
    }

    private void stale() {
        PodList before = new PodListBuilder()
                .withNewMetadata()
                .withResourceVersion("1")
                .endMetadata()
                .build();
        String selector = PLAN.selector().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods?labelSelector="
                        + URLEncoder.encode(selector, StandardCharsets.UTF_8) + "&resourceVersion=0")
                .andReturn(200, before)
                .always();
    }

    private void killsNothing(List<String> pods, KubernetesRun run) {
        // A decision that does not depend on the watch.
        run.scale("worker", 3);
        Polled.until("a third worker exists", () -> uids().size() > 4);

        assertThat(uids()).containsAll(pods);
        assertThat(run.events())
                .extracting(JobEvent::type)
                .doesNotContain(JobEvent.Type.REPLICA_DELETED, JobEvent.Type.RELAUNCHED);
        assertThat(run.status().roles()).extracting(RoleStatus::running).containsExactly(1, 1, 2);
    }

    @Test
    void attach_deletes_no_pod() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            List<String> pods = running(executor, first -> first.submit(PLAN));
            stale();
            try (KubernetesRun run = executor.attach("test", "mnist")) {
                killsNothing(pods, run);
            }
        }
    }

    @Test
    void the_next_leader_of_a_controller_deletes_no_pod() {
        ConfigMap owner = client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("owner")
                        .withNamespace("test")
                        .endMetadata()
                        .build())
                .create();
        PodOptions options = PodOptions.builder().owner(owner).build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            List<String> pods = running(executor, first -> first.ensure(PLAN));
            stale();
            try (KubernetesRun run = executor.ensure(PLAN)) {
                killsNothing(pods, run);
            }
        }
    }

    @Test
    void no_watch_asks_for_a_list_of_any_version() throws InterruptedException {
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                        .client(client)
                        .nodeNotices(NodeNotices.standard())
                        .build();
                KubernetesRun run = executor.submit(PLAN)) {
            assertThat(run.status().replicas()).allMatch(row -> row.restarts() == 0);
        }

        int lists = 0;
        for (int left = server.getRequestCount(); left > 0; left--) {
            String path = server.takeRequest().getPath();
            boolean list = path.matches(".*/(pods|nodes)\\?.*") && !path.contains("watch=true");
            if (list) {
                lists++;
                assertThat(path).contains("limit=500").doesNotContain("resourceVersion=0");
            }
        }
        assertThat(lists).isEqualTo(2);
    }
}
