package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Result of one reconcile: the actions to apply and the next state of the job.
 *
 * <p>The driver persists the next state before it applies the first action. After a crash between the two, the actions
 * are decided again. In the other order, replicas could exist that no state knows.
 *
 * @param actions the actions, in the order in which they are applied
 * @param next the next state of the job
 * @param events what happened, oldest first
 * @param wakeAfter delay until the next reconcile pass if nothing changes before; empty if only a change needs one
 */
public record Decision(List<Action> actions, JobState next, List<JobEvent> events, Optional<Duration> wakeAfter) {
    /** Copies both lists. */
    public Decision {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }
}
