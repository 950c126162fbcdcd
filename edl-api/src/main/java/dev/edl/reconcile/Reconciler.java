package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;

/**
 * Decides what to do next for a job: pure, total, deterministic. It does nothing itself, waits for nothing and reads no
 * clock, so that every rule of a job's life can be tested with a table.
 *
 * <pre>{@code
 * Decision first = Reconciler.standard().reconcile(plan, JobState.initial(plan), Observed.nothing(), now);
 * first.actions();   // create every replica
 * }</pre>
 */
@FunctionalInterface
public interface Reconciler {
    /**
     * Decides.
     *
     * @param plan the job
     * @param state what the last decision left, or {@link JobState#initial}
     * @param seen the replicas that exist
     * @param now the time, not before that of the last decision
     */
    Decision reconcile(JobPlan plan, JobState state, Observed seen, Instant now);

    /**
     * The policies of this version, which are ElasticDL's: a deleted or killed worker is relaunched under the next id without
     * limit, another failure within the relaunch limit; other roles keep their id.
     */
    static Reconciler standard() {
        return standard(true);
    }

    /**
     * Returns {@link #standard} with or without deletion by force. A relaunch under the same name needs the old object gone. With it, an
     * object that exists a minute after its grace is removed without its machine, which does not answer. That machine may still
     * run the replica: two then write to one volume. Without it the relaunch waits until the object is gone.
     *
     * @param forceDelete whether objects are deleted by force
     */
    static Reconciler standard(boolean forceDelete) {
        return new StandardReconciler(true, forceDelete);
    }
}
