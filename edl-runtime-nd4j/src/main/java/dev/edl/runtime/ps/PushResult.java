package dev.edl.runtime.ps;

/**
 * Result of a push.
 *
 * @param outcome of the push
 * @param version number of updates the shard has made, this one included; of a group, the highest of its shards
 */
public record PushResult(Outcome outcome, long version) {
    /** Outcome of a push at a shard. */
    public enum Outcome {
        /** The shard had it before; nothing was done. */
        DUPLICATE,
        /** It is part of an update, alone or as the last of a round. */
        APPLIED,
        /** It waits in the round for the gradients of other workers; it will be applied and must not be sent again. */
        ACCUMULATED,
        /** Its weights are too old, so nothing was done. The worker must pull, recompute and push again. */
        STALE;

        /** Returns which of two shards' outcomes of the same push determines the worker's next step. */
        public Outcome and(Outcome other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    /** Returns the text for people, for example {@code APPLIED at version 12}. */
    @Override
    public String toString() {
        return outcome + " at version " + version;
    }
}
