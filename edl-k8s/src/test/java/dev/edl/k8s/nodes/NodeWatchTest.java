package dev.edl.k8s.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With fabric8's mock, which schedules no pod: the test assigns nodes. NodesLeave uses a real cluster. */
@MockCluster
class NodeWatchTest {
    private static final Duration TOUCH = Duration.ofSeconds(5);

    // The extension sets them.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private int touches;

    @BeforeEach
    void two_nodes() {
        for (String name : List.of("node-1", "node-2")) {
            client.resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .withNewSpec()
                            .endSpec()
                            .build())
                    .create();
        }
    }

    @AfterEach
    void no_thread_is_left() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.equals("edl-mnist"));
    }

    private static JobBuilder job() {
        return Job.named("mnist").namespace("test").image("mnist:1").master().workers(2);
    }

    private KubernetesExecutor executor() {
        return KubernetesExecutor.builder()
                .client(client)
                .nodeNotices(NodeNotices.standard())
                .build();
    }

    private Resource<Pod> pod(String name) {
        return client.pods().inNamespace("test").withName("elasticdl-mnist-" + name);
    }

    private void runs(String pod, String node) {
        Polled.until(pod(pod), there -> true);
        pod(pod).edit(there ->
                there.edit().editSpec().withNodeName(node).endSpec().build());
        pod(pod).editStatus(there ->
                there.edit().withNewStatus().withPhase("Running").endStatus().build());
    }

    private void cordon(String node, boolean cordoned) {
        client.nodes()
                .withName(node)
                .edit(there -> there.edit()
                        .editOrNewSpec()
                        .withUnschedulable(cordoned)
                        .endSpec()
                        .build());
    }

    /** Makes another change, in case the mock did not send the previous one. */
    private void touch(String node) {
        touches++;
        client.nodes()
                .withName(node)
                .edit(there -> there.edit()
                        .editMetadata()
                        .addToLabels("touched", "by-" + touches)
                        .endMetadata()
                        .build());
    }

    private static boolean said(KubernetesRun run, JobEvent.Type type, String text) {
        return run.events().stream()
                .anyMatch(event -> event.type() == type && event.message().contains(text));
    }

    @Test
    void workers_of_a_cordoned_node_are_replaced_under_the_next_ids() {
        try (KubernetesExecutor executor = executor();
                KubernetesRun run = executor.submit(job().elastic(1, 4).build())) {
            runs("master", "node-2");
            runs("worker-0", "node-1");
            runs("worker-1", "node-2");
            cordon("node-2", true);

            Polled.until(pod("worker-2"), there -> true, TOUCH, () -> touch("node-2"));

            assertThat(pod("worker-1").get()).isNull();
            assertThat(pod("worker-0").get()).isNotNull();
            assertThat(pod("master").get()).isNotNull();
            // Events of a pass are emitted after its actions.
            Polled.until(
                    "the deletion is reported",
                    () -> said(run, JobEvent.Type.REPLICA_DELETED, "worker-1 was deleted: node-2 is about to go"));
            assertThat(run.events())
                    .filteredOn(event -> event.type() == JobEvent.Type.NODE_NOTICE)
                    .extracting(JobEvent::message)
                    .containsExactlyInAnyOrder(
                            "node-2 is about to go (cordoned): elasticdl-mnist-worker-1 is deleted, and another worker"
                                    + " takes its place",
                            "node-2 is about to go (cordoned): elasticdl-mnist-master stays for now, only workers"
                                    + " leave before an eviction");
            assertThat(run.events())
                    .extracting(JobEvent::message)
                    .contains("elasticdl-mnist-worker-1 was deleted: node-2 is about to go (cordoned)");
            assertThat(run.state().replicas().get("elasticdl-mnist-worker-2"))
                    .satisfies(replica -> assertThat(
                                    Objects.requireNonNull(replica).relaunchesUsed())
                            .isZero());
        }
    }

    @Test
    void a_configured_taint_is_a_notice() {
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                        .client(client)
                        .nodeNotices(NodeNotices.taints("acme.example/maintenance"))
                        .build();
                KubernetesRun run = executor.submit(job().elastic(1, 4).build())) {
            runs("worker-0", "node-1");
            runs("worker-1", "node-2");
            cordon("node-1", true);
            client.nodes()
                    .withName("node-2")
                    .edit(there -> there.edit()
                            .editOrNewSpec()
                            .addNewTaint("NoSchedule", "acme.example/maintenance", null, "soon")
                            .endSpec()
                            .build());

            Polled.until(pod("worker-2"), there -> true, TOUCH, () -> touch("node-2"));

            assertThat(said(run, JobEvent.Type.NODE_NOTICE, "node-2 is about to go (taint acme.example/maintenance): "))
                    .isTrue();
            assertThat(pod("worker-0").get()).isNotNull();
        }
    }

    @Test
    void workers_leave_a_node_that_was_cordoned_before_a_take_over() {
        cordon("node-2", true);
        try (KubernetesExecutor first = KubernetesExecutor.using(client)) {
            first.submit(job().elastic(1, 4).build());
            runs("worker-0", "node-1");
            runs("worker-1", "node-2");
        }
        assertThat(pod("worker-1").get()).isNotNull();

        try (KubernetesExecutor second = executor();
                KubernetesRun run = second.attach("test", "mnist")) {
            // The mock may not send the change to such a new watch.
            Polled.gone(pod("worker-1"));
            Polled.until(
                    pod("worker-0"),
                    there -> said(run, JobEvent.Type.NODE_NOTICE, "elasticdl-mnist-worker-1 is deleted"));
        }
    }

    @Test
    void a_watch_is_shared_by_executors_and_outlives_them() {
        try (NodeWatch watch = NodeNotices.cordon().watch(client)) {
            for (String name : List.of("one", "two")) {
                try (KubernetesExecutor executor = KubernetesExecutor.builder()
                        .client(client)
                        .nodeWatch(watch)
                        .build()) {
                    executor.submit(Job.named(name)
                            .namespace("test")
                            .image("mnist:1")
                            .tensorflow()
                            .workers(1)
                            .build());
                }
            }
            cordon("node-2", true);
            Resource<Node> node = client.nodes().withName("node-2");
            Polled.until(node, there -> watch.toString().contains("node-2"), TOUCH, () -> touch("node-2"));

            assertThat(watch).hasToString("nodes about to go: node-2 (cordoned)");
            cordon("node-2", false);
            Polled.until(node, there -> !watch.toString().contains("node-2"), TOUCH, () -> touch("node-2"));
            assertThat(watch).hasToString("nodes about to go: none");
        }
    }

    @Test
    void a_deleted_node_ends_its_notice_and_calls_back() {
        try (NodeWatch watch = NodeNotices.cordon().watch(client)) {
            cordon("node-2", true);
            Resource<Node> node = client.nodes().withName("node-2");
            Polled.until(node, there -> watch.toString().contains("node-2"), TOUCH, () -> touch("node-2"));
            CountDownLatch told = new CountDownLatch(1);
            watch.onChange(told::countDown);
            node.delete();

            Polled.until("it is reported", () -> told.getCount() == 0);
            assertThat(watch).hasToString("nodes about to go: none");
        }
    }

    @Test
    void a_submit_without_list_of_nodes_fails_before_it_creates_objects() {
        String refusal =
                "nodes is forbidden: User \"jane\" cannot list resource \"nodes\" in API group \"\" at the cluster"
                        + " scope";
        server.expect()
                .get()
                .withPath("/api/v1/nodes?limit=500")
                .andReturn(
                        403,
                        new StatusBuilder().withCode(403).withMessage(refusal).build())
                .always();
        server.expect()
                .get()
                .withPath("/api/v1/nodes")
                .andReturn(
                        403,
                        new StatusBuilder().withCode(403).withMessage(refusal).build())
                .always();
        try (KubernetesExecutor executor = executor()) {
            assertThatThrownBy(() -> executor.submit(job().build()))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessage("nodeNotices needs to watch nodes, which fails: " + refusal
                            + "; grant it with SubmitterRole.of(plan, options).nodeNotices(), or remove nodeNotices\n"
                            + "To grant the permission, an administrator runs:\n$ kubectl create clusterrole"
                            + " edl-jane-nodes-list --verb=list,watch --resource=nodes && kubectl create clusterrolebinding"
                            + " edl-jane-nodes-list --clusterrole=edl-jane-nodes-list --user=jane")
                    .satisfies(e -> assertThat(((KubernetesClientException) e).getCode())
                            .isEqualTo(403));
        }
        assertThat(client.configMaps().inNamespace("test").list().getItems()).isEmpty();
    }
}
