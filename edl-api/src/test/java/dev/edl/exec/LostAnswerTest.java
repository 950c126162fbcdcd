package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A request that took effect without a response is repeated for the same object only. */
class LostAnswerTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .image("mnist:1")
            .tensorflow()
            .ps(1)
            .workers(1)
            .build()
            .plan();
    private static final String PS = PLAN.replica("ps", 0).name();
    private static final String WORKER = PLAN.replica("worker", 0).name();

    /** A substrate whose observations the test sets. */
    private static final class Place implements Substrate {
        final List<Action> applied = new ArrayList<>();
        JobObservation seen = JobObservation.nothing();
        boolean losing;

        @Override
        public JobObservation observe(JobPlan plan) {
            return seen;
        }

        @Override
        public void apply(JobPlan plan, Action action) {
            applied.add(action);
            if (losing) {
                throw new IllegalStateException("timeout");
            }
        }

        @Override
        public Subscription onChange(String job, Runnable wake) {
            return () -> {};
        }

        @Override
        public void close() {}
    }

    private final Place place = new Place();
    private boolean full;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ControlLoop job = ControlLoop.of(PLAN, place)
            .clock(() -> now)
            .journal(state -> {
                if (full) {
                    throw new IllegalStateException("disk full");
                }
            })
            .manual();

    private static ObservedReplica runs(String name, RoleType role, String uid) {
        return ObservedReplica.of(name, role, 0, ObservedPhase.RUNNING).withUid(uid);
    }

    private void step() {
        job.step();
        now = now.plusSeconds(60);
    }

    private List<String> created() {
        return place.applied.stream()
                .filter(Action.CreateReplica.class::isInstance)
                .map(Action::subject)
                .toList();
    }

    @Test
    void a_repeated_deletion_targets_the_original_object() {
        ObservedReplica worker = runs(WORKER, RoleType.WORKER, "w1");
        step();
        place.seen = new JobObservation(List.of(runs(PS, RoleType.PS, "first"), worker));
        step();
        job.delete("ps-0");
        place.losing = true;
        place.seen = new JobObservation(List.of(worker));
        step();
        place.losing = false;
        place.applied.clear();
        step();
        step();

        assertThat(created()).contains(PS);
        assertThat(place.applied)
                .filteredOn(Action.DeleteReplica.class::isInstance)
                .extracting(deletion -> ((Action.DeleteReplica) deletion).uid())
                .containsOnly(Optional.of("first"));
    }

    @Test
    void an_object_gone_before_its_observation_is_persisted_is_not_recreated() {
        step();
        full = true;
        place.seen = new JobObservation(List.of(runs(PS, RoleType.PS, "p1"), runs(WORKER, RoleType.WORKER, "w1")));
        step();
        full = false;
        place.seen = new JobObservation(List.of(runs(PS, RoleType.PS, "p1")));
        place.applied.clear();
        step();
        step();

        assertThat(created()).doesNotContain(WORKER).contains(PLAN.replicaName(RoleType.WORKER, 1));
    }
}
