package dev.edl.runtime.ps;

/**
 * Result of a push.
 *
 * @param outcome outcome of the push
 * @param version number of updates that the shard has made, including any by this push; for a group, the highest number
 *     of its shards
 */
public record PushResult(Outcome outcome, long version) {
    /** Outcome of a push at a shard. */
    public enum Outcome {
        /** The shard already held the push; it did nothing. */
        DUPLICATE,
        /** The push is part of an update, alone or as the last of a round. */
        APPLIED,
        /**
         * The push waits in its round for the gradients of other workers; it will be applied and must not be sent
         * again.
         */
        ACCUMULATED,
        /**
         * The gradient's weights are too old, so the shard did nothing. The worker must pull, recompute and push again.
         */
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
