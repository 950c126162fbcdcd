package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.preflight.SubmitterRole;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import org.junit.jupiter.api.Test;

class SubmitterRoleTest {
    @Test
    void who_scales_in_et_operator_s_order_makes_keys_and_writes_hosts_in_the_launcher() {
        JobPlan plan = Job.named("mnist")
                .namespace("team")
                .image("x")
                .horovod()
                .launcher()
                .workers(2)
                .elastic(1, 4)
                .build()
                .plan(Profile.ET_V1ALPHA1);

        assertThat(SubmitterRole.of(plan).toString().lines())
                .contains(
                        "configmaps: create",
                        "configmaps edl-job-mnist: get, update, delete",
                        "secrets: create",
                        "configmaps mnist-config: get, update",
                        "services: create, get, delete",
                        "pods/exec: get, create")
                .doesNotHaveDuplicates();
    }

    @Test
    void who_has_keys_or_needs_none_asks_for_no_secret() {
        JobPlan plan = Job.named("mnist")
                .namespace("team")
                .image("x")
                .horovod()
                .launcher()
                .workers(2)
                .build()
                .plan(Profile.ET_V1ALPHA1);

        assertThat(SubmitterRole.of(plan).toString()).contains("secrets");
        assertThat(SubmitterRole.of(plan, PodOptions.builder().kubexec().build())
                        .toString())
                .doesNotContain("secrets");
    }
}
