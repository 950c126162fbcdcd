package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.reconcile.ReplicaStates;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of ElasticDL's tutorial, without the rows of the other service. */
class PodTableTest {
    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

    private final JobPlan plan = SeedJob.plan();
    private final List<ObservedReplica> objects = new ArrayList<>();
    private final List<ReplicaState> known = new ArrayList<>();

    private void add(RoleType role, int id, ObservedPhase phase, boolean leaving, int age) {
        String name = plan.replicaName(role, id);
        ObservedReplica object = ObservedReplica.of(name, role, id, phase);
        objects.add(leaving ? object.beingDeleted() : object);
        known.add(ReplicaState.builder()
                .name(name)
                .role(role)
                .id(id)
                .index(0)
                .stage(ReplicaStage.RUNNING)
                .everObserved(true)
                .createdAt(NOW.minusSeconds(age))
                .build());
    }

    private void runs(RoleType role, int id, int age) {
        add(role, id, ObservedPhase.RUNNING, false, age);
    }

    private JobState state() {
        return JobState.builder()
                .from(JobState.initial(plan))
                .replicas(ReplicaStates.of(known))
                .build();
    }

    private JobStatus status() {
        return JobStatusFactory.of(plan, state(), new JobObservation(objects), NOW, List.of(), Duration.ZERO);
    }

    @Test
    void after_a_deletion() {
        runs(RoleType.WORKER, 4, 6);
        runs(RoleType.MASTER, 0, 51);
        runs(RoleType.PS, 0, 45);
        runs(RoleType.PS, 1, 44);
        runs(RoleType.WORKER, 1, 44);
        runs(RoleType.WORKER, 2, 44);
        runs(RoleType.WORKER, 3, 44);

        assertThat(status().table()).isEqualTo("""
                        NAME                            READY   STATUS    RESTARTS   AGE
                        elasticdl-test-mnist-master     1/1     Running   0          51s
                        elasticdl-test-mnist-ps-0       1/1     Running   0          45s
                        elasticdl-test-mnist-ps-1       1/1     Running   0          44s
                        elasticdl-test-mnist-worker-1   1/1     Running   0          44s
                        elasticdl-test-mnist-worker-2   1/1     Running   0          44s
                        elasticdl-test-mnist-worker-3   1/1     Running   0          44s
                        elasticdl-test-mnist-worker-4   1/1     Running   0          6s
                        """);
    }

    @Test
    void during_preemption() {
        runs(RoleType.MASTER, 0, 34);
        runs(RoleType.PS, 0, 27);
        runs(RoleType.PS, 1, 27);
        runs(RoleType.WORKER, 0, 27);
        add(RoleType.WORKER, 1, ObservedPhase.RUNNING, true, 27);
        add(RoleType.WORKER, 2, ObservedPhase.RUNNING, true, 27);
        add(RoleType.WORKER, 3, ObservedPhase.RUNNING, true, 26);

        assertThat(status().table()).isEqualTo("""
                        NAME                            READY   STATUS        RESTARTS   AGE
                        elasticdl-test-mnist-master     1/1     Running       0          34s
                        elasticdl-test-mnist-ps-0       1/1     Running       0          27s
                        elasticdl-test-mnist-ps-1       1/1     Running       0          27s
                        elasticdl-test-mnist-worker-0   1/1     Running       0          27s
                        elasticdl-test-mnist-worker-1   1/1     Terminating   0          27s
                        elasticdl-test-mnist-worker-2   1/1     Terminating   0          27s
                        elasticdl-test-mnist-worker-3   1/1     Terminating   0          26s
                        """);
    }

    @Test
    void after_preemption_and_back_again() {
        runs(RoleType.MASTER, 0, 123);
        runs(RoleType.PS, 0, 116);
        runs(RoleType.PS, 1, 116);
        runs(RoleType.WORKER, 0, 116);
        runs(RoleType.WORKER, 4, 88);
        add(RoleType.WORKER, 5, ObservedPhase.PENDING, false, 88);
        runs(RoleType.WORKER, 10, 5);

        assertThat(status().table()).isEqualTo("""
                        NAME                             READY   STATUS    RESTARTS   AGE
                        elasticdl-test-mnist-master      1/1     Running   0          2m3s
                        elasticdl-test-mnist-ps-0        1/1     Running   0          116s
                        elasticdl-test-mnist-ps-1        1/1     Running   0          116s
                        elasticdl-test-mnist-worker-0    1/1     Running   0          116s
                        elasticdl-test-mnist-worker-4    1/1     Running   0          88s
                        elasticdl-test-mnist-worker-5    0/1     Pending   0          88s
                        elasticdl-test-mnist-worker-10   1/1     Running   0          5s
                        """);
    }

    @Test
    void a_one_word_reason_is_the_status_of_an_ended_replica() {
        runs(RoleType.WORKER, 0, 1);
        objects.set(0, objects.get(0).withExitCode(0));
        runs(RoleType.WORKER, 1, 1);
        objects.set(1, objects.get(1).withExitCode(1).withReason("NaN loss at step 7"));
        runs(RoleType.WORKER, 2, 1);
        objects.set(2, objects.get(2).withExitCode(137).withReason("OOMKilled"));

        assertThat(status().replicas())
                .extracting(ReplicaStatus::status)
                .containsExactly("Completed", "Error", "OOMKilled");
        assertThat(status().replicas()).extracting(ReplicaStatus::ready).containsOnly("0/1");
    }
}
