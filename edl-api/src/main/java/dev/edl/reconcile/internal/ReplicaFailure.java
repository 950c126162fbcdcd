package dev.edl.reconcile.internal;

import dev.edl.reconcile.ReplicaState;
import java.util.Set;

/**
 * A replica that was observed to end without success.
 *
 * @param replica state of the replica after its end
 * @param fromOutside whether the replica was deleted or ended by its node; false for any other end, even a kill with a
 *     free exit code
 */
public record ReplicaFailure(ReplicaState replica, boolean fromOutside) {
    /**
     * Reasons that the replica caused itself, whatever its exit code: out of memory, or over its disk limit. An
     * eviction by node pressure is {@link dev.edl.status.ObservedPhase#DISRUPTED} instead.
     */
    private static final Set<String> OWN_DOING = Set.of("OOMKilled", "Evicted");

    /** Returns whether a replica exceeded its memory or disk limit, so that its exit code carries no information. */
    public static boolean overused(ReplicaState replica) {
        return replica.reason().filter(OWN_DOING::contains).isPresent();
    }

    /**
     * Returns, for messages, how the replica ended: {@code exit code 137 (OOMKilled): its limit of memory is 1Gi},
     * {@code deleted}.
     */
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
