package dev.edl.reconcile.internal;

import dev.edl.reconcile.ReplicaState;
import java.util.Set;

/**
 * A replica that was found to have ended without success.
 *
 * @param replica it
 * @param fromOutside whether it was deleted, or ended with its machine: not by its own doing
 */
public record ReplicaFailure(ReplicaState replica, boolean fromOutside) {
    /**
     * Killed for what they did, whatever the code: for want of memory, and for more disk than they may use. What a machine evicts for
     * its own sake is {@link dev.edl.status.ObservedPhase#DISRUPTED} and not of these.
     */
    private static final Set<String> OWN_DOING = Set.of("OOMKilled", "Evicted");

    /** Returns whether a replica used more memory or disk than it may, so that its exit code is not its own word. */
    public static boolean overused(ReplicaState replica) {
        return replica.reason().filter(OWN_DOING::contains).isPresent();
    }

    /** How it ended: {@code exit code 137 (OOMKilled): its limit of memory is 1Gi}, {@code deleted}. */
    public static String words(ReplicaState replica) {
        return replica.message().map(more -> brief(replica) + ": " + more).orElseGet(() -> brief(replica));
    }

    private static String brief(ReplicaState replica) {
        String code = replica.exitCode().isPresent()
                ? "exit code " + replica.exitCode().getAsInt()
                : "";
        String why = replica.reason().orElse("");
        if (code.isEmpty()) {
            return why.isEmpty() ? "no exit code" : why;
        }
        return why.isEmpty() ? code : code + " (" + why + ")";
    }
}
