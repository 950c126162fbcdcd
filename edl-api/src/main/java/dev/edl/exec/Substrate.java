package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Observed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Environment in which replicas run; the interface to implement for a new one.
 *
 * <p>An implementation guarantees:
 *
 * <ul>
 *   <li>Actions are idempotent: creating an object whose name exists has no effect, nor does deleting an absent or
 *       terminating one.
 *   <li>Each object has its own uid if several programs may act on the substrate. A deletion with a uid never deletes
 *       an object with another uid, not even one that gets the name while the request is under way.
 *   <li>An observation may be old, but never older than an earlier one, nor than the state that the loop continues. An
 *       object that this state has observed is missing only if it is gone.
 *   <li>At least one observation shows each created object, even if it has ended or gone since, unless it was deleted
 *       by {@link #apply}.
 *   <li>An object that was created and ended stays observable until it is deleted or the job is collected.
 *   <li>It may throw. The loop retries the request after a pause, without limit.
 * </ul>
 *
 * <p>Thread-safe: each job's loop calls from its own thread.
 */
public interface Substrate extends AutoCloseable {
    /**
     * Returns the objects of a job that exist; blocks for one request at most. A substrate of thousands of replicas
     * derives it from the last observation by {@link Observed#with}. A decision then checks only the changed replicas.
     */
    Observed observe(JobPlan plan);

    /**
     * Prepares actions that are applied as soon as the decision is persisted. The default does nothing.
     *
     * <p>An implementation must not cause an effect yet, since some actions may never be applied. It returns at once
     * and must not throw: the decision would count as not persisted.
     */
    default void prepare(JobPlan plan, List<Action> actions) {}

    /** Starts an action of a decision; does not wait for its effect. */
    void apply(JobPlan plan, Action action);

    /** Returns the cause of a failed request for people; an override adds details of its substrate. */
    default FailureCause explain(RuntimeException failure) {
        return FailureCause.of(failure);
    }

    /**
     * Returns since when {@link #observe} may be outdated, because its source does not respond. The default is empty:
     * current.
     */
    default Optional<Instant> staleSince() {
        return Optional.empty();
    }

    /**
     * Adds a callback for possible changes of a job. It may be called too often, but must not miss a change.
     *
     * @param job the job's name
     * @param wake the callback, called on any thread; returns at once
     * @return the subscription, which removes the callback when closed
     */
    Subscription onChange(String job, Runnable wake);

    /** Releases all resources, and ends the replicas unless they outlive this program by design. */
    @Override
    void close();
}
