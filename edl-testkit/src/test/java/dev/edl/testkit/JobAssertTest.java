package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JobAssertTest {
    private final Job job = Mnist.job();

    @Test
    void assertions_that_hold_chain() {
        Job timed = Mnist.builder()
                .success(SuccessPolicy.ALL_WORKERS)
                .deadline(Duration.ofHours(2))
                .ttl(Duration.ofMinutes(10))
                .build();
        assertThat(timed)
                .hasName("mnist")
                .hasNamespace("default")
                .hasFramework(Framework.ELASTICDL)
                .hasRunId("r1")
                .hasRoles("master", "ps", "worker")
                .hasLabel("team", "vision")
                .doesNotHaveLabel("tier")
                .hasAnnotation("note", "first")
                .doesNotHaveAnnotation("other")
                .hasSuccess(SuccessPolicy.ALL_WORKERS)
                .hasCleanup(CleanupPolicy.RUNNING)
                .hasDeadline(Duration.ofHours(2))
                .hasTtl(Duration.ofMinutes(10))
                .role("ps", ps -> ps.hasReplicas(2).hasPriority("high"))
                .role("worker", workers -> workers.hasReplicas(4).hasPriority("low"))
                .plan()
                .hasName("mnist");
    }

    @Test
    void an_assertion_prints_its_subject() {
        assertThat(assertThat(job).hasName("mnist").toString()).isEqualTo("assertion on job \"mnist\"");
        assertThat(assertThat(job).as("mine").toString()).isEqualTo("assertion on [mine] job \"mnist\"");
        assertThat(assertThat((Job) null).toString()).isEqualTo("assertion on null");
    }

    @Test
    void a_value_that_differs_is_shown_beside_the_expected_one() {
        fails(() -> assertThat(job).hasName("mnist2"), "job \"mnist\": expected name \"mnist2\", was \"mnist\"");
        fails(() -> assertThat(job).hasNamespace("ml"), "job \"mnist\": expected namespace \"ml\", was \"default\"");
        fails(
                () -> assertThat(job).hasFramework(Framework.MXNET),
                "job \"mnist\": expected framework mxnet, was elasticdl");
        fails(() -> assertThat(job).hasRunId("r2"), "job \"mnist\": expected run id \"r2\", was \"r1\"");
        fails(
                () -> assertThat(job).hasCleanup(CleanupPolicy.ALL),
                "job \"mnist\": expected cleanup policy ALL, was RUNNING");
    }

    @Test
    void an_absent_value_is_shown_as_none() {
        fails(
                () -> assertThat(job).hasSuccess(SuccessPolicy.LEADER),
                "job \"mnist\": expected success policy LEADER, but there is none");
        fails(
                () -> assertThat(job).hasDeadline(Duration.ofHours(2)),
                "job \"mnist\": expected deadline PT2H, but there is none");
        fails(
                () -> assertThat(job).hasTtl(Duration.ofHours(2)),
                "job \"mnist\": expected time to live PT2H, but there is none");
    }

    @Test
    void deadline_time_to_live_and_backoff() {
        Job timed = Mnist.builder()
                .deadline(Duration.ofHours(2))
                .ttl(Duration.ofMinutes(10))
                .backoff(Duration.ofSeconds(10), Duration.ofMinutes(5))
                .build();
        Backoff backoff = Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(5));
        assertThat(timed).hasBackoff(backoff).plan().hasBackoff(backoff).hasDeadline(Duration.ofHours(2));
        assertThat(timed.plan()).hasTtl(Duration.ofMinutes(10));
        assertThat(job).hasNoDeadline().hasNoTtl().hasBackoff(Backoff.NONE);
        assertThat(job.plan()).hasNoDeadline().hasNoTtl();
        fails(() -> assertThat(timed).hasNoDeadline(), "job \"mnist\": expected no deadline, was PT2H");
        fails(() -> assertThat(timed).hasNoTtl(), "job \"mnist\": expected no time to live, was PT10M");
        fails(
                () -> assertThat(job).hasBackoff(backoff),
                "job \"mnist\": expected backoff (PT10S, 2.0, PT5M), was none");
        fails(
                () -> assertThat(timed.plan()).hasBackoff(Backoff.NONE),
                "plan of job \"mnist\": expected backoff none, was (PT10S, 2.0, PT5M)");
        fails(() -> assertThat(timed.plan()).hasNoDeadline(), "plan of job \"mnist\": expected no deadline, was PT2H");
        fails(
                () -> assertThat(job.plan()).hasTtl(Duration.ofHours(1)),
                "plan of job \"mnist\": expected time to live PT1H, but there is none");
        fails(
                () -> assertThat(job.plan()).hasDeadline(Duration.ofHours(1)),
                "plan of job \"mnist\": expected deadline PT1H, but there is none");
        fails(() -> assertThat(timed.plan()).hasNoTtl(), "plan of job \"mnist\": expected no time to live, was PT10M");
    }

    @Test
    void the_frameworks_version() {
        Job versioned = Job.named("v").tensorflow("2.15").workers(1).build();
        assertThat(versioned)
                .hasFrameworkVersion("2.15")
                .plan(Profile.KUBEFLOW_V1)
                .hasFrameworkVersion("2.15");
        fails(
                () -> assertThat(versioned).hasFrameworkVersion("1.15"),
                "job \"v\": expected framework version \"1.15\", was \"2.15\"");
        fails(
                () -> assertThat(job.plan()).hasFrameworkVersion("1.15"),
                "plan of job \"mnist\": expected framework version \"1.15\", but there is none");
    }

    @Test
    void equal_jobs_and_such_that_are_not() {
        assertThat(job).isEqualTo(Mnist.job());
        fails(() -> assertThat(job).isEqualTo(Mnist.builder().env("LOG", "warn").build()), """
                job "mnist": differs from the expected job (-: expected, +: was):
                @@ -30,6 +30,6 @@
                       - "--epochs"
                       - "5"
                     env:
                -      LOG: warn
                +      LOG: debug
                     requests: nvidia.com/gpu=1
                     priority: low\
                """);
    }

    @Test
    void roles_are_compared_in_their_order() {
        fails(
                () -> assertThat(job).hasRoles("master", "worker"),
                "job \"mnist\": expected roles \"master\", \"worker\", was \"master\", \"ps\", \"worker\"");
    }

    @Test
    void a_missing_role_suggests_the_nearest() {
        fails(
                () -> assertThat(job).role("wroker"),
                "job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps, worker");
        fails(
                () -> assertThat(job).role("evaluator"),
                "job \"mnist\": expected a role \"evaluator\"; there are master, ps, worker");
    }

    @Test
    void a_missing_label_or_annotation_lists_the_existing_ones() {
        fails(
                () -> assertThat(job).hasLabel("team", "nlp"),
                "job \"mnist\": expected label team=\"nlp\", was \"vision\"");
        fails(
                () -> assertThat(job).hasLabel("tema", "vision"),
                "job \"mnist\": expected label tema=\"vision\", but there is no tema; did you mean \"team\"?"
                        + " There are team");
        fails(() -> assertThat(job).doesNotHaveLabel("team"), "job \"mnist\": expected no label team, was \"vision\"");
        fails(
                () -> assertThat(job).hasAnnotation("note", "second"),
                "job \"mnist\": expected annotation note=\"second\", was \"first\"");
        fails(
                () -> assertThat(job).doesNotHaveAnnotation("note"),
                "job \"mnist\": expected no annotation note, was \"first\"");
        fails(
                () -> assertThat(Job.named("flat").master().workers(2).build()).hasAnnotation("note", "1"),
                "job \"flat\": expected annotation note=\"1\", but there is no note; there are none");
    }

    @Test
    void a_description_comes_first_also_on_roles_and_plans() {
        fails(
                () -> assertThat(job).as("nightly").hasName("m"),
                "[nightly] job \"mnist\": expected name \"m\", was \"mnist\"");
        fails(
                () -> assertThat(job).as("nightly").role("ps").hasReplicas(1),
                "[nightly] job \"mnist\", role ps: expected replicas 1, was 2");
        fails(
                () -> assertThat(job).as("nightly").plan().hasName("m"),
                "[nightly] plan of job \"mnist\": expected name \"m\", was \"mnist\"");
    }

    @Test
    void a_percent_sign_in_a_value_is_only_a_sign() {
        fails(
                () -> assertThat(job).as("50%d").hasLabel("team", "%s"),
                "[50%d] job \"mnist\": expected label team=\"%s\", was \"vision\"");
    }

    @Test
    void a_null_job_is_reported() {
        fails(() -> assertThat((Job) null).hasName("mnist"), "\nExpecting actual not to be null");
        fails(() -> assertThat((Job) null).role("worker"), "\nExpecting actual not to be null");
    }

    @Test
    void an_unplannable_job_reports_the_reason() {
        Job labelled = Mnist.builder().build().toBuilder().label("app", "mnist").build();
        assertThatThrownBy(() -> assertThat(labelled).plan())
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"mnist\": labels set app, by which the job finds its replicas; choose another key,"
                        + " for example team");
    }

    @Test
    void assertj_beside_it_is_still_found() {
        assertThat(job.name()).isEqualTo("mnist");
        assertThat(job.roles()).hasSize(3);
    }
}
