package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;

/**
 * Decides what to do next for a job, as a pure, total, deterministic function. It applies nothing, blocks on nothing
 * and reads no clock, so a table test covers every rule of a job's life.
 *
 * <pre>{@code
 * Decision first = Reconciler.standard().reconcile(plan, JobState.initial(plan), JobObservation.nothing(), now);
 * first.actions();   // create every replica
 * }</pre>
 */
@FunctionalInterface
public interface Reconciler {
    /**
     * Returns the actions and the next state of a job.
     *
     * @param plan the plan of the job
     * @param state the next state of the last decision; {@link JobState#initial} for a new job
     * @param seen the observed objects of the job
     * @param now the current time, not before the time of the last decision
     */
    Decision reconcile(JobPlan plan, JobState state, JobObservation seen, Instant now);

    /**
     * Returns the reconciler with ElasticDL's rules and with force deletion, as {@link #standard(boolean)} describes.
     * Unless its restart policy is NEVER, a replica that was deleted or killed from outside is always relaunched. A
     * temporary exit code is retried after a delay. Any other failure counts against the relaunch limit. A worker's
     * successor gets the next unused id in {@link dev.edl.plan.Profile#ELASTICDL}; every other successor keeps its
     * predecessor's id.
     */
    static Reconciler standard() {
        return standard(true);
    }

    /**
     * Returns the {@link #standard()} reconciler with or without force deletion. A relaunch under the same name is
     * possible only after the old object is gone.
     *
     * <p>With force deletion, an object that still exists 1m after its grace period is deleted without waiting for its
     * node, which does not respond. If that node still runs the replica, two replicas write to one volume. Without
     * force deletion, the relaunch waits until the object is gone.
     *
     * @param forceDelete whether old objects that still exist 1m after their grace period are force-deleted
     */
    static Reconciler standard(boolean forceDelete) {
        return new StandardReconciler(true, forceDelete);
    }
}
