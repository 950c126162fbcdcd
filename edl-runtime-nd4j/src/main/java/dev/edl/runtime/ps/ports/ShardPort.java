package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A master's connection to one life of one parameter shard, in this process or in a server's. Safe for several threads.
 *
 * <p>Each call throws {@link StaleTermException} if the shard follows a later master. It throws {@link
 * dev.edl.runtime.ps.ShardGoneException} once the life has ended or its server is unreachable. Only {@link #flushCut}
 * waits for workers, within its bound; no call waits for another shard.
 */
public interface ShardPort {
    /** Returns the life of the shard that its server reported. */
    ShardLife life();

    /** Returns whether the shard is in this JVM, so that a call needs no thread of its own. */
    default boolean here() {
        return false;
    }

    /**
     * Replaces the members of rounds. Rounds no longer wait for workers that the list omits. Has no effect if the shard
     * has the members after a later change of this term.
     *
     * @param change number of the last change of this term that the list includes
     */
    void members(Term term, long change, List<String> workers) throws InterruptedException;

    /**
     * Adds one member of rounds or removes it. Has no effect if the shard has the members after this change or a later
     * one of this term already.
     *
     * @param change number of this change, one more than that of the preceding change of this term
     * @param joins whether the worker is added
     * @return false, without effect, if the shard lacks a preceding change; the caller then sends all members
     */
    boolean member(Term term, long change, String worker, boolean joins) throws InterruptedException;

    /** Returns the number of consecutive pushes, from the first one on, that the shard holds without a gap. */
    int held(Term term, long firstPushId, int count) throws InterruptedException;

    /** Returns the pushes that the shard holds now. */
    ShardPushes pushes(Term term) throws InterruptedException;

    /** Returns the number of updates that the shard has made. */
    long version(Term term) throws InterruptedException;

    /** Applies the accumulated gradients now, without waiting for the rest of the round. */
    void flush(Term term) throws InterruptedException;

    // A cut is a consistent snapshot of all shards; see CutParticipant.

    /**
     * Allocates memory for a copy of a shard in this JVM, before {@link #beginCut} blocks pushes. A shard of another
     * process does so in {@link #beginCut}.
     */
    default void prepareCut(Term term, long cut) throws InterruptedException {}

    /**
     * Allocates memory for a copy of the shard's state unless {@link #prepareCut} has, blocks newer pushes, and returns
     * the last admitted sequence number of each worker.
     *
     * @param cut number of the cut, at least 0; the cut replaces an earlier one that has not ended
     */
    Map<String, Long> beginCut(Term term, long cut) throws InterruptedException;

    /**
     * Admits pushes up to these sequence numbers, and waits for them. Returns whether all were admitted within the
     * bound.
     */
    boolean flushCut(Term term, long cut, Map<String, Long> sequences, Duration bound) throws InterruptedException;

    /**
     * Copies the shard's state, and then admits every push that the cut has blocked. Returns once the copy exists,
     * without waiting for its transfer.
     */
    SnapshotTransfer saveCut(Term term, long cut) throws InterruptedException;

    /** Admits every push that the cut has blocked, because the cut has failed before the shard's copy. */
    void endCut(Term term, long cut) throws InterruptedException;

    /** Returns the last admitted sequence number of each worker. */
    Map<String, Long> taken(Term term) throws InterruptedException;

    /** Marks pushes that will never arrive as admitted, up to each worker's given sequence number. */
    void follow(Term term, Map<String, Long> sequences) throws InterruptedException;

    // Decisions of masters; see DecisionKeeper.

    /** Stores a decision record. */
    void decide(Term term, DecisionRecord record) throws InterruptedException;

    /** Returns the newest decision record, whichever master wrote it. */
    Optional<DecisionRecord> decided() throws InterruptedException;

    // Pinned versions; see PinnedVersions.

    /**
     * Pins every {@code every}-th version. Replaces an earlier request.
     *
     * @param keep maximum number of free or held copies, at least 1
     * @param listener receives each pinned version, on a thread that holds none of the shard's locks
     */
    void pinEvery(Term term, int every, int keep, LongConsumer listener) throws InterruptedException;

    /**
     * Drops the pinned versions above the given one that are neither held nor kept, because another shard was restored
     * to an older state.
     */
    void dropFreePinsAbove(Term term, long version) throws InterruptedException;

    /** Returns the pinned versions. */
    NavigableSet<Long> pins(Term term) throws InterruptedException;

    /** Holds the current parameters under a version number. Replaces an earlier pin of that number. */
    void pinNow(Term term, long version) throws InterruptedException;

    /** Holds a pinned version. Returns whether it is pinned. */
    boolean holdPin(Term term, long version) throws InterruptedException;

    /** Releases the hold of a version, which is then dropped unless it is kept. */
    void releasePin(Term term, long version) throws InterruptedException;

    /**
     * Keeps a held version as the best one, in addition to an earlier best one. Returns whether it was held or kept already.
     */
    boolean keepPin(Term term, long version) throws InterruptedException;

    /** Keeps only this version as the best one; a negative number keeps none. */
    void keepOnlyPin(Term term, long version) throws InterruptedException;

    /** Drops a pinned version, held or not. Returns whether it was pinned. */
    boolean dropPin(Term term, long version) throws InterruptedException;

    /** Returns a copy of the parameters at a pinned version; empty if it is not pinned. */
    Optional<PinnedShard> pinned(Term term, long version) throws InterruptedException;
}
