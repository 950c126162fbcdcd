package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Observed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A place where replicas run: all that a new one has to supply.
 *
 * <p>What it has to keep:
 *
 * <ul>
 *   <li>An action applied twice changes nothing the second time: a create while an object of the name exists, a delete of
 *       what is not there or is on its way out.
 *   <li>Each object has a uid of its own where several programs may act on the place. A deletion with a uid leaves an object with
 *       another uid alone, also one that gets the name while the request is under way.
 *   <li>An observation may be old, but it is never older than an earlier one, nor than the state that the loop continues: an object
 *       that this state has seen is missing only when it is gone.
 *   <li>What was created is shown by at least one observation, even when it has ended or gone since, unless it was deleted
 *       through {@link #apply}.
 *   <li>What was created and ended stays to be seen until it is deleted or the job is collected.
 *   <li>It may throw; the loop repeats the request after a pause, and never gives up.
 * </ul>
 *
 * <p>Thread-safe: each job's loop calls from a thread of its own.
 */
public interface Substrate extends AutoCloseable {
    /**
     * Returns the replicas that exist of a job; blocks for one request at most. A substrate of thousands of replicas derives it from
     * the last observation by {@link Observed#with}. A decision then looks only at replicas that have changed.
     */
    Observed observe(JobPlan plan);

    /**
     * Told of actions that are applied as soon as the decision is kept, so that they can be made ready meanwhile; none of them may
     * have an effect yet, and some may never be applied. Returns at once, and must not throw: the decision would count as one
     * that could not be kept. Does nothing unless it is overridden.
     */
    default void prepare(JobPlan plan, List<Action> actions) {}

    /** Does, or begins to do, what the core decided; does not wait for its effect. */
    void apply(JobPlan plan, Action action);

    /** Returns why a request failed, in words for a person; an override adds what it knows of its place. */
    default FailureCause explain(RuntimeException failure) {
        return FailureCause.of(failure);
    }

    /**
     * Returns since when {@link #observe} may show what is outdated, as what it reads from does not answer; empty while it is
     * current, which is the default.
     */
    default Optional<Instant> staleSince() {
        return Optional.empty();
    }

    /**
     * Asks to be told when something of a job may have changed: once too often is fine, once too few is not.
     *
     * @param job the job's name
     * @param wake called on any thread; returns at once
     * @return ends the notifications when closed
     */
    Subscription onChange(String job, Runnable wake);

    /** Removes what runs here, unless it is made to live on without this program, and frees what it holds. */
    @Override
    void close();
}
