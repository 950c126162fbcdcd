package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import dev.edl.plan.SeedJob;
import dev.edl.reconcile.BothWays;
import dev.edl.reconcile.JobState;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random histories of faults, each from its seed: once faults stop, the job reaches the goal of its spec and stays
 * there.
 *
 * <p>Faults are:
 *
 * <ul>
 *   <li>Deletions by users and by the cluster, exit codes, out-of-memory kills.
 *   <li>Late observations, refused requests, requests without a response, scaling.
 *   <li>A program that dies between persisting a state and applying all its actions.
 *   <li>Requests of such a program that take effect much later.
 * </ul>
 */
class ConvergenceTest {
    /** {@code -Dedl.histories=6000} tries more. */
    private static final int SEEDS = Integer.getInteger("edl.histories", 200);

    private static final int FAULTS = 60;
    private static final int CALM = 60;
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private static final class History {
        final Random random;
        final SimPlace place = new SimPlace();
        final List<JobState> kept = new ArrayList<>();
        final JobPlan plan;
        final int seed;
        final Duration lag;
        boolean crashed;
        int workers = 4;
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        ControlLoop job;

        History(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            // Half of the loops persist observations late.
            this.lag = seed % 2 == 0 ? Duration.ZERO : Duration.ofSeconds(3);
            this.plan = plan();
            kept.add(JobState.initial(plan));
            this.job = loop();
        }

        private JobPlan plan() {
            RunPolicy policy = RunPolicy.builder()
                    .cleanup(random.nextBoolean() ? CleanupPolicy.RUNNING : CleanupPolicy.ALL)
                    .backoff(
                            random.nextBoolean()
                                    ? Backoff.NONE
                                    : Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(20)))
                    .build();
            // Half of the histories allow so many failures that the job cannot end by them.
            RoleTemplate limits = RoleTemplate.builder()
                    .relaunchLimit(random.nextBoolean() ? 1000 : 2)
                    .exitCodes(new ExitCodePolicy(Set.of(137), Set.of(random.nextInt(10) == 0 ? 9 : 99), Set.of(75)))
                    .build();
            return SeedJob.plan(SeedJob.spec().policy(policy).defaults(limits).build());
        }

        private ControlLoop loop() {
            return ControlLoop.of(plan, place)
                    .reconciler(new BothWays())
                    .clock(() -> now)
                    .journal(
                            state -> {
                                if (!crashed) {
                                    kept.add(state);
                                }
                            },
                            lag)
                    .from(kept.get(kept.size() - 1))
                    .retry(RetryPolicy.of(Backoff.doubling(Duration.ofMillis(200), LONGEST)))
                    .manual();
        }

        String at(String what) {
            return what + " (seed " + seed + ")\n" + job.state() + "\nplace: " + place.objects + "\napplied: "
                    + place.applied;
        }

        Optional<Duration> step() {
            try {
                return job.step();
            } catch (SimPlace.Crash crash) {
                // Deferred states are lost.
                crashed = true;
                job.close();
                crashed = false;
                job = loop();
                return Optional.of(Duration.ZERO);
            }
        }

        void fault() {
            String victim = place.any(random);
            switch (random.nextInt(19)) {
                case 0, 1 -> place.vanish(victim);
                case 2 -> place.leave(victim);
                case 3 -> place.sweep();
                case 4 -> exit(victim, 1, "");
                case 5, 6 -> exit(victim, 137, random.nextBoolean() ? "OOMKilled" : "");
                case 7 -> exit(victim, victim.contains("worker") ? 0 : 1, "");
                case 8 -> exit(victim, 9, "");
                case 9 -> place.refuses = !place.refuses;
                case 10 -> place.blind = !place.blind;
                case 11 -> place.lag = random.nextInt(4);
                case 12 -> place.crashIn = 1 + random.nextInt(3);
                case 13 -> scale(1 + random.nextInt(8));
                case 14 -> deleteByHand();
                case 15, 16 -> place.late(random);
                case 17 -> exit(victim, 75, "");
                default -> place.startAll();
            }
            if (random.nextInt(3) > 0) {
                place.start(victim);
            }
        }

        private void exit(String victim, int code, String reason) {
            place.exit(victim, code, reason);
        }

        private void scale(int to) {
            if (!job.state().phase().ended()) {
                // A request that was not handled when the program dies is lost with it: step at once, without a
                // crash.
                int crash = place.crashIn;
                place.crashIn = 0;
                boolean blind = place.blind;
                place.blind = false;
                // No pass runs before the pause of a failed observation is over.
                now = now.plus(LONGEST);
                job.scale("worker", to);
                workers = to;
                step();
                place.blind = blind;
                place.crashIn = crash;
            }
        }

        private void deleteByHand() {
            List<ReplicaStatus> there = job.status().replicas();
            if (!there.isEmpty() && !job.state().phase().ended()) {
                job.delete(there.get(random.nextInt(there.size())).name());
            }
        }

