package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Result of one reconcile pass: the actions to apply and the next state of the job.
 *
 * <p>The driver persists the next state before it applies the first action. After a crash between the two, the actions
 * are decided again. In the other order, replicas could exist that are missing in the persisted state.
 *
 * @param actions the actions, in the order in which they are applied
 * @param next the next state of the job
 * @param events events of this reconcile pass, in the order in which the rules emitted them
 * @param wakeAfter delay until the next reconcile pass if nothing changes before; empty if no pass is needed without a
 *     change
 */
public record Decision(List<Action> actions, JobState next, List<JobEvent> events, Optional<Duration> wakeAfter) {
    /** Copies both lists. */
    public Decision {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }
}
