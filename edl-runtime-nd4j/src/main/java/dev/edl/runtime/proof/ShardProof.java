package dev.edl.runtime.proof;

/**
 * Counts of the pushes and gradients that a parameter shard has applied. They differ if a push was applied twice.
 *
 * @param shard name of the shard, for example {@code ps-1}
 * @param version the number of updates that the shard has made
 * @param applied the number of different pushes in these updates
 * @param gradients the number of gradients in these updates, counted apart from the pushes
 */
public record ShardProof(String shard, long version, long applied, long gradients) {
    /** Returns whether the shard has applied this number of pushes, each once. */
    public boolean holds(long pushes) {
        return applied == pushes && gradients == pushes;
    }
}
