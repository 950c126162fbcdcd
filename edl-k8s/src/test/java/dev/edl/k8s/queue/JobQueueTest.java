package dev.edl.k8s.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.k8s.queue.internal.QueueReader;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Fields and their meaning are those of Kueue 0.19, {@code apis/kueue/v1beta2}. */
@MockCluster
class JobQueueTest {
    private static final JobPlan PLAN = job().build().plan();
    private static final PodTemplates TEMPLATES =
            PodTemplates.of(PLAN, PodOptions.builder().queue("team-a").build());

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static JobBuilder job() {
        return Job.named("m")
                .namespace("team")
                .elasticdl()
                .image("i")
                .master()
                .ps(1)
                .workers(3, workers -> workers.elastic(1, 8));
    }

    private static Pod pod(RoleType role, int id) {
        return new PodBuilder()
                .withMetadata(TEMPLATES.get(role, id, id).getMetadata())
                .editMetadata()
                .withName(PLAN.replicaName(role, id))
                .withUid(role.replica(id))
                .endMetadata()
                .withSpec(TEMPLATES.get(role, id, id).getSpec())
                .build();
    }

    private Optional<JobQueue> read(JobPlan plan, Pod... pods) {
        return QueueReader.read(
                client,
                plan,
                List.of(pods),
                Stream.of(pods)
                        .map(pod -> {
                            String[] uid = pod.getMetadata().getUid().split("-");
                            return PodMapper.of(
                                    pod, RoleType.of(uid[0]), uid.length < 2 ? 0 : Integer.parseInt(uid[1]));
                        })
                        .toList());
    }

    private JobQueue read() {
        return read(
                        PLAN,
                        pod(RoleType.MASTER, 0),
                        pod(RoleType.PS, 0),
                        pod(RoleType.WORKER, 0),
                        pod(RoleType.WORKER, 1),
                        pod(RoleType.WORKER, 2))
                .orElseThrow();
    }

    private void create(String kind, String yaml) {
        GenericKubernetesResource object = Serialization.unmarshal(
                "apiVersion: kueue.x-k8s.io/v1beta2\nkind: " + kind + "\n" + yaml, GenericKubernetesResource.class);
        var all = client.genericKubernetesResources(KueueObjects.kind(kind));
        if (kind.equals("ClusterQueue")) {
            all.resource(object).create();
        } else {
            all.inNamespace("team").resource(object).create();
        }
    }

    private void queues(String local, String cluster) {
        create("LocalQueue", "metadata: {name: team-a, namespace: team}\nspec: {clusterQueue: big%s}".formatted(local));
        create("ClusterQueue", "metadata: {name: big}\nspec: {namespaceSelector: {}%s}".formatted(cluster));
    }

    private void workload(String name, int priority, int created, String status, String... owners) {
        create("Workload", """
                metadata:
                  name: %s
                  namespace: team
                  creationTimestamp: "2026-01-01T00:00:0%sZ"
                  ownerReferences: [%s]
                spec: {queueName: team-a, priority: %s}
                status: %s
                """.formatted(
                        name,
                        created,
                        Stream.of(owners)
                                .map(uid -> "{apiVersion: v1, kind: Pod, name: p, uid: %s}".formatted(uid))
                                .reduce((a, b) -> a + ", " + b)
                                .orElse(""),
                        priority,
                        status));
    }

    private static String waits(String missing) {
        return "{conditions: [{type: QuotaReserved, status: \"False\", message: \"%s\"}]}".formatted(missing);
    }

    private static String admitted(String flavor) {
        return """
                {conditions: [{type: QuotaReserved, status: "True"}, {type: Admitted, status: "True"}],
                 admission: {podSetAssignments: [
                  {name: a, flavors: {cpu: %s, memory: %s}},
                  {name: b, flavors: {cpu: default}}]}}""".formatted(flavor, flavor).replace("\n", " ");
    }

