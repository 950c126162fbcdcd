package dev.edl.testkit.k8s;

import static dev.edl.testkit.k8s.PodAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.Profile;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PodOfAPlanAssertTest {
    private static void fails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
    }

    @Test
    void a_shared_template_refers_to_the_pod_of_one_replica() {
        Job job = Job.named("mnist")
                .runId("r1")
                .image("mnist:1")
                .master()
                .workers(4)
                .build();
        fails(
                () -> assertThat(PodTemplates.of(job.plan()).shared("worker").orElseThrow())
                        .container()
                        .elasticDl(),
                "pod of job \"mnist\", worker, container elasticdl: expected ElasticDL's variables that can be read, but"
                        + " EDL_INDEX must be a whole number, at least 0, was \"$(JOB_COMPLETION_INDEX)\"; for example 0; the"
                        + " template is that of all replicas of the role, and $(JOB_COMPLETION_INDEX) stands for the index of"
                        + " each: assert on the pod of one, PodTemplates.of(plan).get(\"worker\", 0)");
    }

    @Test
    void a_pod_of_mxjob_is_called_by_its_run() {
        Job job = Job.named("mx")
                .runId("r1")
                .image("mx:1")
                .mxnet()
                .scheduler()
                .servers(1)
                .workers(1)
                .build();
        fails(
                () -> assertThat(
                                PodTemplates.of(job.plan(Profile.MXJOB_V1BETA1)).get("worker", 0))
                        .hasPriorityClass("low"),
                "pod of run \"r1\", worker 0: expected priority class \"low\", but there is none");
    }

    @Test
    void the_pods_of_a_plan_are_restricted() {
        Job job = Job.named("mnist")
                .image("mnist:1")
                .master()
                .workers(4)
                .priority("low")
                .gpu(1)
                .build();
        assertThat(PodTemplates.of(job.plan()).get("worker", 2))
                .hasEnv("WORKER_ID", "2")
                .hasPriorityClass("low")
                .hasRequest("gpu", "1")
                .isRestricted()
                .mountsNoServiceAccountToken();
    }
}
