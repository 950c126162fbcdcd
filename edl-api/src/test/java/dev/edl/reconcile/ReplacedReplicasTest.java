package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplacedReplicasTest {
    private static final int WORKERS = 300;

    private static Trial running(RestartPolicy restart, int limit, CleanupPolicy cleanup) {
        return Trial.running(Job.named("test-mnist")
                .image("img")
                .restart(restart)
                .relaunchLimit(limit)
                .cleanup(cleanup)
                .master()
                .workers(WORKERS)
                .build()
                .plan());
    }

    /** Lets all running workers fail and their successors run. */
    private static void rollout(Trial job, int code) {
        job.objects.replaceAll(
                (name, o) -> o.role() == RoleType.WORKER && !o.phase().ended() ? o.withExitCode(code) : o);
        job.decide().after(Duration.ofHours(1)).decide();
        job.runAll();
        job.decide();
    }

    private static int replaced(Trial job) {
        return job.state.replicas().count(RoleType.WORKER, ReplicaStage.REPLACED);
    }

    @ParameterizedTest
    @CsvSource({
        // exit code, and used relaunches of a slot after seven rounds
        "ON_FAILURE, 7,   1, 7",
        "ALWAYS,     1,   1, 7",
        "ON_FAILURE, 1, 137, 0",
    })
    void a_state_bounds_replaced_replicas_and_keeps_used_relaunches(
            RestartPolicy restart, int limit, int code, int spent) {
        Trial job = running(restart, limit, CleanupPolicy.NONE);
        for (int round = 0; round < 7; round++) {
            rollout(job, code);
            assertThat(replaced(job)).isLessThanOrEqualTo(1_000);
        }

        assertThat(job.state.replicas().count(RoleType.WORKER, ReplicaStage.RUNNING))
                .isEqualTo(WORKERS);
        assertThat(job.state.replicas().values())
                .filteredOn(r -> r.stage() == ReplicaStage.RUNNING && r.role() == RoleType.WORKER)
                .allSatisfy(r -> assertThat(r.relaunchesUsed()).isEqualTo(spent));
        assertThat(job.state.nextIds().get(RoleType.WORKER)).isEqualTo(8 * WORKERS);
    }

    @Test
    void the_oldest_are_forgotten_first_and_their_objects_stay() {
        Trial job = running(RestartPolicy.ALWAYS, 1, CleanupPolicy.NONE);
        for (int round = 0; round < 4; round++) {
            rollout(job, 1);
        }

        List<Integer> kept = job.state.replicas().values().stream()
                .filter(r -> r.stage() == ReplicaStage.REPLACED)
                .map(ReplicaState::id)
                .toList();
        // The newest 500 of 1,200.
        assertThat(kept)
                .containsExactlyElementsOf(IntStream.range(700, 1_200).boxed().toList());
        assertThat(job.objects).hasSize(1 + 5 * WORKERS);
        job.decide();
        assertThat(job.actions()).isEmpty();
    }

    @Test
    void objects_of_forgotten_replicas_are_removed_at_the_end() {
        Trial job = running(RestartPolicy.ALWAYS, 1, CleanupPolicy.ALL);
        for (int round = 0; round < 4; round++) {
            rollout(job, 1);
        }

        job.exits("master", 0).decide().after(Duration.ofSeconds(1)).decide();

        assertThat(job.there()).isEmpty();
    }

    @Test
    void a_parsed_state_identifies_objects_by_the_short_uid() {
        String uid = "9f86d081-884c-4d63-a9c1-5d3b1f6e2a70";
        Trial job = running(RestartPolicy.ON_FAILURE, 1, CleanupPolicy.NONE);
        job.change("worker-7", o -> o.withUid(uid));
        ReplicaState known =
                ImmutableReplicaState.copyOf(job.replica("worker-7")).withUid(uid);
        ReplicaStates.Editor all = job.state.replicas().edit();
        all.put(known);
        job.state = JobState.fromJson(
                ImmutableJobState.copyOf(job.state).withReplicas(all.replicas()).toJson());

        assertThat(job.replica("worker-7").uid()).contains("1f6e2a70");
        job.decide();
        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("worker-7").uid()).contains(uid);

        job.state = JobState.fromJson(job.state.toJson());
        job.change("worker-7", o -> o.withUid("9f86d081-884c-4d63-a9c1-5d3b1f6e2a71"));
        job.decide();
        assertThat(job.replica("worker-7").stage()).isEqualTo(ReplicaStage.REPLACED);
    }

    @Test
    void two_whole_uids_are_compared_whole() {
        Trial job = running(RestartPolicy.ON_FAILURE, 1, CleanupPolicy.NONE);
        job.change("worker-7", o -> o.withUid("9f86d081-884c-4d63-a9c1-5d3b1f6e2a70"));
        ReplicaStates.Editor all = job.state.replicas().edit();
        all.put(ImmutableReplicaState.copyOf(job.replica("worker-7")).withUid("9f86d082-884c-4d63-a9c1-5d3b1f6e2a70"));
        job.state = ImmutableJobState.copyOf(job.state).withReplicas(all.replicas());
        job.decide();

        assertThat(job.replica("worker-7").stage()).isEqualTo(ReplicaStage.REPLACED);
    }
}
