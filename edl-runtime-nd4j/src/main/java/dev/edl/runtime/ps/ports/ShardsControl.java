package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import java.util.BitSet;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A master's end of all parameter shards, for one term. Safe for several threads.
 *
 * <p>Each call reaches every shard, waits for an absent one as {@link ShardsPort} does, and throws {@link StaleTermException}
 * when a shard follows a later master. A completion asks every shard, so a master that was replaced can complete nothing.
 */
public interface ShardsControl {
    /** Returns the term of the master. */
    Term term();

    /** Returns the number of shards. */
    int count();

    /**
     * Counts a worker in: from now on rounds wait for it.
     *
     * @return whether it was not a member before
     */
    boolean join(String worker);

    /**
     * Takes a worker out of the rounds; what it has pushed stays. Needs no absent shard.
     *
     * @return whether it was a member
     */
    boolean leave(String worker);

    /**
     * Returns the first of some consecutive pushes that some shard does not hold; behind the last when every shard holds all.
     * No shard is replaced between the first look and the answer.
     */
    long resumeAt(long firstPushId, int count) throws InterruptedException;

    /** Returns the minibatches of an epoch whose pushes a shard has applied; empty while that shard is absent. */
    Optional<BitSet> appliedBy(int shard, int epoch);

    /** Applies what is accumulated on any shard now, without waiting for the rest of its round. */
    void flush() throws InterruptedException;

    /** Copies all shards at one moment; a push that some shards have taken goes into all copies. */
    ShardCut cut() throws InterruptedException;

    /**
     * Lets every shard keep a record of decisions. When it throws, some shards may have the record: give it again, or a newer one.
     * What was decided takes effect after this has returned, so that each shard that survives knows of it.
     */
    void decide(DecisionRecord record) throws InterruptedException;

    /**
     * Returns the newest record of decisions that a shard has, whichever master wrote it. Absent shards are waited for only while
     * the present ones have none; so it is empty when every shard is new.
     */
    Optional<DecisionRecord> decided() throws InterruptedException;

    /**
     * Returns a number that stands for the lives of all shards: another one once a shard has begun anew. Needs no absent shard,
     * whose last life counts.
     */
    long lives();

    /**
     * Pins every {@code every}-th version, which replaces the order of an earlier master; its pins stay. The listener gets each
     * version that all shards have pinned, on the thread of the worker whose push made it. A shard that attaches later follows
     * the same order.
     *
     * @param every updates, at least 1
     * @param keep free or held copies of each shard, at least 1; the oldest free one goes first
     */
    void pinEvery(int every, int keep, LongConsumer listener) throws InterruptedException;

    /** Returns the versions that every shard has pinned. */
    NavigableSet<Long> pins() throws InterruptedException;

    /** Holds the present parameters under a number, in the place of what was pinned by that number. */
    void pinNow(long version) throws InterruptedException;

    /** Holds a pinned version for an evaluation; whether every shard has it pinned. */
    boolean hold(long version) throws InterruptedException;

    /** Ends the hold of a version, which is dropped unless it is kept. */
    void release(long version) throws InterruptedException;

    /**
     * Keeps a version that is held as the best one, beside one that was kept before; it goes into checkpoints.
     *
     * @return whether every shard holds or keeps it; one that has lost it may have pinned that version again since
     */
    boolean keep(long version) throws InterruptedException;

    /** Keeps no other version as the best than this one; a negative number keeps none. */
    void keepOnly(long version) throws InterruptedException;

    /** Returns the model at a pinned version; empty unless all shards have it pinned. */
    Optional<ModelSnapshot> pinned(long version) throws InterruptedException;

    /** Drops a pinned version; returns whether any shard had it pinned. */
    boolean unpin(long version) throws InterruptedException;
}
