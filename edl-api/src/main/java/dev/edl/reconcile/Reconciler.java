package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;

/**
 * Decides what to do next for a job, as a pure, total, deterministic function. It applies nothing, blocks on nothing
 * and reads no clock, so a table test covers every rule of a job's life.
 *
 * <pre>{@code
 * Decision first = Reconciler.standard().reconcile(plan, JobState.initial(plan), Observed.nothing(), now);
 * first.actions();   // create every replica
 * }</pre>
 */
@FunctionalInterface
public interface Reconciler {
    /**
     * Returns the actions and the next state of a job.
     *
     * @param plan the job
     * @param state the next state of the last decision, or {@link JobState#initial}
     * @param seen the replicas that exist
     * @param now the time, not before that of the last decision
     */
    Decision reconcile(JobPlan plan, JobState state, Observed seen, Instant now);

    /**
     * Returns the reconciler with ElasticDL's rules: a deleted or killed worker is always relaunched, under the next
     * id. Any other failure counts against the relaunch limit. Other roles keep their id.
     */
    static Reconciler standard() {
        return standard(true);
    }

    /**
     * Returns {@link #standard} with or without deletion by force. A relaunch under the same name needs the old object
     * to be gone.
     *
     * <p>With force deletion, an object that exists 1m after its grace period is deleted without its node, which does
     * not respond. That node may still run the replica: then two replicas write to one volume. Without force deletion
     * the relaunch waits until the object is gone.
     *
     * @param forceDelete whether objects are deleted by force
     */
    static Reconciler standard(boolean forceDelete) {
        return new StandardReconciler(true, forceDelete);
    }
}
