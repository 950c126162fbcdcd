package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RestartPolicy;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import org.junit.jupiter.api.Test;

class LauncherDelayRuleTest {
    private static JobPlan plan(RestartPolicy restart) {
        return Job.named("elastic")
                .horovod()
                .image("horovod:1")
                .restart(restart)
                .launcher()
                .workers(2)
                .elastic(1, 4)
                .build()
                .plan(Profile.ET_V1ALPHA1);
    }

    private final Trial job = new Trial(plan(RestartPolicy.ON_FAILURE));

    private void run(String worker) {
        job.objects.computeIfPresent(
                worker, (name, o) -> ObservedReplica.of(name, o.role(), o.id(), ObservedPhase.RUNNING));
    }

    @Test
    void the_workers_are_created_first() {
        assertThat(job.decide().actions()).containsExactly("create elastic-worker-0", "create elastic-worker-1");
    }

    @Test
    void the_launcher_is_created_once_all_workers_run() {
        job.decide();
        run("elastic-worker-0");
        assertThat(job.decide().actions()).isEmpty();

        run("elastic-worker-1");
        assertThat(job.decide().actions()).containsExactly("create elastic-launcher");
        assertThat(job.state.phase()).isEqualTo(JobPhase.PENDING);
    }

    @Test
    void the_launcher_waits_for_a_relaunched_worker() {
        job.decide();
        job.runAll();
        job.objects.computeIfPresent("elastic-worker-1", (name, o) -> o.withExitCode(137));
        job.decide();
        job.decide();
        assertThat(job.objects).doesNotContainKey("elastic-launcher");

        job.runAll();
        assertThat(job.decide().actions()).containsExactly("create elastic-launcher");
    }

    @Test
    void a_worker_that_has_ended_for_good_is_not_waited_for() {
        Trial strict = new Trial(plan(RestartPolicy.NEVER));
        strict.decide();
        strict.runAll();
        strict.objects.computeIfPresent("elastic-worker-1", (name, o) -> o.withExitCode(1));

        assertThat(strict.decide().actions()).containsExactly("create elastic-launcher");
    }

    @Test
    void a_launcher_relaunched_while_the_job_runs_waits_for_no_worker() {
        job.decide();
        job.runAll();
        job.decide();
        job.runAll();
        job.decide();
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);

        job.objects.remove("elastic-launcher");
        job.objects.computeIfPresent(
                "elastic-worker-0", (name, o) -> ObservedReplica.of(name, o.role(), o.id(), ObservedPhase.PENDING));
        assertThat(job.decide().actions()).containsExactly("create elastic-launcher");
    }

    @Test
    void the_job_ends_with_its_launcher_and_workers_are_removed() {
        job.decide();
        job.runAll();
        job.decide();
        job.runAll();
        job.decide();
        job.objects.computeIfPresent("elastic-launcher", (name, o) -> o.withExitCode(0));
        job.decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(job.decide().there()).containsExactly("elastic-launcher");
    }
}
