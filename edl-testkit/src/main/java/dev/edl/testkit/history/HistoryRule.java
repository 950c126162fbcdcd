package dev.edl.testkit.history;

/**
 * Rule that the history of a run must satisfy. Together the rules imply that the staleness bound held, and that no
 * push was lost or applied twice.
 */
public enum HistoryRule {
    /** A shard acts only between the beginning and the end of a life, and each life has a unique number. */
    LIVES,
    /** Each update creates the version after the previous one of its life. */
    VERSIONS,
    /** The version, applied pushes and pending pushes of a snapshot agree with the shard's earlier events. */
    SAVED,
    /**
     * A shard's later lives start from an earlier state of the shard: a snapshot, or the start of an earlier life.
     * Version, pushes and all bits equal those of that state. The first life may start from a state of an earlier run.
     */
    RESTORED,
    /** The weights that a worker received equal, bit for bit, those of the version that was reported for them. */
    PULLED,
    /** A worker bases its gradient on the versions that it pulled last. */
    BASED_ON,
    /**
     * A shard accepts exactly what its worker sent: the same push, based on the same version, with the same gradient.
     */
    UNCHANGED,
    /**
     * For an accepted push, the updates between pull and push are within the bound; for a stale one, they exceed it.
     */
    STALENESS,
    /**
     * The weights behind an accepted gradient are from this life of the shard or from a state that this life descends
     * from, not from a lost life.
     */
    LINEAGE,
    /** A shard accepts a push at most once in a life and the states from which that life descends. */
    ONCE,
    /**
     * An update consists of all pushes that the shard accepted since the previous update, of no other, and of at least
     * one.
     */
    ROUNDS,
    /** The response to a worker's push agrees with the shards' handling of the push. */
    ACKNOWLEDGED,
    /** If a worker receives that every shard holds certain pushes, every shard holds them. */
    HELD,
    /** A task counts as complete only if every shard held its pushes. */
    TASKS,
    /** At the end every shard has applied every push of the training, and no push is pending. */
    COMPLETE,
    /** Replaying the recorded gradients with the recorded rounds and rates gives the same weights, bit for bit. */
    REPLAYED
}
