package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplicitReplicaIdsRuleTest {
    private static final JobPlan PLAN = Job.named("elastic")
            .horovod()
            .image("horovod:1")
            .launcher()
            .workers(3)
            .build()
            .plan(Profile.ET_V1ALPHA1);

    private final Trial job = Trial.running(PLAN);

    ExplicitReplicaIdsRuleTest() {
        job.runAll();
        job.decide();
    }

    private void members(Integer... ids) {
        job.state = job.state.withPinnedIds(RoleType.WORKER, List.of(ids));
        job.decide();
    }

    @Test
    void a_removed_middle_id_is_not_filled_again() {
        members(0, 2);

        assertThat(job.actions()).containsExactly("delete elastic-worker-1: scaled in");
        assertThat(job.messages(JobEvent.Type.SCALED)).containsExactly("scaled worker from 3 to 2");
        assertThat(job.messages(JobEvent.Type.REPLICA_DELETED)).containsExactly("removed elastic-worker-1: scaled in");
        assertThat(job.decide().actions()).isEmpty();
        assertThat(job.state.desired()).containsEntry(RoleType.WORKER, 2);
    }

    @Test
    void pinned_ids_may_exceed_the_bounds() {
        members(0, 1, 2, 5);

        assertThat(job.actions()).containsExactly("create elastic-worker-5");
        assertThat(job.replica("worker-5").index()).isEqualTo(5);
    }

    @Test
    void pinning_the_same_ids_again_changes_nothing() {
        members(0, 1);
        members(0, 1);

        assertThat(job.actions()).isEmpty();
        assertThat(job.messages(JobEvent.Type.SCALED)).isEmpty();
    }

    @Test
    void an_id_pinned_again_while_terminating_is_recreated() {
        job.state = job.state.withPinnedIds(RoleType.WORKER, List.of(0, 1));
        job.decide();
        members(0, 1, 2);

        assertThat(job.actions()).containsExactly("create elastic-worker-2");
    }

    @Test
    void a_relaunched_pinned_replica_keeps_its_id() {
        members(0, 2);
        job.objects.remove("elastic-worker-2");
        job.decide();

        assertThat(job.actions()).containsExactly("create elastic-worker-2");
    }

    @Test
    void a_number_takes_the_place_of_the_ids() {
        members(0, 2);
        job.after(Duration.ofSeconds(5));
        job.state = job.state.withDesired(RoleType.WORKER, 3);
        job.decide();

        assertThat(job.state.pinnedIds()).isEmpty();
        assertThat(job.actions()).containsExactly("create elastic-worker-1");
    }

    @Test
    void pinned_ids_are_persisted() {
        members(0, 2);

        assertThat(job.state.toJson()).contains("\"members\":{\"worker\":[0,2]}");
        assertThat(JobState.fromJson(job.state.toJson())).isEqualTo(job.state);
    }
}
