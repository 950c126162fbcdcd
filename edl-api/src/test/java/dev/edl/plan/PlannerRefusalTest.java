package dev.edl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import org.junit.jupiter.api.Test;

class PlannerRefusalTest {
    private static void refused(JobSpec.Builder spec, String message) {
        assertThatThrownBy(() -> SeedJob.plan(spec.build()))
                .isInstanceOf(PlanException.class)
                .hasMessage(message);
    }

    private static JobSpec.Builder withVariable(String name, String value) {
        return SeedJob.workers(1)
                .defaults(RoleTemplate.builder().putEnv(name, value).build());
    }

    @Test
    void a_job_that_nothing_can_end() {
        refused(
                JobSpec.builder().name("idle").addRoles(SeedJob.role(RoleType.PS, 2)),
                "job \"idle\": nothing can end it; add a master, chief or launcher, or workers, for example .workers(4)");
    }

    @Test
    void a_variable_that_linux_would_not_pass_on() {
        // MAX_ARG_STRLEN is 131072 with "A=" and the final NUL, so that 131069 characters are the most.
        assertThat(SeedJob.plan(withVariable("A", "x".repeat(131_069)).build())).isNotNull();
        refused(
                withVariable("A", "x".repeat(131_070)),
                "job \"flat\": environment variable A of elasticdl-flat-worker-0 takes 131073 bytes; Linux takes at most"
                        + " 131072; put the value into a file on a volume and pass its path");
    }

    @Test
    void a_command_word_above_the_limit_of_linux() {
        // MAX_ARG_STRLEN counts the final NUL.
        assertThat(SeedJob.plan(SeedJob.workers(1)
                        .defaults(RoleTemplate.builder()
                                .addArgs("x".repeat(131_071))
                                .build())
                        .build()))
                .isNotNull();
        refused(
                SeedJob.workers(1)
                        .defaults(RoleTemplate.builder()
                                .addArgs("x".repeat(131_072))
                                .build()),
                "job \"flat\": a word of the command of worker takes 131073 bytes; Linux takes at most 131072; put it into a"
                        + " file on a volume and pass its path");
    }

    @Test
    void an_endpoint_that_nothing_can_listen_on() {
        assertThatThrownBy(() -> new Endpoint(RoleType.PS, 1, "[fd00::1]", 2222))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "ps 1: a host must be a name or an address, without brackets, was \"[fd00::1]\"; for example"
                                + " 127.0.0.1");
        assertThatThrownBy(() -> new Endpoint(RoleType.PS, 1, "localhost", 70_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ps 1: a port must be from 1 to 65535, was 70000; for example 2222");
    }

    @Test
    void a_framework_variable_above_the_limit_of_linux() {
        // 2001 addresses elasticdl-big-ps-N.default.svc:2222 of 34 to 37 characters, and the commas.
        int digits = 10 + 90 * 2 + 900 * 3 + 3001 * 4;
        int bytes = "PS_ADDRS=".length() + 4001 * "elasticdl-big-ps-.default.svc:2222".length() + digits + 4000 + 1;
        refused(
                JobSpec.builder()
                        .name("big")
                        .addRoles(SeedJob.role(RoleType.PS, 4001), SeedJob.role(RoleType.WORKER, 1)),
                "job \"big\": environment variable PS_ADDRS of elasticdl-big-ps-4000 takes " + bytes
                        + " bytes; Linux takes at most 131072; use fewer replicas, or a shorter job name or namespace");
    }

    @Test
    void a_variable_that_the_plan_computes() {
        refused(
                withVariable("WORKER_ID", "7"),
                "job \"flat\": worker.env sets WORKER_ID, which the plan computes for framework elasticdl; leave it out");
    }

    @Test
    void a_label_that_the_job_needs_itself() {
        refused(
                SeedJob.workers(1).putLabels("app", "mine"),
                "job \"flat\": labels set app, by which the job finds its replicas; choose another key, for example team");
    }

    @Test
    void a_name_that_leaves_no_room_for_later_ids() {
        // elasticdl- 10, -worker- 8, 99999 5: 40 characters are left.
        assertThat(SeedJob.plan(SeedJob.workers(1).name("a".repeat(40)).build()))
                .isNotNull();
        // The longest role counts: master- is longer than ps-, and its name by 8 too long.
        refused(
                SeedJob.of(Framework.ELASTICDL, SeedJob.role(RoleType.PS, 1), SeedJob.role(RoleType.MASTER, 1))
                        .name("a".repeat(54)),
                "job \"" + "a".repeat(54) + "\": names such as elasticdl-" + "a".repeat(54)
                        + "-master may have at most 63 characters; shorten the job's name by 8");
        refused(
                SeedJob.workers(1).name("a".repeat(42)),
                "job \"" + "a".repeat(42) + "\": names such as elasticdl-" + "a".repeat(42)
                        + "-worker-0 may have at most 63 characters, with room for ids of five digits; shorten the job's"
                        + " name by 2");
    }
}
