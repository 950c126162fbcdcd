package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.reconcile.ReplicaStates;
import dev.edl.spec.RoleType;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSlotTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .image("mnist:1")
            .master()
            .workers(2)
            .elastic(1, 4)
            .build()
            .plan();
    private static final JobState NEW = JobState.initial(PLAN);

    private static JobState with(int id, int index) {
        return JobState.builder()
                .from(NEW)
                .replicas(ReplicaStates.of(List.of(ReplicaState.builder()
                        .name("elasticdl-mnist-worker-" + id)
                        .role(RoleType.WORKER)
                        .id(id)
                        .index(index)
                        .stage(ReplicaStage.RUNNING)
                        .createdAt(Instant.EPOCH)
                        .build())))
                .build();
    }

    @Test
    void an_initial_replica_has_its_slot_before_it_exists() {
        assertThat(ReplicaSlot.of(PLAN, NEW, "worker-1")).isEqualTo(new ReplicaSlot(RoleType.WORKER, 1));
        assertThat(ReplicaSlot.of(PLAN, NEW, "elasticdl-mnist-master")).isEqualTo(new ReplicaSlot(RoleType.MASTER, 0));
    }

    @Test
    void a_relaunched_replica_has_the_slot_of_its_predecessor() {
        assertThat(ReplicaSlot.of(PLAN, with(4, 1), "worker-4")).isEqualTo(new ReplicaSlot(RoleType.WORKER, 1));
        assertThat(ReplicaSlot.of(PLAN, with(4, 1), "elasticdl-mnist-worker-4"))
                .isEqualTo(new ReplicaSlot(RoleType.WORKER, 1));
    }

    @Test
    void an_unknown_name_is_refused_with_the_nearest() {
        assertThatThrownBy(() -> ReplicaSlot.of(PLAN, NEW, "wroker-1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"mnist\" has no replica \"wroker-1\"; the nearest is \"worker-1\"");
        assertThatThrownBy(() -> ReplicaSlot.of(PLAN, NEW, "x"))
                .hasMessage("job \"mnist\" has no replica \"x\"; a valid one is \"master\"");
    }

    @Test
    void a_slot_is_within_the_bounds_of_its_role() {
        assertThat(ReplicaSlot.of(PLAN, "worker", 3)).isEqualTo(new ReplicaSlot(RoleType.WORKER, 3));
        assertThatThrownBy(() -> ReplicaSlot.of(PLAN, "worker", 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"mnist\": the index of a worker must be from 0 to 3, was 4");
    }
}
