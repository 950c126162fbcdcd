package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import org.junit.jupiter.api.Test;

/** ElasticDL's tutorial on fault tolerance and elastic scheduling, step by step. */
class SeedWalkThroughTest {
    private final Trial job = Trial.running(SeedJob.plan());

    @Test
    void all_replicas_of_the_job_start_in_the_order_of_the_roles() {
        Trial first = new Trial(SeedJob.plan()).decide();

        assertThat(first.actions())
                .containsExactly(
                        "create master",
                        "create ps-0",
                        "create ps-1",
                        "create worker-0",
                        "create worker-1",
                        "create worker-2",
                        "create worker-3");
        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void worker_4_takes_over_for_a_deleted_worker_0_at_once() {
        job.vanish("worker-0").decide();

        assertThat(job.actions()).containsExactly("create worker-4");
        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("Relaunch the worker: elasticdl-test-mnist-worker-0");
        assertThat(job.replica("worker-4").index()).isZero();
        assertThat(job.there())
                .containsExactly("master", "ps-0", "ps-1", "worker-1", "worker-2", "worker-3", "worker-4 pending");
    }

    @Test
    void preempted_workers_get_successors_that_wait_for_room_and_then_run() {
        for (String worker : new String[] {"worker-1", "worker-2", "worker-3"}) {
            job.change(worker, ObservedReplica::beingDeleted);
        }
        job.decide();

        assertThat(job.actions()).containsExactly("create worker-4", "create worker-5", "create worker-6");

        job.vanish("worker-1", "worker-2", "worker-3").decide();
        assertThat(job.there())
                .containsExactly(
                        "master",
                        "ps-0",
                        "ps-1",
                        "worker-0",
                        "worker-4 pending",
                        "worker-5 pending",
                        "worker-6 pending");
        assertThat(job.actions()).isEmpty();
        assertThat(job.decision().wakeAfter()).isEmpty();

        job.runAll();
        job.decide();
        assertThat(job.there())
                .containsExactly("master", "ps-0", "ps-1", "worker-0", "worker-4", "worker-5", "worker-6");
        assertThat(job.messages(JobEvent.Type.REPLICA_RUNNING)).hasSize(3);
    }
}
