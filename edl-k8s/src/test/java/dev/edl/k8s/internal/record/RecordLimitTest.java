package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.RenderException;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.reconcile.ReplicaStates;
import dev.edl.spec.RoleType;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordLimitTest {
    private static final long SEED = 20261123;
    /** Most replaced replicas that a state stores; ReplacedReplicasTest of edl-api checks it. */
    private static final int REPLACED = 1_000;

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** Returns a job of this many replicas: a master and workers. */
    private static JobPlan plan(int replicas) {
        return Job.named("a-job-with-a-name-of-some-length")
                .namespace("test")
                .image("registry.example/team/mnist:1")
                .command("python", "train.py")
                .master()
                .workers(replicas - 1)
                .build()
                .plan();
    }

    /**
     * Largest counts of a relaunch policy.
     *
     * @param spent relaunches of a limit
     * @param retries in a row after free or temporary exit codes
     */
    private record Policy(String name, int spent, int retries) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Policy> policies() {
        return Stream.of(
                new Policy("relaunchLimit(7)", 7, 0),
                new Policy("ALWAYS", 1000, 0),
                new Policy("free exit codes", 0, 1000));
    }

    /**
     * Returns the largest state. Every slot was relaunched out of order at its own time, waited, and failed at another
     * time. It has the most replaced replicas and messages that a state stores.
     */
    private static JobState worst(JobPlan plan, int workers, Policy policy) {
        Random random = new Random(SEED);
        List<ReplicaState> replicas = new ArrayList<>();
        List<Integer> indexes = IntStream.range(0, workers + REPLACED).boxed().collect(Collectors.toList());
        Collections.shuffle(indexes, random);
        Instant at = NOW;
        long messages = 0;
        for (int id = 0; id < workers + REPLACED; id++) {
            // Decision times have milliseconds.
            at = at.plusMillis(1 + random.nextInt(1_000));
            Instant asked = at.plusMillis(1_000 + random.nextInt(300_000));
            ReplicaState.Builder failed = ReplicaState.builder()
                    .name(plan.replicaName(RoleType.WORKER, id))
                    .role(RoleType.WORKER)
                    .id(id)
                    .index(indexes.get(id))
                    .stage(id < REPLACED ? ReplicaStage.REPLACED : ReplicaStage.FAILED)
                    .everObserved(true)
                    .relaunchesUsed(random.nextInt(policy.spent() + 1))
                    .retries(random.nextInt(policy.retries() + 1))
                    .createdAt(at)
                    .backoffUntil(at.plusSeconds(1L << random.nextInt(8)))
                    .requestedAt(asked)
                    .endedAt(asked.plusMillis(random.nextInt(100_000_000)))
                    .exitCode(OptionalInt.of(random.nextInt(256)))
                    .reason("Error")
                    .uid(uuid(random));
            if (messages < 200_000) {
                byte[] bytes = new byte[768];
                random.nextBytes(bytes);
                String message = Base64.getEncoder().encodeToString(bytes);
                messages += message.length();
                failed.message(message);
            }
            replicas.add(failed.build());
        }
        return JobState.builder()
                .from(JobState.initial(plan))
                .replicas(ReplicaStates.of(replicas))
                .build();
    }

    /** Returns a uid as random as that of a pod, which a state stores. */
    private static String uuid(Random random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private static int bytes(JobState state) {
        return Base64.getDecoder().decode(new StatePacker().pack(state)).length;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void the_largest_accepted_job_fits_into_a_config_map(Policy policy) {
        int most = RecordLimit.most(plan(2));
        JobPlan plan = plan(most);
        RecordLimit.check(plan);

        int job = Job.of(plan.spec()).toYaml().length();
        JobState worst = worst(plan, most, policy);
        int state = bytes(worst);

        assertThat(job + state).as("%s replicas, seed %s", most, SEED).isBetween(900_000, 1_048_576 - 10_000);
        assertThat(StatePacker.unpack(new StatePacker().pack(worst)).toJson()).isEqualTo(worst.toJson());
    }

    @Test
    void a_job_of_forty_four_thousand_replicas_is_accepted() {
        RecordLimit.check(plan(44_000));
    }

    @Test
    void a_larger_job_is_refused_with_the_limit() {
        int most = RecordLimit.most(plan(2));

        assertThatThrownBy(() -> RecordLimit.check(plan(most + 1)))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"a-job-with-a-name-of-some-length\" may have " + (most + 1)
                        + " replicas, and its record, ConfigMap edl-job-a-job-with-a-name-of-some-length, has room for "
                        + most + "; use fewer replicas or a lower elastic maximum, or several jobs");
    }

    @Test
    void a_job_with_a_long_text_has_room_for_fewer() {
        JobPlan plain = plan(2);
        JobPlan wordy = Job.of(plain.spec()).toBuilder()
                .env("CONFIG", "x".repeat(100_000))
                .build()
                .plan();

        assertThat(RecordLimit.most(plain) - RecordLimit.most(wordy)).isBetween(5000, 6000);
    }
}
