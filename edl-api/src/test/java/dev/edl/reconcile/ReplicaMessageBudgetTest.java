package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaMessageBudgetTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobPlan PLAN = Job.named("mnist")
            .image("mnist:1")
            .tensorflow()
            .workers(200)
            .build()
            .plan();

    /** Returns the state after every worker has failed with a message, one after the other. */
    private static JobState failed(IntFunction<String> message) {
        JobState.Builder state = JobState.builder().from(JobState.initial(PLAN)).phase(JobPhase.RUNNING);
        state.startedAt(NOW);
        List<ReplicaState> replicas = IntStream.range(0, 200)
                .mapToObj(id -> (ReplicaState) ReplicaState.builder()
                        .name(PLAN.replicaName(RoleType.WORKER, id))
                        .role(RoleType.WORKER)
                        .id(id)
                        .index(id)
                        .stage(ReplicaStage.FAILED)
                        .createdAt(NOW)
                        .endedAt(NOW.plusSeconds(id))
                        .exitCode(OptionalInt.of(1))
                        .message(message.apply(id))
                        .build())
                .toList();
        return Reconciler.standard()
                .reconcile(
                        PLAN,
                        state.replicas(ReplicaStates.of(replicas)).build(),
                        JobObservation.nothing(),
                        NOW.plusSeconds(300))
                .next();
    }

    private static List<Integer> told(JobState state) {
        return state.replicas().values().stream()
                .filter(replica -> replica.message().isPresent())
                .map(ReplicaState::id)
                .toList();
    }

    @Test
    void messages_within_the_budget_stay() {
        assertThat(told(failed(id -> "x".repeat(1000)))).hasSize(200);
    }

    @Test
    void of_too_many_the_newest_stay() {
        JobState state = failed(id -> id + "x".repeat(1997));

        assertThat(told(state)).hasSizeBetween(45, 50).allMatch(id -> id >= 150);
        assertThat(state.toJson().length()).isLessThan(200_000);
    }

    @Test
    void distinct_texts_stay_before_repeated_ones() {
        JobState state = failed(id -> (id < 10 ? id : "many") + "x".repeat(1990));

        assertThat(told(state)).contains(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 199).doesNotContain(11, 12, 13);
    }

    @Test
    void escaped_characters_count_as_written() {
        JobState state = failed(id -> id + "\u0001".repeat(400));

        assertThat(told(state)).hasSizeLessThan(50);
    }

    @Test
    void a_replica_without_its_message_has_its_exit_code() {
        JobState state = failed(id -> id + "x".repeat(1997));

        assertThat(state.replicas().values())
                .allSatisfy(replica -> assertThat(replica.exitCode()).hasValue(1));
    }
}
