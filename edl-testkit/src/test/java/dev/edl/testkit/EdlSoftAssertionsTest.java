package dev.edl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.Job;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import java.util.List;
import org.assertj.core.api.junit.jupiter.SoftAssertionsExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SoftAssertionsExtension.class)
class EdlSoftAssertionsTest {
    private final Job job = Mnist.job();

    private static List<String> messages(EdlSoftAssertions softly) {
        return softly.assertionErrorsCollected().stream()
                .map(Throwable::getMessage)
                .map(message -> message.lines().findFirst().orElse(""))
                .toList();
    }

    @Test
    void junit_injects_them(EdlSoftAssertions injected) {
        injected.assertThat(job).hasName("mnist").role("worker").hasReplicas(4);
        injected.assertThat(job.roles()).hasSize(3);
    }

    @Test
    void each_failure_of_a_chain_is_collected() {
        EdlSoftAssertions softly = new EdlSoftAssertions();
        softly.assertThat(job)
                .as("nightly")
                .hasName("m")
                .hasLabel("tema", "vision")
                .hasDeadline(java.time.Duration.ofHours(2))
                .role("ps", ps -> ps.hasReplicas(3).isElastic(1, 2))
                .role("worker")
                .hasReplicas(8)
                .hasPriority("low")
                .hasNoVolumes()
                .hasRequest("gpu", "2");
        softly.assertThat(job.plan())
                .eachReplica("ps", ps -> ps.hasPort(1))
                .replica("worker", 2)
                .hasEnv("LOG", "info");
        softly.assertThat(job.roles()).hasSize(3);
        assertThat(messages(softly))
                .containsExactly(
                        "[nightly] job \"mnist\": expected name \"m\", was \"mnist\"",
                        "[nightly] job \"mnist\": expected label tema=\"vision\", but there is no tema; did you mean"
                                + " \"team\"? There are team",
                        "[nightly] job \"mnist\": expected deadline PT2H, but there is none",
                        "[nightly] job \"mnist\", role ps: expected replicas 3, was 2",
                        "[nightly] job \"mnist\", role ps: expected elastic bounds 1..2, but it is not elastic: it has 2"
                                + " replicas throughout",
                        "[nightly] job \"mnist\", role worker: expected replicas 8, was 4",
                        "[nightly] job \"mnist\", role worker: expected request nvidia.com/gpu=\"2\", was \"1\"",
                        "replica elasticdl-mnist-ps-0 (ps 0): expected port 1, was 2222",
                        "replica elasticdl-mnist-ps-1 (ps 1): expected port 1, was 2222",
                        "replica elasticdl-mnist-worker-2 (worker 2): expected variable LOG=\"info\", was \"debug\"");
    }

    @Test
    void a_missing_part_skips_the_rest_of_its_chain() {
        EdlSoftAssertions softly = new EdlSoftAssertions();
        softly.assertThat(job)
                .role("wroker")
                .hasReplicas(77)
                .hasPriority("high")
                .isElastic(5, 6);
        softly.assertThat(job).role("wroker", role -> role.hasReplicas(77));
        softly.assertThat(job.plan()).replica("wroker", 0).hasPort(1).dmlc().hasRole("x");
        softly.assertThat(job.plan())
                .replica("worker", 8)
                .tfConfig()
                .hasTask("x", 1)
                .hasAddress("y", 1, "z");
        softly.assertThat(job.plan()).eachReplica("wroker", replica -> replica.hasPort(1));
        softly.assertThat(job.plan())
                .hasEndpoints("wroker")
                .hasPriorityClasses("wroker")
                .hasName("m");
        softly.assertThat(job.plan())
                .replica("worker", 1)
                .env("NONE", value -> assertThat(value).isEmpty())
                .env("LOG", value -> assertThat(value).isEqualTo("x"))
                .tfConfig()
                .hasTask("ps", 3)
                .isSparse()
                .hasJson("{}");
        assertThat(messages(softly))
                .containsExactly(
                        "job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps, worker",
                        "job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps, worker",
                        "plan of job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps,"
                                + " worker",
                        "plan of job \"mnist\": expected a replica worker 8, but ids of worker go from 0 to 7",
                        "plan of job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps,"
                                + " worker",
                        "plan of job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps,"
                                + " worker",
                        "plan of job \"mnist\": expected a role \"wroker\"; did you mean \"worker\"? There are master, ps,"
                                + " worker",
                        "plan of job \"mnist\": expected name \"m\", was \"mnist\"",
                        "replica elasticdl-mnist-worker-1 (worker 1): expected variable NONE, but there is no NONE; there"
                                + " are EDL_INDEX, EDL_ROLE, EDL_RUN_ID, JOB_NAME, LOG, MASTER_ADDR, PS_ADDRS, WORKER_ID,"
                                + " WORKER_NUM",
                        "",
                        "replica elasticdl-mnist-worker-1 (worker 1): expected variable TF_CONFIG, but there is no"
                                + " TF_CONFIG; there are EDL_INDEX, EDL_ROLE, EDL_RUN_ID, JOB_NAME, LOG, MASTER_ADDR,"
                                + " PS_ADDRS, WORKER_ID, WORKER_NUM");
    }

    @Test
    void an_exception_between_them_keeps_the_failures_before_it() {
        Throwable thrown = catchThrowable(() -> EdlSoftAssertions.assertSoftly(softly -> {
            softly.assertThat(job).hasName("m");
            softly.assertThat(job).plan(Profile.KUBEFLOW_V1);
        }));
        assertThat(thrown).isInstanceOf(PlanException.class);
        assertThat(thrown.getSuppressed()).hasSize(1);
        assertThat(thrown.getSuppressed()[0])
                .hasMessageStartingWith("job \"mnist\": expected name \"m\", was \"mnist\"");
    }

    @Test
    void all_messages_are_reported_at_the_end() {
        Throwable failure = catchThrowable(() -> EdlSoftAssertions.assertSoftly(softly -> {
            softly.assertThat(job).hasName("m");
            softly.assertThat(job.plan()).hasNamespace("ml");
            softly.assertThat("a").isEqualTo("b");
            softly.assertThat((Job) null).hasName("m");
            softly.assertThat(job).hasName("never reached");
        }));
        assertThat(failure)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("(4 failures)")
                .hasMessageContaining("job \"mnist\": expected name \"m\", was \"mnist\"")
                .hasMessageContaining("plan of job \"mnist\": expected namespace \"ml\", was \"default\"")
                .hasMessageContaining("expected: \"b\"")
                .hasMessageContaining("Expecting actual not to be null");
        EdlSoftAssertions.assertSoftly(softly -> softly.assertThat(job).hasName("mnist"));
    }
}
