package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ElasticDlEnvTest {
    @Test
    void a_replica_s_variables_are_read_back() {
        JobPlan plan = SeedJob.plan(SeedJob.spec().runId("r1").build());

        assertThat(ElasticDlEnv.parse(plan.replica(RoleType.WORKER, 4, 0).env()))
                .isEqualTo(new ElasticDlEnv(
                        "test-mnist",
                        "r1",
                        RoleType.WORKER,
                        0,
                        Optional.of("elasticdl-test-mnist-master.default.svc:50001"),
                        List.of(
                                "elasticdl-test-mnist-ps-0.default.svc:2222",
                                "elasticdl-test-mnist-ps-1.default.svc:2222"),
                        OptionalInt.of(4),
                        OptionalInt.of(4)));
    }

    @Test
    void it_reads_as_in_a_shell() {
        assertThat(new ElasticDlEnv(
                        "j",
                        "r",
                        RoleType.PS,
                        1,
                        Optional.empty(),
                        List.of(),
                        OptionalInt.empty(),
                        OptionalInt.empty()))
                .hasToString("EDL_INDEX=1 EDL_ROLE=ps EDL_RUN_ID=r JOB_NAME=j");
    }

    @Test
    void missing_and_wrong_values_are_reported() {
        assertThatThrownBy(() -> ElasticDlEnv.parse(Map.of()))
                .hasMessage("JOB_NAME is missing; for example JOB_NAME=test-mnist");
        assertThatThrownBy(() -> ElasticDlEnv.parse(Map.of(
                        "JOB_NAME", "j", "EDL_RUN_ID", "r", "EDL_ROLE", "ps", "EDL_INDEX", "0", "PS_ADDRS", "a:1,")))
                .hasMessage(
                        "each address of PS_ADDRS must be host:port, with a port from 1 to 65535, was \"\"; for example"
                                + " ps-0.default.svc:2222");
        assertThatThrownBy(() -> ElasticDlEnv.parse(
                        Map.of("JOB_NAME", "j", "EDL_RUN_ID", "r", "EDL_ROLE", "wrker", "EDL_INDEX", "0")))
                .hasMessage(
                        "EDL_ROLE: \"wrker\" is not a role; roles are master, chief, ps, worker, evaluator, scheduler,"
                                + " server, launcher");
    }
}
