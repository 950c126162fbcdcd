package dev.edl.runtime.ps;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A set of push ids: one bit per minibatch, and one bit per complete epoch. It also counts the gradients.
 *
 * <p>Not safe for several threads.
 */
public final class AppliedPushes {
    private final int perEpoch;
    private final BitSet complete;
    private final SortedMap<Integer, BitSet> open;
    /** Number of applied minibatches of each open epoch, so that no push counts an epoch's bits. */
    private final Map<Integer, int[]> counts = new HashMap<>();

    private long count;
    /** Number of gradients that were added for these pushes; a push that was applied twice counts twice. */
    private long gradients;

    /** Creates an empty set for epochs of this many minibatches. */
    public AppliedPushes(int perEpoch) {
        this(perEpoch, new BitSet(), new TreeMap<>(), 0);
    }

    /**
     * Creates a set of complete epochs, and of the applied minibatches of open epochs. Takes the collections over.
     *
     * @param gradients number of gradients that were added for these pushes
     */
    public AppliedPushes(int perEpoch, BitSet complete, SortedMap<Integer, BitSet> open, long gradients) {
        if (perEpoch < 1) {
            throw new IllegalArgumentException("an epoch must have at least 1 minibatch, was " + perEpoch);
        }
        this.perEpoch = perEpoch;
        this.complete = complete;
        this.open = open;
        open.forEach((epoch, bits) -> counts.put(epoch, new int[] {bits.cardinality()}));
        this.count = (long) complete.cardinality() * perEpoch
                + open.values().stream().mapToLong(BitSet::cardinality).sum();
        this.gradients = gradients;
    }

    /** Adds the id of one gradient. */
    public void add(long pushId) {
        insert(pushId);
        gradients++;
    }

    /**
     * Adds the ids of a round.
     *
     * @param added number of gradients in the round, which is that of the ids unless one was added twice
     */
    public void addRound(Collection<Long> pushIds, int added) {
        pushIds.forEach(this::insert);
        gradients += added;
    }

    private void insert(long pushId) {
        if (contains(pushId)) {
            return;
        }
        int epoch = epochOf(pushId);
        BitSet bits = open.computeIfAbsent(epoch, e -> new BitSet(perEpoch));
        bits.set((int) (pushId % perEpoch));
        count++;
        if (++counts.computeIfAbsent(epoch, e -> new int[1])[0] == perEpoch) {
            open.remove(epoch);
            counts.remove(epoch);
            complete.set(epoch);
        }
    }

    public boolean contains(long pushId) {
        int epoch = epochOf(pushId);
        if (complete.get(epoch)) {
            return true;
        }
        BitSet bits = open.get(epoch);
        return bits != null && bits.get((int) (pushId % perEpoch));
    }

    private int epochOf(long pushId) {
        long epoch = pushId / perEpoch;
        if (pushId < 0 || epoch > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("push id " + pushId + " must be epoch * " + perEpoch
                    + " + the minibatch's number within the epoch, both from 0");
        }
        return (int) epoch;
    }

    /** Returns a new bit set of the minibatches of an epoch that are in this set. */
    public BitSet epoch(int epoch) {
        if (complete.get(epoch)) {
            BitSet all = new BitSet(perEpoch);
            all.set(0, perEpoch);
            return all;
        }
        BitSet bits = open.get(epoch);
        return bits == null ? new BitSet() : (BitSet) bits.clone();
    }

    /** Returns the number of this set's ids that another set lacks. */
    public long missingIn(AppliedPushes other) {
        BitSet epochs = complete();
        open.keySet().forEach(epochs::set);
        return epochs.stream()
                .mapToLong(e -> {
                    BitSet mine = epoch(e);
                    mine.andNot(other.epoch(e));
                    return mine.cardinality();
                })
                .sum();
    }

    /** Returns all ids, ascending. */
    public LongStream ids() {
        BitSet epochs = complete();
        open.keySet().forEach(epochs::set);
        return epochs.stream()
                .boxed()
                .flatMapToLong(e -> epoch(e).stream().mapToLong(minibatch -> (long) e * perEpoch + minibatch));
    }

    public int perEpoch() {
        return perEpoch;
    }

    /** Returns the number of ids. */
    public long count() {
        return count;
    }

    /** Returns the number of gradients that were added; more than {@link #count()} if a push was applied twice. */
    public long gradients() {
        return gradients;
    }

    public BitSet complete() {
        return (BitSet) complete.clone();
    }

    /** Returns the applied minibatches of each epoch that has begun and is not complete. */
    public SortedMap<Integer, BitSet> open() {
        SortedMap<Integer, BitSet> copy = new TreeMap<>();
        open.forEach((epoch, bits) -> copy.put(epoch, (BitSet) bits.clone()));
        return copy;
    }

    public AppliedPushes copy() {
        return new AppliedPushes(perEpoch, complete(), open(), gradients);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AppliedPushes that
                && perEpoch == that.perEpoch
                && complete.equals(that.complete)
                && open.equals(that.open);
    }

    @Override
    public int hashCode() {
        return 31 * complete.hashCode() + open.hashCode();
    }

    /** Returns the text for people, for example {@code 3 complete epochs, 12 of 938 in epoch 3}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        parts.add(complete.cardinality() + " complete epochs");
        open.forEach((epoch, bits) -> parts.add(bits.cardinality() + " of " + perEpoch + " in epoch " + epoch));
        return String.join(", ", parts);
    }
}
