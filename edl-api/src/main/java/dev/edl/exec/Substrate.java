package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Environment in which replicas run, such as a cluster or this machine. Implement this interface to run jobs in another
 * environment.
 *
 * <p>An implementation guarantees:
 *
 * <ul>
 *   <li>Actions are idempotent: creating an object whose name exists has no effect, nor does deleting an absent or
 *       terminating one.
 *   <li>Each object has its own uid if several programs may act on the substrate. A deletion with a uid never deletes
 *       an object with another uid, not even an object that gets the same name while the request is under way.
 *   <li>An observation may be old, but never older than an earlier one, nor than the state from which the loop
 *       continues the job. An object that this state counts as observed is missing from an observation only if it is
 *       gone.
 *   <li>At least one observation shows each created object, even if it has ended or gone since, unless it was deleted
 *       by {@link #apply}.
 *   <li>An object that was created and ended stays observable until it is deleted or the job is collected.
 *   <li>{@link #observe} and {@link #apply} may throw. The loop retries the request after a pause, without limit.
 * </ul>
 *
 * <p>Implementations are thread-safe: a job's loop calls from its own thread and from those of its
 * {@link ControlLoopBuilder#applier}, and callers read {@link #staleSince}.
 */
public interface Substrate extends AutoCloseable {
    /**
     * Returns the objects of a job that exist; blocks for one request at most. For thousands of replicas, an
     * implementation derives each observation from the last one by {@link JobObservation#with}. A decision then checks only
     * the changed replicas.
     */
    JobObservation observe(JobPlan plan);

    /**
     * Prepares the actions of a decision, which are applied as soon as the decision is persisted. The default does
     * nothing.
     *
     * <p>An implementation must not cause an effect yet, since some actions may never be applied. It returns at once
     * and must not throw: the decision would count as not persisted.
     */
    default void prepare(JobPlan plan, List<Action> actions) {}

    /** Starts an action of a decision; does not wait for its effect. */
    void apply(JobPlan plan, Action action);

    /** Returns the cause of a failed request, for people; an override adds details that only its substrate knows. */
    default FailureCause explain(RuntimeException failure) {
        return FailureCause.of(failure);
    }

    /**
     * Returns the time since which the result of {@link #observe} may be outdated, because the source of observations
     * does not respond; empty while it is current. The default is empty.
     */
    default Optional<Instant> staleSince() {
        return Optional.empty();
    }

    /**
     * Adds a callback for changes of a job's objects. The substrate may call it without a change, but must not miss a
     * change.
     *
     * @param job the job's name
     * @param wake the callback, which returns at once; called on any thread
     * @return the subscription, which removes the callback when closed
     */
    Subscription onChange(String job, Runnable wake);

    /** Releases all resources. Ends the replicas, unless they outlive this program by design, as pods do. */
    @Override
    void close();
}
