package dev.edl.reconcile;

/** A replica that was found to have ended without success. */
record Ending(ReplicaState replica, boolean deleted) {
    /** How it ended: {@code exit code 137 (OOMKilled)}, {@code deleted}. */
    static String words(ReplicaState replica) {
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
