package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.plan.JobPlan;
import java.time.Instant;

/**
 * The standard policies, and a test of each decision: that one which looks at no more than has changed since the last one is the
 * same as one that looks at everything.
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
    public Decision reconcile(JobPlan plan, JobState state, Observed seen, Instant now) {
        Decision brief = standard.reconcile(plan, state, seen, now);
        Observed again = new Observed(seen.replicas()).holding(seen.creations(), seen.deletions());
        Decision whole = thorough.reconcile(plan, fresh(state), again, now);
        assertThat(brief).isEqualTo(whole);
        assertThat(brief.next().toJson()).isEqualTo(whole.next().toJson());
        return brief;
    }

    /** The same state, of which nothing is known beside it. */
    static JobState fresh(JobState state) {
        return JobState.builder()
                .from(state)
                .replicas(Replicas.of(state.replicas().values()))
                .build();
    }
}
