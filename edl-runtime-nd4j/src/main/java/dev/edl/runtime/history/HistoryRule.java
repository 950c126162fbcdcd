package dev.edl.runtime.history;

/** What the history of a run must satisfy. Together: the staleness bound held, and no push was lost or applied twice. */
public enum HistoryRule {
    /** A shard acts between the beginning and the end of a life, and each life has a number of its own. */
    LIVES,
    /** Each update makes the version that follows the one before it in its life. */
    VERSIONS,
    /** A snapshot says of its shard what the shard's own events say: version, applied pushes, pushes that wait. */
    SAVED,
    /**
     * A shard's later lives go on from a state that it was in: a snapshot that was taken, or what an earlier life began
     * with; the same version, the same pushes, the same bits. (The first life may go on from an earlier run.)
     */
    RESTORED,
    /** The weights that a worker got are, bit for bit, those of the version that it was told. */
    PULLED,
    /** A worker says of its gradient that it was computed from the versions that it pulled last. */
    BASED_ON,
    /** What a shard takes is what its worker sent: the same push, based on the same version, the same gradient. */
    UNCHANGED,
    /** When a push is accepted, no more updates than the bound lie between pull and push; when it is not, more do. */
    STALENESS,
    /**
     * The weights that an accepted gradient was computed from are among those that the shard went through in this life
     * or in what this life goes on from; not those of a life that was lost.
     */
    LINEAGE,
    /** A shard takes a push at most once into what it goes on from. */
    ONCE,
    /** An update is made of all pushes that the shard accepted since the one before, of no other, and of at least one. */
    ROUNDS,
    /** The answer to a worker's push agrees with what the shards did with the push. */
    ACKNOWLEDGED,
    /** Every shard holds the pushes of which a worker is told that every shard holds them. */
    HELD,
    /** A task counts as done only when its pushes were held by every shard. */
    TASKS,
    /** At the end every shard has applied every push of the training, and nothing waits for its round. */
    COMPLETE,
    /** The recorded gradients, applied anew in the recorded rounds and rates, give the same weights, bit for bit. */
    REPLAYED
}
