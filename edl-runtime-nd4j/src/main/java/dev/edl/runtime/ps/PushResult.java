package dev.edl.runtime.ps;

/**
 * What became of a push.
 *
 * @param outcome what the shard did with it
 * @param version number of updates the shard has made, this one included; of a group, the highest of its shards
 */
public record PushResult(Outcome outcome, long version) {
    /** What a shard did with a push. */
    public enum Outcome {
        /** The shard had it before; nothing was done. */
        DUPLICATE,
        /** It went into an update, by itself or as the last of a round. */
        APPLIED,
        /** It waits in the round for the gradients of others; it will be applied and must not be sent again. */
        ACCUMULATED,
        /** It was computed from weights that are too old; nothing was done: pull, recompute and push it again. */
        STALE;

        /** Of what two shards did with the same push, the one that says what its worker has to do next. */
        public Outcome and(Outcome other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    /** For example {@code APPLIED at version 12}. */
    @Override
    public String toString() {
        return outcome + " at version " + version;
    }
}
