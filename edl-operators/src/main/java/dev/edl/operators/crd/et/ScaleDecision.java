package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import dev.edl.reconcile.Action;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Next step of a scaling request, and its state after it.
 *
 * <p>Persist the next state before anything else: after a crash, the same decision follows again. Then write the hosts,
 * if any, to a temporary file and rename it, so that no reader sees a partial file. Then apply the actions, each on a
 * worker's pod and the Service of the same name.
 *
 * @param hosts the hosts file to write; empty to keep it
 * @param actions workers to create or delete, in this order
 * @param next the state after this step
 * @param wakeAfter delay until the next decision; empty when the request has ended
 */
public record ScaleDecision(
        Optional<HorovodHosts> hosts, List<Action> actions, ScaleState next, Optional<Duration> wakeAfter) {
    /** Copies the list. */
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
