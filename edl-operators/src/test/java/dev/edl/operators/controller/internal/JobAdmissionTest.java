package dev.edl.operators.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.operators.controller.ReplicaQuotas;
import org.junit.jupiter.api.Test;

class JobAdmissionTest {
    private final JobAdmission admission = new JobAdmission(10, 15, 20);

    private static ObjectKey job(String namespace, String name) {
        return new ObjectKey("MxJob.mlkube.io", namespace, name);
    }

    private void admit(String namespace, String name, int replicas) {
        admission.admit(job(namespace, name), replicas, () -> false);
    }

    @Test
    void a_job_beyond_the_limit_of_one_is_refused_with_the_option_that_raises_it() {
        assertThatThrownBy(() -> admit("a", "bomb", 11))
                .isInstanceOf(JobAdmission.TooManyReplicasException.class)
                .hasMessage(
                        "MxJob bomb may have 11 replicas, and this controller accepts at most 10; make the job smaller,"
                                + " or start the controller with --max-replicas-per-job and a greater number");
        assertThat(admission.jobs()).isZero();
    }

    @Test
    void jobs_of_a_namespace_share_its_limit() {
        admit("a", "one", 10);
        assertThatThrownBy(() -> admit("a", "two", 6))
                .hasMessage("MxJob two may have 6 replicas on top of the 10 of other jobs in namespace \"a\", and this"
                        + " controller accepts at most 15; it starts once other jobs have ended, or start the"
                        + " controller with --max-replicas-per-namespace and a greater number");
        admit("b", "two", 6);
        assertThat(admission.replicas()).isEqualTo(16);
    }

    @Test
    void all_jobs_share_a_limit_until_one_has_ended() {
        admit("a", "one", 10);
        admit("b", "one", 8);
        assertThatThrownBy(() -> admit("c", "one", 3))
                .hasMessage(
                        "MxJob one may have 3 replicas on top of the 18 of other jobs, and this controller accepts at"
                                + " most 20; it starts once other jobs have ended, or start the controller with"
                                + " --max-replicas and a greater number");
        admission.release(job("a", "one"));
        admit("c", "one", 3);
        assertThat(admission.jobs()).isEqualTo(2);
    }

    @Test
    void a_job_that_was_begun_is_driven_whatever_the_limits_are() {
        admission.admit(job("a", "large"), 100, () -> true);
        admit("a", "large", 5);
        assertThat(admission.replicas()).isEqualTo(5);
    }

    @Test
    void a_limit_is_positive() {
        assertThatThrownBy(() -> ReplicaQuotas.STANDARD.total(0))
                .hasMessage("replica limit total must be at least 1, was 0; for example 1000");
    }
}