        void calm() {
            place.refuses = false;
            place.blind = false;
            place.lag = 0;
            place.crashIn = 0;
            for (int i = 0; i < CALM; i++) {
                int before = place.applied.size();
                Optional<Duration> next = step();
                boolean moved = place.applied.size() > before;
                place.sweep();
                place.startAll();
                if (next.isEmpty() && !moved && step().isEmpty()) {
                    return;
                }
                now = now.plus(next.orElse(Duration.ZERO));
            }
            throw new AssertionError(at("does not come to rest in " + CALM + " passes"));
        }

        long running(RoleType role) {
            return place.objects.values().stream()
                    .filter(o -> o.role() == role && o.phase() == ObservedPhase.RUNNING && !o.terminating())
                    .count();
        }
    }

    private static void faults(History history) {
        for (int i = 0; i < FAULTS; i++) {
            history.fault();
            history.step();
            history.now = history.now.plusMillis(history.random.nextInt(1500));
        }
    }

    private static void reachesItsGoal(History history) {
        JobStatus status = history.job.status();
        if (status.phase().ended()) {
            assertThat(status.phase())
                    .as(() -> history.at("only a failure ends these jobs"))
                    .isEqualTo(JobPhase.FAILED);
            return;
        }
        for (RoleStatus role : status.roles()) {
            int wanted = role.role() == RoleType.WORKER ? history.workers : role.desired();
            int filled = role.running() + role.succeeded() + role.failed();
            // Scaling down does not remove ended workers.
            assertThat(filled)
                    .as(() -> history.at(role.role() + " has its places"))
                    .isGreaterThanOrEqualTo(wanted);
            assertThat(role.running())
                    .as(() -> history.at(role.role() + " runs no more than wanted"))
                    .isLessThanOrEqualTo(wanted);
            assertThat(history.running(role.role()))
                    .as(() -> history.at(role.role() + " runs where it is said to"))
                    .isEqualTo(role.running());
        }
    }

    private static void rests(History history) {
        List<String> before = List.copyOf(history.place.applied);
        for (int i = 0; i < 3; i++) {
            history.now = history.now.plusSeconds(100);
            assertThat(history.step())
                    .as(() -> history.at("a job at rest needs no time"))
                    .isEmpty();
        }
        assertThat(history.place.applied)
                .as(() -> history.at("a job at rest needs nothing"))
                .isEqualTo(before);
    }

    private static void endsWithItsLeader(History history) {
        if (!history.job.status().phase().ended()) {
            history.place.exit("elasticdl-test-mnist-master", 0, "");
            history.calm();
            assertThat(history.job.status().phase())
                    .as(() -> history.at("the leader's success"))
                    .isEqualTo(JobPhase.SUCCEEDED);
        }
        assertThat(history.job.finished())
                .as(() -> history.at("nothing is left to do"))
                .isTrue();
        assertThat(history.place.objects.values())
                .as(() -> history.at("nothing runs"))
                .allMatch(o -> o.phase().ended());
    }

    private static void neverLeavesItsEnd(History history) {
        JobPhase end = history.job.status().phase();
        List<String> before = List.copyOf(history.place.applied);
        List.copyOf(history.place.objects.keySet()).forEach(history.place::vanish);
        history.job.cancel();
        rests(history);
        assertThat(history.place.applied).isEqualTo(before);
        assertThat(history.job.status().phase()).as(() -> history.at("its end")).isEqualTo(end);
        JobPhase last = JobPhase.PENDING;
        for (JobState state : history.kept) {
            assertThat(last.ended() && state.phase() != last)
                    .as(() -> history.at("an end is never left"))
                    .isFalse();
            last = state.phase();
        }
    }

    @Test
    void once_faults_stop_a_job_reaches_its_goal_and_stays_there() {
        int survived = 0;
        int missed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History(seed);
            history.step();
            faults(history);
            history.calm();
            reachesItsGoal(history);
            survived += history.job.status().phase().ended() ? 0 : 1;
            rests(history);
            endsWithItsLeader(history);
            neverLeavesItsEnd(history);
            assertThat(history.place.broken)
                    .as(() -> history.at("ids and successes"))
                    .isEmpty();
            history.job.close();
            missed += history.place.missed;
        }
        // The generator must not end most jobs early, or the test checks little.
        assertThat(survived).isGreaterThan(SEEDS / 4);
        // Deletions that would have deleted the successor of the object that they were decided for.
        assertThat(missed).isGreaterThan(SEEDS / 10);
    }

    @Test
    void the_same_history_leads_to_the_same_state() {
        History one = new History(7);
        History two = new History(7);
        for (History history : List.of(one, two)) {
            history.step();
            faults(history);
            history.calm();
        }

        assertThat(one.kept).isEqualTo(two.kept);
        assertThat(one.place.applied).isEqualTo(two.place.applied);
        assertThat(one.place.objects.values().stream().map(ObservedReplica::name))
                .containsExactlyElementsOf(two.place.objects.keySet());
    }
}
