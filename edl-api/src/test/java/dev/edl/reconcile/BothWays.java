package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import java.time.Instant;

/**
 * The standard reconciler, which also makes each decision from all replicas and asserts that the incremental one is
 * equal.
 */
public final class BothWays implements Reconciler {
    private final Reconciler standard;
    private final Reconciler thorough;

    public BothWays() {
        this(true);
    }

    BothWays(boolean forceDelete) {
        standard = Reconciler.standard(forceDelete);
        thorough = new StandardReconciler(false, forceDelete);
    }

    @Override
    public Decision reconcile(JobPlan plan, JobState state, JobObservation seen, Instant now) {
        Decision brief = standard.reconcile(plan, state, seen, now);
        JobObservation again = new JobObservation(seen.replicas()).holding(seen.creations(), seen.deletions());
        Decision whole = thorough.reconcile(plan, fresh(state), again, now);
        assertThat(brief).isEqualTo(whole);
        assertThat(brief.next().toJson()).isEqualTo(whole.next().toJson());
        return brief;
    }

    /** Returns the same state without the observation that it was compared with. */
    static JobState fresh(JobState state) {
        return JobState.builder()
                .from(state)
                .replicas(ReplicaStates.of(state.replicas().values()))
                .build();
    }
}
