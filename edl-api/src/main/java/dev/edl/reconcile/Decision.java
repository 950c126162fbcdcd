package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do now, and what to know from then on.
 *
 * <p>The next state is to be kept before the first action is applied: after a crash between the two, the actions are decided
 * again; the other way round, replicas would exist that no state knows.
 *
 * @param actions to apply, in this order
 * @param next the state from now on
 * @param events what happened, oldest first
 * @param wakeAfter when to decide again if nothing changes before; empty: not until something changes
 */
public record Decision(List<Action> actions, JobState next, List<JobEvent> events, Optional<Duration> wakeAfter) {
    /** Copies both lists. */
    public Decision {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }
}
