package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A master's control of all parameter shards during one term. Safe for several threads.
 *
 * <p>Each call reaches every shard and waits for an absent one as {@link ShardsPort} does. It throws {@link
 * StaleTermException} if a shard follows a later master. {@link #holds} may return without a call to a shard. A replaced
 * master in another process than the shards can therefore complete tasks in its own ledger, but make nothing durable.
 * Decisions, cuts and the final state pass every shard with the term.
 */
public interface ShardsControl {
    /** Returns the term of the master. */
    Term term();

    /** Returns the number of shards. */
    int count();

    /**
     * Adds a worker to the rounds, which wait for it from now on.
     *
     * @return whether it was not a member before
     */
    boolean join(String worker);

    /**
     * Removes a worker from the rounds; its pushes stay. Works while shards are absent.
     *
     * @return whether it was a member
     */
    boolean leave(String worker);

    /**
     * Returns whether every shard holds the given consecutive pushes. Sends no request to a shard if {@code lives}
     * equals the fingerprint of the present lives. The result does not cover shards that restart later.
     *
     * @param lives fingerprint of shard lives that hold all these pushes; {@link ShardLife#UNKNOWN_LIVES} if unknown
     */
    boolean holds(long firstPushId, int count, long lives) throws InterruptedException;

    /**
     * Returns the pushes that each shard holds now, by shard index, without those of absent shards. The call waits for
     * absent shards only while the present ones hold no push. It takes no consistent snapshot: a push may have reached
     * only some shards.
     */
    Map<Integer, ShardPushes> pushes() throws InterruptedException;

    /** Returns the pushes that a shard holds now; empty while that shard is absent. */
    Optional<ShardPushes> pushes(int shard);

    /** Applies the accumulated gradients of all shards now, without waiting for the rest of the round. */
    void flush() throws InterruptedException;

    /**
     * Takes a consistent snapshot of all shards: a push that some shards have taken goes into the copies of all shards.
     */
    ShardCut cut() throws InterruptedException;

    /**
     * Stores a decision record on every shard. If the call throws, some shards may have the record; the caller must
     * send it, or a newer one, again. A decision takes effect after this call returns, so that each surviving shard has
     * it.
     */
    void decide(DecisionRecord record) throws InterruptedException;

    /**
     * Returns the newest decision record of any shard, whichever master wrote it. The call waits for absent shards only
     * while the present ones have no record. The result is therefore empty only if every shard is new.
     */
    Optional<DecisionRecord> decided() throws InterruptedException;

    /**
     * Returns the {@linkplain ShardLife#fingerprint fingerprint} of the current lives of all shards. It changes once a
     * shard has begun a new life. For an absent shard, its last life counts.
     */
    long lives();

    /**
     * Pins every {@code every}-th version. Replaces the request of an earlier master, whose pins stay. The listener
     * gets each version that all shards have pinned, on a thread that holds none of the shards' locks. A shard that
     * attaches later pins the same versions.
     *
     * @param every updates, at least 1
     * @param keep maximum number of free or held copies of each shard, at least 1; the oldest free one is dropped first
     */
    void pinEvery(int every, int keep, LongConsumer listener) throws InterruptedException;

    /** Returns the versions that every shard has pinned. */
    NavigableSet<Long> pins() throws InterruptedException;

    /** Holds the current parameters under a version number. Replaces an earlier pin of that number. */
    void pinNow(long version) throws InterruptedException;

    /** Holds a pinned version for an evaluation. Returns whether every shard has it pinned. */
    boolean hold(long version) throws InterruptedException;

    /** Releases the hold of a version, which is then dropped unless it is kept. */
    void release(long version) throws InterruptedException;

    /**
     * Keeps a held version as the best one, in addition to an earlier best one. Checkpoints contain it.
     *
     * @return whether every shard holds or keeps it; a shard that lost it may have pinned that version again since
     */
    boolean keep(long version) throws InterruptedException;

    /** Keeps only this version as the best one; a negative number keeps none. */
    void keepOnly(long version) throws InterruptedException;

    /** Returns the model at a pinned version; empty unless all shards have it pinned. */
    Optional<ModelSnapshot> pinned(long version) throws InterruptedException;

    /** Drops a pinned version. Returns whether any shard had it pinned. */
    boolean unpin(long version) throws InterruptedException;
}
