package dev.edl.runtime.ps.ports;

import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A master's end of one life of one parameter shard, wherever its server is. Safe for several threads.
 *
 * <p>Each call throws {@link StaleTermException} when the shard follows a later master, and {@link
 * dev.edl.runtime.ps.ShardGoneException} once the life has ended or its server cannot be reached any more. No call waits for another
 * shard or for a worker, but {@link #flushCut} within its bound.
 */
public interface ShardPort {
    /** Returns the life that the server registered. */
    ShardLife life();

    /** Replaces the members of rounds; workers that are missing in the list are waited for no longer. */
    void members(Term term, List<String> workers) throws InterruptedException;

    /** Returns how many of some consecutive pushes the shard holds, up to the first one that it does not. */
    int held(Term term, long firstPushId, int count) throws InterruptedException;

    /** Returns the minibatches of an epoch whose pushes have gone into an update. */
    BitSet applied(Term term, int epoch) throws InterruptedException;

    /** Returns the number of updates made. */
    long version(Term term) throws InterruptedException;

    /** Applies what is accumulated now, without waiting for the rest of its round. */
    void flush(Term term) throws InterruptedException;

    // A cut through all shards; see CutParticipant.

    /**
     * Makes room for a copy, stops newer pushes, and returns the last sequence number taken of each worker.
     *
     * @param cut its number, at least 0; replaces an earlier cut that has not ended
     */
    Map<String, Long> beginCut(Term term, long cut) throws InterruptedException;

    /** Lets in what is numbered up to these; whether all of it was taken within the bound. */
    boolean flushCut(Term term, long cut, Map<String, Long> sequences, Duration bound) throws InterruptedException;

    /** Copies the state. */
    ShardSnapshot saveCut(Term term, long cut) throws InterruptedException;

    /** Lets everything in that the cut has held back. */
    void endCut(Term term, long cut) throws InterruptedException;

    /** Returns the last sequence number taken of each worker. */
    Map<String, Long> taken(Term term) throws InterruptedException;

    /** Counts sequence numbers as taken that do not come. */
    void follow(Term term, Map<String, Long> sequences) throws InterruptedException;

    // Decisions of masters; see DecisionKeeper.

    /** Keeps a record of decisions. */
    void decide(Term term, DecisionRecord record) throws InterruptedException;

    /** Returns the newest record of decisions, whichever master wrote it. */
    Optional<DecisionRecord> decided() throws InterruptedException;

    // Pinned versions; see PinnedVersions.

    /**
     * Pins every {@code every}-th version, in the place of an earlier order.
     *
     * @param keep free or held copies, at least 1
     * @param listener of versions that were pinned, on a thread that holds none of the shard's locks
     */
    void pinEvery(Term term, int every, int keep, LongConsumer listener) throws InterruptedException;

    /** Drops the free pins above a version, which another shard has taken back. */
    void dropFreePinsAbove(Term term, long version) throws InterruptedException;

    /** Returns the versions that are pinned. */
    NavigableSet<Long> pins(Term term) throws InterruptedException;

    /** Holds the present parameters under a number, in the place of what was pinned by that number. */
    void pinNow(Term term, long version) throws InterruptedException;

    /** Holds a pinned version; whether it is pinned. */
    boolean holdPin(Term term, long version) throws InterruptedException;

    /** Ends the hold of a version, which is dropped unless it is kept. */
    void releasePin(Term term, long version) throws InterruptedException;

    /** Keeps a pinned version as the best one, beside one that was kept before; whether it is held or kept. */
    boolean keepPin(Term term, long version) throws InterruptedException;

    /** Keeps no other version as the best than this one; a negative number keeps none. */
    void keepOnlyPin(Term term, long version) throws InterruptedException;

    /** Drops a pinned version, held or not; whether it was pinned. */
    boolean dropPin(Term term, long version) throws InterruptedException;

    /** Returns a copy of the parameters at a pinned version; empty unless it is pinned. */
    Optional<PinnedShard> pinned(Term term, long version) throws InterruptedException;
}
