package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random changes of jobs, possible or not: each incremental decision must equal the one from all replicas
 * ({@link BothWays}).
 */
class BriefDecisionsTest {
    private static final int SEEDS = 400;
    private static final int STEPS = 80;
    private static final List<CleanupPolicy> CLEANUPS = List.of(CleanupPolicy.values());
    private static final List<ObservedPhase> PHASES = List.of(ObservedPhase.values());

    private static final class Life {
        final Random random;
        final JobPlan plan;
        final Map<String, ObservedReplica> objects = new LinkedHashMap<>();
        final List<JobObservation> history = new ArrayList<>();
        JobObservation seen = JobObservation.nothing();
        int uids = 10;
        JobState state;
        Instant now = Trial.START;

        Life(int seed) {
            random = new Random(seed);
            boolean et = random.nextInt(4) == 0;
            JobBuilder job = Job.named("any")
                    .image("any:1")
                    .workers(1 + random.nextInt(6))
                    .elastic(1, 30)
                    .cleanup(CLEANUPS.get(random.nextInt(CLEANUPS.size())));
            if (et) {
                job.horovod().launcher();
            } else if (random.nextBoolean()) {
                job.master().ps(2);
            } else {
                // A worker leads.
                job.tensorflow();
            }
            plan = et ? job.build().plan(Profile.ET_V1ALPHA1) : job.build().plan();
            state = JobState.initial(plan);
        }

        ObservedReplica any() {
            List<ObservedReplica> all = List.copyOf(objects.values());
            return all.isEmpty() ? stranger() : all.get(random.nextInt(all.size()));
        }

        ObservedReplica stranger() {
            int id = random.nextInt(60);
            return ObservedReplica.of(plan.replicaName(RoleType.WORKER, id), RoleType.WORKER, id, phase());
        }

        ObservedPhase phase() {
            // Most replicas run.
            return random.nextInt(3) == 0 ? PHASES.get(random.nextInt(PHASES.size())) : ObservedPhase.RUNNING;
        }

        void put(ObservedReplica replica) {
            objects.put(replica.name(), replica);
        }

        void happen() {
            ObservedReplica one = any();
            switch (random.nextInt(18)) {
                case 0, 1, 2, 3 -> put(one.withPhase(phase()));
                case 4 -> put(one.withExitCode(random.nextInt(4) == 0 ? 75 : random.nextInt(3)));
                case 5 -> put(one.beingDeleted());
                case 6 -> put(one.deletedBy(now.plusSeconds(random.nextInt(100))));
                case 7 -> objects.remove(one.name());
                case 8 -> put(one.disrupted().withReason("Evicted"));
                case 9 -> put(one.withReason("Unschedulable"));
                case 10 -> put(one.withNotice(new NodeNotice("node-" + random.nextInt(2), "cordoned")));
                case 11 -> put(one.withoutNotice());
                case 12 -> put(stranger());
                case 13 -> ask(one);
                // An equal object of another identity.
                case 14 -> put(one.withMessage("x").withReason("y"));
                case 15 -> put(one.withUid(uid()));
                case 16 ->
                    put(ObservedReplica.of(one.name(), one.role(), one.id(), phase())
                            .withUid(uid()));
                default -> now = now.plus(Duration.ofSeconds(random.nextInt(700)));
            }
        }

        void ask(ObservedReplica one) {
            state = switch (random.nextInt(9)) {
                case 0, 1 -> state.withDesired(RoleType.WORKER, 1 + random.nextInt(8));
                case 2 -> state.withSuspended(random.nextBoolean());
                case 3 -> state.withObserved(one.name());
                case 4 -> state.withNotCreated(Set.of(one.name()));
                case 5 -> state.withRequested(Set.of(one.name()), now);
                case 6 -> JobState.fromJson(state.toJson());
                case 7 ->
                    plan.role("worker").freshIds()
                            ? state
                            : state.withPinnedIds(
                                    RoleType.WORKER,
                                    new TreeSet<>(List.of(random.nextInt(5), random.nextInt(5), random.nextInt(5))));
                default -> random.nextInt(10) == 0 ? state.withCancelled() : state;
            };
        }

        /** Observes: derived from the last observation, from scratch, or an old observation again. */
        void see() {
            switch (random.nextInt(8)) {
                case 0 -> seen = new JobObservation(objects.values());
                case 1 -> seen = history.isEmpty() ? seen : history.get(random.nextInt(history.size()));
                default -> {
                    JobObservation before = seen;
                    List<ObservedReplica> changed = objects.values().stream()
                            .filter(r -> !before.replica(r.name()).equals(Optional.of(r)))
                            .toList();
                    List<String> gone = before.replicas().stream()
                            .map(ObservedReplica::name)
                            .filter(name -> !objects.containsKey(name))
                            .toList();
                    seen = before.with(changed, gone);
                }
            }
            history.add(seen);
        }

        void act(Decision decision) {
            for (Action action : decision.actions()) {
                // Some requests are lost.
                if (random.nextInt(8) == 0) {
                    continue;
                }
                if (action instanceof Action.CreateReplica create) {
                    String name = create.replica().name();
                    ObservedReplica object = ObservedReplica.of(
                            name, create.replica().role(), create.replica().id(), ObservedPhase.PENDING);
                    // Some objects have no uid, as in a substrate without uids.
                    objects.computeIfAbsent(name, n -> random.nextInt(6) == 0 ? object : object.withUid(uid()));
                } else if (action instanceof Action.DeleteReplica delete) {
                    objects.computeIfPresent(delete.replica(), (name, r) -> deleted(delete, r));
                }
            }
        }

        private @Nullable ObservedReplica deleted(Action.DeleteReplica delete, ObservedReplica object) {
            if (!delete.concerns(object.uid().orElse(""))) {
                return object;
            }
            return random.nextBoolean() ? null : object.beingDeleted();
        }

        /** Returns a uid, often one of an earlier object, as in an old list. */
        private String uid() {
            return "uid-" + (random.nextInt(3) == 0 ? random.nextInt(10) : ++uids);
        }
    }

    @Test
    void an_incremental_decision_equals_a_full_decision() {
        BothWays policies = new BothWays();
        int actions = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Life life = new Life(seed);
            for (int step = 0; step < STEPS; step++) {
                for (int i = life.random.nextInt(4); i > 0; i--) {
                    life.happen();
                }
                life.see();
                Decision decision;
                try {
                    decision = policies.reconcile(life.plan, life.state, life.seen, life.now);
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed + ", step " + step, e);
                }
                life.state = decision.next();
                life.act(decision);
                actions += decision.actions().size();
            }
        }
        assertThat(actions).isGreaterThan(SEEDS * 10);
    }
}
