package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaStatesTest {
    private static final List<ReplicaStage> STAGES = List.of(ReplicaStage.values());

    private static ReplicaState worker(int id, ReplicaStage stage) {
        return ReplicaState.builder()
                .name("w-" + id)
                .role(RoleType.WORKER)
                .id(id)
                .index(id)
                .stage(stage)
                .createdAt(Trial.START)
                .build();
    }

    private static Trial thousand() {
        return Trial.running(
                Job.named("many").image("many:1").master().workers(1000).build().plan());
    }

    private static List<ReplicaState> unsettled(Trial job) {
        return new ReconcileContext(job.plan, job.state, new JobObservation(job.objects.values()), job.now, true, true)
                .unsettled();
    }

    @Test
    void two_of_one_name_are_refused() {
        assertThatThrownBy(() ->
                        ReplicaStates.of(List.of(worker(1, ReplicaStage.RUNNING), worker(1, ReplicaStage.PENDING))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two replicas have the name \"w-1\"");
    }

    @Test
    void counts_by_stage_and_open_marks_match_the_edits() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            ReplicaStates replicas = ReplicaStates.none();
            Map<String, ReplicaState> open = new HashMap<>();
            for (int edit = 0; edit < 60; edit++) {
                ReplicaStates.Editor editor = replicas.edit();
                for (int i = random.nextInt(8); i > 0; i--) {
                    ReplicaState one = worker(random.nextInt(60), STAGES.get(random.nextInt(STAGES.size())));
                    switch (random.nextInt(3)) {
                        case 0 -> {
                            editor.remove(one.name());
                            open.remove(one.name());
                        }
                        case 1 -> {
                            editor.put(one);
                            open.put(one.name(), one);
                        }
                        default -> {
                            editor.put(one);
                            editor.settle(one.name());
                            open.remove(one.name());
                        }
                    }
                }
                String at = "seed " + seed;
                assertThat(editor.open(r -> true)).as(at).containsAll(open.values());
                replicas = editor.replicas(null);
                for (ReplicaStage stage : ReplicaStage.values()) {
                    assertThat((long) replicas.count(RoleType.WORKER, stage))
                            .as(at)
                            .isEqualTo(replicas.values().stream()
                                    .filter(r -> r.stage() == stage)
                                    .count());
                }
                assertThat(ReplicaStates.of(replicas.values())).as(at).isEqualTo(replicas);
            }
        }
    }

    @Test
    void a_decision_checks_only_replicas_that_have_changed() {
        Trial job = thousand();
        assertThat(unsettled(job)).isEmpty();

        job.change("worker-7", ObservedReplica::beingDeleted);
        assertThat(unsettled(job)).extracting(ReplicaState::name).containsExactly(job.name("worker-7"));

        job.decide();
        assertThat(unsettled(job))
                .extracting(ReplicaState::name)
                .containsExactly(job.name("worker-7"), job.name("worker-1000"));

        job.vanish("worker-7").runAll();
        job.decide();
        assertThat(unsettled(job)).isEmpty();
        assertThat(job.state.replicas()).hasSize(1001);
    }

    @Test
    void every_replica_of_a_parsed_state_is_checked() {
        Trial job = thousand();
        job.state = JobState.fromJson(job.state.toJson());

        assertThat(unsettled(job)).hasSize(1001);
        job.decide();
        assertThat(unsettled(job)).isEmpty();
    }

    @Test
    void a_replica_that_is_marked_as_seen_is_unsettled() {
        Trial job = new Trial(thousand().plan).decide();
        job.runAll();
        job.objects.remove(job.name("worker-7"));
        job.decide();
        assertThat(job.replica("worker-7").everObserved()).isFalse();

        job.state = job.state.withObserved(job.name("worker-7"));
        job.decide();
        assertThat(job.actions()).containsExactly("create worker-1000");
    }

    @Test
    void marking_an_observed_replica_returns_the_same_state() {
        Trial job = thousand();
        assertThat(job.state.withObserved(job.name("worker-7"))).isSameAs(job.state);
    }

    @Test
    void an_observation_is_made_of_the_last_one() {
        List<ObservedReplica> all = new ArrayList<>();
        for (int id = 0; id < 50; id++) {
            all.add(ObservedReplica.of("w-" + id, RoleType.WORKER, id, ObservedPhase.PENDING));
        }
        JobObservation first = new JobObservation(all);
        ObservedReplica going = all.get(3).withNotice(new NodeNotice("node-1", "cordoned"));
        JobObservation next = first.with(List.of(going), List.of("w-4", "w-99"));

        assertThat(next.size()).isEqualTo(49);
        assertThat(next.noticedCount()).isEqualTo(1);
        assertThat(next.replica("w-3")).contains(going);
        assertThat(next.replica("w-4")).isEmpty();
        assertThat(next.differing(first)).containsOnly("w-3", "w-4");
        assertThat(next.with(List.of(all.get(3), all.get(4)), List.of())).isEqualTo(first);
        assertThat(next.with(List.of(), List.of("w-3")).noticedCount()).isZero();
        assertThat(first.noticedCount()).isZero();
    }
}