    @Test
    void pods_have_their_place_their_flavor_and_what_is_missing() {
        queues("", "");
        workload("zgroup", 0, 0, admitted("spot"), "worker-0", "ps-0", "master");
        workload("one", 0, 1, waits("insufficient unused quota for cpu in flavor spot, 100m more needed"), "worker-1");
        workload("two", 0, 2, waits("later"), "worker-2");
        workload("high", 9, 3, waits("soon"), "other");
        workload("ended", 9, 3, "{conditions: [{type: Finished, status: \"True\"}]}", "gone");

        JobQueue queue = read();

        assertThat(queue).hasToString("""
                queue team-a of ClusterQueue big
                  master, ps-0, worker-0 have quota: cpu of flavor default; cpu, memory of flavor spot
                  worker-1 waits, number 2 of 3 of its namespace: insufficient unused quota for cpu in flavor spot, 100m more needed
                  worker-2 waits, number 3 of 3 of its namespace: later
                """);
        assertThat(queue.whyPending("worker-1"))
                .contains("it waits for Kueue to admit it from queue \"team-a\", in which it is number 2 of 3 of its"
                        + " namespace: insufficient unused quota for cpu in flavor spot, 100m more needed");
        assertThat(queue.whyPending("ps-0")).isEmpty();
        assertThat(queue.whyPending("worker-7")).isEmpty();
    }

    @Test
    void a_replica_without_a_pod_waits_for_the_group_that_waits() {
        queues("", "");
        workload("group", 0, 0, waits("no quota"), "master", "ps-0", "worker-0");

        assertThat(read().whyPending("worker-7").orElse("")).endsWith("number 1 of 1 of its namespace: no quota");
    }

    @Test
    void a_stopped_queue_is_a_problem_and_a_reason() {
        queues(", stopPolicy: Hold", ", stopPolicy: HoldAndDrain");
        workload("one", 0, 1, waits("LocalQueue team-a is inactive"), "worker-1");

        assertThat(read().problems())
                .containsExactly(
                        "LocalQueue \"team-a\" is stopped: its stopPolicy is Hold",
                        "ClusterQueue \"big\" is stopped: its stopPolicy is HoldAndDrain");
        assertThat(read().whyPending("worker-1").orElse("")).endsWith("HoldAndDrain");
    }

    @Test
    void missing_queues_are_problems() {
        assertThat(read()).hasToString("queue team-a\n  LocalQueue \"team-a\" is missing\n");
        create("LocalQueue", "metadata: {name: team-a, namespace: team}\nspec: {clusterQueue: big}");
        assertThat(read()).hasToString("queue team-a of ClusterQueue big\n  ClusterQueue \"big\" is missing\n");
    }

    @Test
    void what_may_not_be_read_is_a_problem() {
        queues("", "");
        server.expect()
                .get()
                .withPath("/apis/kueue.x-k8s.io/v1beta2/namespaces/team/workloads")
                .andReturn(403, "{\"kind\":\"Status\",\"code\":403,\"message\":\"workloads is forbidden\"}")
                .once();

        assertThat(read().problems())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("cannot list workloads.kueue.x-k8s.io: ")
                .contains("workloads is forbidden");
    }

    @Test
    void a_job_without_a_queue_is_not_looked_up() {
        int before = server.getRequestCount();
        Pod other = pod(RoleType.WORKER, 0);
        other.getMetadata().setLabels(null);

        assertThat(read(PLAN, other)).isEmpty();
        assertThat(server.getRequestCount()).isEqualTo(before);
    }

    @Test
    void a_job_that_has_no_pods_yet_has_the_queue_of_its_label() {
        queues("", "");

        assertThat(read(job().label("kueue.x-k8s.io/queue-name", "team-a")
                        .build()
                        .plan()))
                .hasToString("Optional[queue team-a of ClusterQueue big\n]");
    }

    @Test
    void a_job_explains_which_pods_are_admitted_together() {
        assertThat(JobQueue.explain(
                        job().label("kueue.x-k8s.io/queue-name", "team-a").build()))
                .contains("queue team-a: Kueue admits master x 1, ps x 1, worker x 1 together, and each further pod by"
                        + " itself");
        assertThat(JobQueue.explain(job().build())).isEmpty();
    }
}
