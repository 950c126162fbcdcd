package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.edl.Job;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DmlcEnvTest {
    private static final Job JOB =
            Job.named("j").mxnet().runId("r").scheduler().servers(2).workers(3).build();

    private final DmlcEnv env =
            new DmlcEnv("j-scheduler-0", 9091, 2, 3, "worker", true, Optional.of("127.0.0.1"), OptionalInt.of(1));

    @Test
    void the_variables_have_the_order_of_kubeflow_s_operator() {
        assertThat(env.variables())
                .containsExactly(
                        entry("DMLC_PS_ROOT_PORT", "9091"),
                        entry("DMLC_PS_ROOT_URI", "j-scheduler-0"),
                        entry("DMLC_NUM_SERVER", "2"),
                        entry("DMLC_NUM_WORKER", "3"),
                        entry("DMLC_ROLE", "worker"),
                        entry("DMLC_USE_KUBERNETES", "1"),
                        entry("DMLC_WORKER_ID", "1"),
                        entry("DMLC_NODE_HOST", "127.0.0.1"));
        assertThat(DmlcEnv.parse(env.variables())).isEqualTo(env);
        assertThat(env).hasToString("worker of 3 with 2 servers at j-scheduler-0:9091");
    }

    @Test
    void missing_and_wrong_values_are_reported() {
        Map<String, String> variables = new HashMap<>(env.variables());
        variables.remove("DMLC_ROLE");
        assertThatThrownBy(() -> DmlcEnv.parse(variables))
                .hasMessage("DMLC_ROLE is missing; for example DMLC_ROLE=worker");
        variables.put("DMLC_ROLE", "worker");
        variables.put("DMLC_NUM_SERVER", "two");
        assertThatThrownBy(() -> DmlcEnv.parse(variables))
                .hasMessage("DMLC_NUM_SERVER must be a whole number, at least 0, was \"two\"; for example 2");
        variables.put("DMLC_NUM_SERVER", "2");
        variables.put("DMLC_USE_KUBERNETES", "yes");
        assertThatThrownBy(() -> DmlcEnv.parse(variables))
                .hasMessage(
                        "DMLC_USE_KUBERNETES must be 1 or left out, was \"yes\"; for example DMLC_USE_KUBERNETES=1");
        variables.remove("DMLC_USE_KUBERNETES");
        variables.put("DMLC_PS_ROOT_PORT", "65536");
        assertThatThrownBy(() -> DmlcEnv.parse(variables))
                .hasMessage("DMLC_PS_ROOT_PORT must be from 0 to 65535, was 65536");
    }

    // ps-lite reads numbers with C's atoi.
    @Test
    void a_number_may_have_leading_zeros_and_blanks() {
        Map<String, String> variables = new HashMap<>(env.variables());
        variables.put("DMLC_PS_ROOT_PORT", "09091");
        variables.put("DMLC_NUM_SERVER", " 2 ");
        variables.put("DMLC_NUM_WORKER", "+3");
        variables.put("DMLC_WORKER_ID", "01");

        assertThat(DmlcEnv.parse(variables)).isEqualTo(env);
    }

    @Test
    void an_address_of_ipv6_and_a_switch_that_is_off_are_read() {
        Map<String, String> variables = new HashMap<>(env.variables());
        variables.put("DMLC_PS_ROOT_URI", "fd00::1");
        variables.put("DMLC_USE_KUBERNETES", "0");

        assertThat(DmlcEnv.parse(variables).rootUri()).isEqualTo("fd00::1");
        assertThat(DmlcEnv.parse(variables).useKubernetes()).isFalse();
    }

    @Test
    void on_loopback_each_replica_advertises_its_address_and_needs_no_name() {
        JobPlan local = JOB.plan().reachedBy((role, index) -> new Endpoint(role, index, "127.0.0.1", 9000 + index));

        assertThat(local.replica("server", 1).env())
                .containsExactly(
                        entry("DMLC_NODE_HOST", "127.0.0.1"),
                        entry("DMLC_NUM_SERVER", "2"),
                        entry("DMLC_NUM_WORKER", "3"),
                        entry("DMLC_PS_ROOT_PORT", "9000"),
                        entry("DMLC_PS_ROOT_URI", "127.0.0.1"),
                        entry("DMLC_ROLE", "server"));
    }

    // B.2
    @Test
    void kubeflow_adds_mx_config_and_byteps_id() {
        JobPlan plan = JOB.plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("worker", 2).env())
                .containsExactly(
                        entry("DMLC_NUM_SERVER", "2"),
                        entry("DMLC_NUM_WORKER", "3"),
                        entry("DMLC_PS_ROOT_PORT", "9091"),
                        entry("DMLC_PS_ROOT_URI", "j-scheduler-0"),
                        entry("DMLC_ROLE", "worker"),
                        entry("DMLC_USE_KUBERNETES", "1"),
                        entry("DMLC_WORKER_ID", "2"),
                        entry(
                                "MX_CONFIG",
                                "{\"cluster\":{\"scheduler\":[{\"url\":\"j-scheduler-0\",\"port\":9091}],"
                                        + "\"server\":[{\"url\":\"j-server-0\",\"port\":9091},"
                                        + "{\"url\":\"j-server-1\",\"port\":9091}],"
                                        + "\"worker\":[{\"url\":\"j-worker-0\",\"port\":9091},"
                                        + "{\"url\":\"j-worker-1\",\"port\":9091},{\"url\":\"j-worker-2\",\"port\":9091}]},"
                                        + "\"labels\":{\"scheduler\":\"\",\"server\":\"\",\"worker\":\"\"},"
                                        + "\"task\":{\"type\":\"worker\",\"index\":2}}"));
        assertThat(plan.replica("server", 0).env()).doesNotContainKey("DMLC_WORKER_ID");
    }

    @Test
    void kubeflow_gives_a_lone_worker_an_empty_root() {
        JobPlan plan = Job.named("j").mxnet().workers(1).build().plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("worker", 0).env())
                .containsEntry("DMLC_PS_ROOT_URI", "")
                .containsEntry("DMLC_PS_ROOT_PORT", "0");
        assertThat(Job.named("j")
                        .mxnet()
                        .workers(1)
                        .build()
                        .plan()
                        .replica("worker", 0)
                        .env())
                .isEmpty();
    }
}
