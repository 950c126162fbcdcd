package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.client.KueueObjects;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** Fields and their meaning are those of Kueue 0.19, {@code apis/kueue/v1beta2}. */
@MockCluster
class QueueCheckTest {
    private static final PodOptions OPTIONS =
            PodOptions.builder().queue("team-a").build();

    // The extension sets them.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static String local(String more) {
        return """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                metadata: {name: team-a, namespace: team}
                spec: {clusterQueue: big%s}
                ---
                """.formatted(more);
    }

    /** Returns a ClusterQueue with two flavours, which have 2 CPUs each. */
    private static String big(String more) {
        return """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ClusterQueue
                metadata: {name: big}
                spec:
                  namespaceSelector: {}
                  %s
                  resourceGroups:
                  - coveredResources: [cpu]
                    flavors:
                    - {name: spot, resources: [{name: cpu, nominalQuota: 2, borrowingLimit: 1}]}
                    - {name: fixed, resources: [{name: cpu, nominalQuota: "2000m"}]}
                """.formatted(more);
    }

    private static Job job(String request, int workers) {
        return Job.named("mnist")
                .namespace("team")
                .image("x")
                .tensorflow()
                .request(request)
                .workers(workers, role -> role.elastic(1, 8))
                .build();
    }

    private static PreflightReport report(String queues, String request, int workers) {
        return Preflight.ofQueues(queues, job(request, workers).plan(), OPTIONS);
    }

    @Test
    void a_job_that_fits_its_queue_has_no_problems() {
        assertThat(report(local("") + big(""), "cpu=1", 4))
                .hasToString("job \"mnist\" in namespace \"team\": 0 errors, 0 warnings, 0 not checked");
    }

    @Test
    void a_missing_queue_is_an_error_with_the_command_that_lists_queues() {
        assertThat(report(big(""), "cpu=1", 1).toString())
                .contains("LocalQueue \"team-a\" of namespace \"team\" is missing")
                .contains("$ kubectl --namespace team get localqueues");
        assertThat(report(local(""), "cpu=1", 1).toString())
                .contains("ClusterQueue \"big\" of LocalQueue \"team-a\" is missing");
    }

    @Test
    void a_stopped_queue_is_an_error() {
        assertThat(report(local(", stopPolicy: Hold") + big(""), "cpu=1", 1).toString())
                .contains("LocalQueue \"team-a\" is stopped: its stopPolicy is Hold");
        assertThat(report(local("") + big("stopPolicy: HoldAndDrain"), "cpu=1", 1)
                        .toString())
                .contains("ClusterQueue \"big\" is stopped: its stopPolicy is HoldAndDrain");
        assertThat(report(local(", stopPolicy: None") + big(""), "cpu=1", 1).ok())
                .isTrue();
    }

    @Test
    void a_resource_without_quota_is_an_error() {
        assertThat(report(local("") + big(""), "cpu=1,memory=1Gi", 1).toString())
                .contains("ClusterQueue \"big\" has no quota of memory");
    }

    @Test
    void the_minimum_of_an_elastic_job_decides_whether_it_is_ever_admitted() {
        assertThat(report(local("") + big(""), "cpu=5", 1).toString())
                .contains("ClusterQueue \"big\" never has enough quota: cpu: at most 4, the job needs 5");
        PreflightReport more = report(local("") + big(""), "cpu=1", 5);
        assertThat(more.ok()).isTrue();
        assertThat(more.toString())
                .contains("ClusterQueue \"big\" never has quota for all replicas: cpu: at most 4, the job needs 5");
    }

    @Test
    void the_pods_that_a_role_always_has_need_one_flavor() {
        Job job = Job.named("mnist")
                .namespace("team")
                .image("x")
                .tensorflow()
                .request("cpu=1")
                .workers(3)
                .build();

        assertThat(Preflight.ofQueues(local("") + big(""), job.plan(), OPTIONS).toString())
                .contains(
                        "ClusterQueue \"big\" has no flavor for 3 x worker: flavor spot has at most 2 cpu; flavor fixed"
                                + " has at most 2 cpu");
        assertThat(Preflight.ofQueues(local("") + big("cohortName: all"), job.plan(), OPTIONS)
                        .ok())
                .isTrue();
        assertThat(report(local("") + big(""), "cpu=1", 3).ok()).isTrue();
    }

    @Test
    void a_queue_of_a_cohort_has_what_it_may_borrow() {
        assertThat(report(local("") + big("cohortName: all"), "cpu=9", 1).toString())
                .doesNotContain("never has");
    }

    @Test
    void a_text_that_is_no_yaml_of_objects_is_refused_with_the_form() {
        assertThatThrownBy(() -> report("queues", "cpu=1", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("queues must be YAML of LocalQueues, ClusterQueues and Workloads of"
                        + " kueue.x-k8s.io/v1beta2, was \"queues\"");
    }

    /** Returns the ClusterQueue with a status: Workloads have reserved all but 1.5 CPUs of flavour spot, and one waits. */
    private static String busy(String more) {
        return big(more) + """
                status:
                  flavorsReservation:
                  - {name: spot, resources: [{name: cpu, total: 500m, borrowed: "0"}]}
                  - {name: fixed, resources: [{name: cpu, total: "2", borrowed: "0"}]}
                  flavorsUsage: []
                  pendingWorkloads: 3
                """;
    }

    private static String workload(String name, String namespace, String queue, int priority, String condition) {
        return """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: Workload
                metadata: {name: %s, namespace: %s}
                spec: {queueName: %s, priority: %s}
                status: {conditions: [{type: %s, status: "True"}]}
                """.formatted(name, namespace, queue, priority, condition);
    }

    @Test
    void a_job_waits_for_quota_that_others_have_reserved() {
        assertThat(report(local("") + busy(""), "cpu=2", 1))
                .asString()
                .contains("0 errors, 1 warning, 0 not checked", """
                        warning: PodOptions.queue: ClusterQueue "big" has no room now: cpu: 1500m free, the job needs 2; 3 Workloads wait in it
                          why: the job waits until others give quota back, unless its priority takes quota from them
                          fix: submit the job and let it wait, or use another queue
                               $ kubectl --namespace team get workloads""");
        assertThat(report(local("") + busy(""), "cpu=1", 4).toString())
                .as("the minimum has room")
                .doesNotContain("no room");
        assertThat(report(local("") + busy("cohortName: all"), "cpu=2", 1).toString())
                .as("a cohort may have more")
                .doesNotContain("no room");
    }

    @Test
    void a_job_waits_while_no_flavor_has_room_for_all_pods_of_a_role() {
        Job job = Job.named("mnist")
                .namespace("team")
                .image("x")
                .tensorflow()
                .request("cpu=800m")
                .workers(2)
                .build();
        String freed = busy("").replace("\"2\", borrowed", "\"1\", borrowed");

        assertThat(Preflight.ofQueues(local("") + freed, job.plan(), OPTIONS).toString())
                .contains(
                        "ClusterQueue \"big\" has no room now: 2 x worker: flavor spot has 1500m cpu free; flavor fixed"
                                + " has 1 cpu free; 3 Workloads wait in it");
    }

    @Test
    void the_workloads_of_the_own_queue_that_wait_are_named_in_their_order() {
        String all = local("") + busy("") + "---\n"
                + String.join(
                        "---\n",
                        workload("low", "team", "team-a", 1, "Evicted"),
                        workload("high", "team", "team-a", 9, "Evicted"),
                        workload("admitted", "team", "team-a", 9, "QuotaReserved"),
                        workload("ended", "team", "team-a", 9, "Finished"),
                        workload("other", "team", "team-b", 9, "Evicted"),
                        workload("foreign", "teams", "team-a", 9, "Evicted"));

        assertThat(report(all, "cpu=2", 1).toString())
                .contains("needs 2; 3 Workloads wait in it, of queue \"team-a\" high, low\n");
        assertThat(report(all.replace("pendingWorkloads: 3", "pendingWorkloads: 0"), "cpu=2", 1)
                        .toString())
                .as("Workloads that the status does not count yet")
                .contains("needs 2; 2 Workloads wait in it, of queue \"team-a\" high, low\n");
    }

    @Test
    void a_queue_in_strict_order_lets_a_job_wait_behind_others() {
        assertThat(report(local("") + busy("queueingStrategy: StrictFIFO"), "cpu=1", 1)
                        .toString())
                .contains("ClusterQueue \"big\" has no room now: 3 Workloads wait in it");
        assertThat(report(local("") + big("queueingStrategy: StrictFIFO"), "cpu=1", 1)
                        .toString())
                .doesNotContain("no room");
    }

    @Test
    void a_file_as_kubectl_prints_it_is_read() {
        String items = (local("") + busy("") + "---\n" + workload("high", "team", "team-a", 9, "Evicted"))
                .replace("---\n", "\n")
                .replace("apiVersion", "- apiVersion")
                .replaceAll("(?m)^(?!- )(?=.)", "  ");

        assertThat(report("apiVersion: v1\nkind: List\nitems:\n" + items, "cpu=2", 1)
                        .toString())
                .contains("needs 2; 3 Workloads wait in it, of queue \"team-a\" high\n");
    }

    @Test
    void a_cluster_is_asked_for_the_workloads_that_wait() {
        TeamCluster.create(client, server, review -> true);
        create("LocalQueue", local("").replace("---\n", ""));
        create("ClusterQueue", busy(""));
        create("Workload", workload("high", "team", "team-a", 9, "Evicted"));

        assertThat(Preflight.of(client, job("cpu=2", 1).plan(), OPTIONS).toString())
                .contains("3 Workloads wait in it, of queue \"team-a\" high\n");
    }

    private void create(String kind, String yaml) {
        client.genericKubernetesResources(KueueObjects.kind(kind))
                .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }

    @Test
    void a_cluster_is_asked_for_the_queue_that_the_job_names() {
        TeamCluster.create(client, server, review -> true);
        PreflightReport none = Preflight.of(client, job("cpu=1", 1).plan(), OPTIONS);
        create("LocalQueue", local("").replace("---\n", ""));
        create("ClusterQueue", big(""));

        assertThat(none.toString()).contains("LocalQueue \"team-a\" of namespace \"team\" is missing");
        assertThat(Preflight.of(client, job("cpu=1", 1).plan(), OPTIONS).toString())
                .doesNotContain("Queue");
    }
}
