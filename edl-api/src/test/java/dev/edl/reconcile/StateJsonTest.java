package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StateJsonTest {
    private static final Instant T0 = Instant.parse("2026-01-31T12:00:00.123456789Z");
    private static final JobPlan PLAN =
            Job.named("mnist").master().ps(1).workers(2).build().plan();

    @Test
    void a_new_state_is_short() {
        assertThat(JobState.initial(PLAN).toJson())
                .isEqualTo("{\"version\":1,\"phase\":\"PENDING\",\"desired\":{\"master\":1,\"ps\":1,\"worker\":2},"
                        + "\"nextIds\":{\"master\":0,\"ps\":0,\"worker\":0},\"replicas\":[]}");
    }

    @Test
    void every_part_comes_back() {
        JobState state = JobState.builder()
                .phase(JobPhase.FAILED)
                .message("worker-3 failed: \"exit 70\"\n\u00e9")
                .putDesired(RoleType.WORKER, 2)
                .putNextIds(RoleType.WORKER, 4)
                .startedAt(T0)
                .endedAt(T0.plusSeconds(5))
                .cancelRequested(true)
                .suspendRequested(true)
                .resumedAt(T0.plusSeconds(1))
                .collectRequestedAt(T0.plusSeconds(6))
                .collected(true)
                .replicas(ReplicaStates.of(List.of(ReplicaState.builder()
                        .name("w3")
                        .role(RoleType.WORKER)
                        .id(3)
                        .index(1)
                        .stage(ReplicaStage.FAILED)
                        .relaunchesUsed(2)
                        .restarts(1)
                        .retries(3)
                        .everObserved(true)
                        .uid("0c9b8a76")
                        .createdAt(T0)
                        .endedAt(T0.plusSeconds(4))
                        .backoffUntil(T0.minusSeconds(1))
                        .requestedAt(T0.plusSeconds(2))
                        .exitCode(OptionalInt.of(-1))
                        .blockedSince(T0.plusSeconds(3))
                        .reason("OOMKilled")
                        .message("its limit of memory is 1Gi")
                        .build())))
                .build();

        assertThat(JobState.fromJson(state.toJson())).isEqualTo(state);
        assertThat(JobState.fromJson(state.toJson()).toJson()).isEqualTo(state.toJson());
    }

    @Test
    void a_state_on_its_way_comes_back() {
        JobState state = JobState.initial(PLAN);
        JobObservation seen = JobObservation.nothing();
        for (int turn = 0; turn < 4; turn++) {
            Decision decision = Reconciler.standard().reconcile(PLAN, state, seen, T0.plusSeconds(turn));
            state = decision.next();
            assertThat(JobState.fromJson(state.toJson())).isEqualTo(state);
        }
        assertThat(state.replicas()).hasSize(4);
    }

    @Test
    void an_invalid_state_is_rejected_with_its_path() {
        refused("", "state must be a JSON object, was ");
        refused("[]", "state must be a JSON object, was []");
        refused("{\"version\":", "state is not valid JSON (column 12): ");
        refused(
                "{\"version\":2}",
                "state.version must be 1, was 2; a newer EDL wrote it, or it is not a state of a job");
        refused("{\"version\":1}", "state.phase is missing");
        refused(
                "{\"version\":1,\"phase\":\"LOST\"}",
                "state.phase must be one of [PENDING, RUNNING, SUSPENDED, SUCCEEDED, FAILED, CANCELLED], was \"LOST\"");
        String start = "{\"version\":1,\"phase\":\"PENDING\",\"desired\":{},\"nextIds\":{},\"replicas\":";
        refused(start + "{}}", "state.replicas must be a list, was {}");
        refused(start + "[{\"id\":0}]}", "state.replicas[0].name is missing");
        String one =
                "{\"name\":\"w\",\"role\":\"worker\",\"id\":0,\"stage\":\"RUNNING\",\"created\":\"2026-01-01T00:00:00Z\"}";
        refused(start + "[" + one + "," + one + "]}", "state.replicas[1].name must be unique, was \"w\" twice");
        refused(start + "[],\"more\":1}", "state.more is unknown; a newer EDL wrote it, or it is not a state of a job");
        refused(
                "{\"version\":1,\"phase\":\"PENDING\",\"startedAt\":\"noon\"}",
                "state.startedAt must be a time like 2026-01-31T12:00:00Z, was \"noon\"");
    }

    private static void refused(String json, String message) {
        assertThatThrownBy(() -> JobState.fromJson(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
