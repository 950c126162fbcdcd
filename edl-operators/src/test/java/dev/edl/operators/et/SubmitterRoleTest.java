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
    void scaling_needs_permissions_for_keys_and_hosts() {
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
    void no_secret_permission_is_needed_with_own_keys_or_none() {
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
