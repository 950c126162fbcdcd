package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import dev.edl.reconcile.Action;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do for a request of scaling, and what to know from then on.
 *
 * <p>The next state is to be kept before anything is done: after a crash between the two, the same is decided again. Then the hosts
 * are written, if any, to another file that is renamed into place, so that no reader sees half of them; then come the actions,
 * each of which concerns a worker's pod and the Service of the same name.
 *
 * @param hosts the hosts file to write; empty: it stays
 * @param actions workers to create or delete, in this order
 * @param next the state from now on
 * @param wakeAfter when to decide again; empty when the request has ended
 */
public record ScaleDecision(
        Optional<HorovodHosts> hosts, List<Action> actions, ScaleState next, Optional<Duration> wakeAfter) {
    /** Copies the list. */
    public ScaleDecision {
        actions = List.copyOf(actions);
    }

    /** For example {@code write elastic-training-worker-0:1; SCALING [elastic-training-worker-1]; again in PT5S}. */
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
