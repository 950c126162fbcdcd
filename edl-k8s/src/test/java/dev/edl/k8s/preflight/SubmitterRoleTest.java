package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Text of the roles. A real cluster shows that they are sufficient and minimal. */
class SubmitterRoleTest {
    private static JobPlan plan() {
        return Job.named("mnist")
                .namespace("team")
                .image("x")
                .tensorflow()
                .workers(2)
                .build()
                .plan();
    }

    @Test
    void a_job_without_options_needs_its_record_pods_and_services() {
        assertThat(SubmitterRole.of(plan())).hasToString("""
                configmaps: create
                configmaps edl-job-mnist: get, update, delete
                pods: get, list, watch, create, delete
                services: create""");
    }

    @Test
    void permissions_need_the_module_that_scales_the_workers() {
        JobPlan plan = Job.named("mnist")
                .namespace("team")
                .image("x")
                .horovod()
                .launcher()
                .workers(2)
                .build()
                .plan(Profile.ET_V1ALPHA1);

        assertThatThrownBy(() -> SubmitterRole.of(plan))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"mnist\" of profile ET_V1ALPHA1 has a launcher whose workers are scaled by module"
                        + " edl-operators, which is not on the class path; add the dependency dev.edl:edl-operators");
    }

    @Test
    void options_add_permissions_for_their_objects_and_roles() {
        PodOptions options = PodOptions.builder()
                .priorityClass("high", 1000)
                .apiAccess("", "pods", "patch")
                .tensorBoard(TensorBoard.of("/logs").image("x"))
                .build();

        assertThat(SubmitterRole.of(plan(), options).logs().exec().tensorBoard())
                .hasToString("""
                configmaps: create
                configmaps edl-job-mnist: get, update, delete
                pods: get, list, watch, create, delete, patch
                serviceaccounts: create
                services: create
                deployments: create
                rolebindings: create
                roles: create
                pods/log: get
                pods/exec: get, create
                services/proxy tensorboard-mnist:80: get
                (cluster) priorityclasses: create""");
    }

    @Test
    void a_queue_of_kueue_adds_the_patch_of_pods_and_the_reads_of_preflight() {
        PodOptions options = PodOptions.builder().queue("team-a").build();
        SubmitterRole role = SubmitterRole.of(plan(), options);

        assertThat(role.toString()).contains("pods: get, list, watch, create, delete, patch");
        assertThat(role.toString()).doesNotContain("queues");
        assertThat(List.of(role.preflight().toString(), role.queue().toString()))
                .allSatisfy(rights -> assertThat(rights)
                        .contains("localqueues team-a: get", "workloads: list", "(cluster) clusterqueues: get"));
        assertThat(SubmitterRole.of(plan()).queue())
                .hasToString(SubmitterRole.of(plan()).toString());
    }

    @Test
    void reads_are_by_name_for_named_objects() {
        PodOptions options = PodOptions.builder()
                .secretEnv("KEY", "s3", "secret")
                .imagePullSecret("registry")
                .build();

        assertThat(SubmitterRole.of(plan(), options).preflight()).hasToString("""
                configmaps: create
                configmaps edl-job-mnist: get, update, delete
                pods: get, list, watch, create, delete
                services: create
                namespaces team: get
                resourcequotas: list
                limitranges: list
                secrets registry s3: get
                serviceaccounts default: get
                services elasticdl-mnist-worker-0 elasticdl-mnist-worker-1: get
                (cluster) nodes: list
                (cluster) configmaps cluster-autoscaler-status: get
                (cluster) priorityclasses: list""");
    }

    @Test
    void node_notices_add_permission_to_watch_nodes() {
        assertThat(SubmitterRole.of(plan()).nodeNotices().preflight().clusterRules())
                .first()
                .satisfies(rule -> assertThat(rule.getResources()).containsExactly("nodes"))
                .satisfies(rule -> assertThat(rule.getVerbs()).containsExactly("list", "watch"));
        assertThat(SubmitterRole.of(plan()).nodeNotices().objects(SubmitterRole.user("anna")))
                .extracting(object -> object.getKind())
                .containsExactly("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");
    }

    @Test
    void yaml_is_a_role_and_its_binding() {
        String yaml = SubmitterRole.of(plan()).toYaml(SubmitterRole.serviceAccount("team", "trainer"));

        assertThat(yaml.split("---\n", -1)).hasSize(3);
        assertThat(yaml)
                .contains("kind: \"Role\"\nmetadata:\n  name: \"edl-submit-mnist\"\n  namespace: \"team\"\n")
                .contains("  resourceNames:\n  - \"edl-job-mnist\"\n")
                .contains("kind: \"RoleBinding\"\n")
                .contains("- kind: \"ServiceAccount\"\n  name: \"trainer\"\n  namespace: \"team\"\n");
    }

    @Test
    void a_missing_tensorboard_is_refused() {
        assertThatThrownBy(() -> SubmitterRole.of(plan()).tensorBoard())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "job \"mnist\": the options have no TensorBoard; set tensorBoard(TensorBoard.of(\"/logs\"))");
    }
}
