package dev.edl.reconcile;

/**
 * A replica that was found to have ended without success.
 *
 * @param replica it
 * @param fromOutside whether it was deleted, or ended with its machine: not by its own doing
 */
record Ending(ReplicaState replica, boolean fromOutside) {
    /** How it ended: {@code exit code 137 (OOMKilled): its limit of memory is 1Gi}, {@code deleted}. */
    static String words(ReplicaState replica) {
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
