package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import dev.edl.reconcile.Action;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Next step of a scaling request, and the request's state after that step.
 *
 * <p>Persist the next state before anything else. After a crash, the persisted state then leads to the same decision.
 * Then write the hosts, if any, to a temporary file and rename it, so that no reader sees a partial file. Then apply
 * the actions, each on a worker's pod and the Service of the same name.
 *
 * @param hosts hosts to write into the hosts file; empty to leave the file unchanged
 * @param actions workers to create or delete, in this order
 * @param next state of the request after this step
 * @param wakeAfter longest delay until the next decision; empty when the request has ended
 */
public record ScaleDecision(
        Optional<HorovodHosts> hosts, List<Action> actions, ScaleState next, Optional<Duration> wakeAfter) {
    /** Copies the list of actions. */
    public ScaleDecision {
        actions = List.copyOf(actions);
    }

    /**
     * Returns for example
     * {@code write elastic-training-worker-0:1; SCALING [elastic-training-worker-1]; again in PT5S}.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        hosts.ifPresent(file -> text.append("write ").append(file).append("; "));
        actions.forEach(action -> text.append(action).append("; "));
        text.append(next);
        wakeAfter.ifPresent(time -> text.append("; again in ").append(time));
        return text.toString();
    }
}
