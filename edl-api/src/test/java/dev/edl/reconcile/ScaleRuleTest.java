package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.SeedJob;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import org.junit.jupiter.api.Test;

class ScaleRuleTest {
    private final Trial job = Trial.running(SeedJob.plan());

    private void scale(int workers) {
        job.state = job.state.withDesired(RoleType.WORKER, workers);
        job.decide();
    }

    @Test
    void growing_takes_the_next_ids_and_the_lowest_free_indexes() {
        job.vanish("worker-0").decide();
        scale(6);

        assertThat(job.actions()).containsExactly("create worker-5", "create worker-6");
        assertThat(job.messages(JobEvent.Type.SCALED)).containsExactly("scaled worker from 4 to 6");
        assertThat(job.replica("worker-5").index()).isEqualTo(4);
        assertThat(job.replica("worker-6").index()).isEqualTo(5);
    }

    @Test
    void shrinking_takes_the_highest_ids_and_nothing_comes_back() {
        scale(2);

        assertThat(job.actions())
                .containsExactlyInAnyOrder(
                        "delete worker-3: scaled down to 2, the highest id goes first",
                        "delete worker-2: scaled down to 2, the highest id goes first");
        job.decide();
        assertThat(job.there()).containsExactly("master", "ps-0", "ps-1", "worker-0", "worker-1");
        assertThat(job.actions()).isEmpty();
        assertThat(job.state.replicas()).hasSize(5);
    }

    @Test
    void shrinking_takes_those_that_do_not_run_yet_first() {
        job.vanish("worker-0", "worker-1").decide();
        job.change("worker-5", o -> ObservedReplica.of(o.name(), o.role(), o.id(), ObservedPhase.RUNNING))
                .decide();
        scale(3);

        assertThat(job.actions()).containsExactly("delete worker-4: scaled down to 3, it did not run yet");
    }

    @Test
    void a_freed_index_is_taken_again_while_ids_go_on() {
        scale(2);
        scale(3);

        assertThat(job.actions()).containsExactly("create worker-4");
        assertThat(job.replica("worker-4").index()).isEqualTo(2);
    }

    @Test
    void a_worker_that_goes_while_the_role_shrinks_is_not_replaced() {
        job.vanish("worker-0");
        scale(3);

        assertThat(job.actions()).isEmpty();
        assertThat(job.state.replicas().keySet())
                .filteredOn(n -> n.contains("worker"))
                .hasSize(3);
    }

    @Test
    void a_number_out_of_bounds_counts_as_the_bound() {
        scale(20);

        assertThat(job.state.replicas().keySet())
                .filteredOn(n -> n.contains("worker"))
                .hasSize(8);
    }

    @Test
    void the_leading_worker_stays_although_its_id_is_the_highest() {
        RoleSpec workers = RoleSpec.builder()
                .type(RoleType.WORKER)
                .replicas(3)
                .elastic(new ElasticBounds(1, 3))
                .template(RoleTemplate.empty())
                .build();
        Trial led = Trial.running(SeedJob.plan(JobSpec.builder()
                .name("led")
                .addRoles(workers)
                .policy(RunPolicy.builder().success(SuccessPolicy.LEADER).build())
                .build()));
        led.vanish("worker-0").decide();
        led.runAll();
        led.decide();
        led.state = led.state.withDesired(RoleType.WORKER, 1);
        led.decide();

        assertThat(led.there()).containsExactly("worker-3");
    }
}
