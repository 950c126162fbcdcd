package dev.edl.runtime.ps;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A set of push ids: one bit a minibatch, and one bit an epoch once all its minibatches are in.
 *
 * <p>Not safe for several threads.
 */
final class AppliedPushes {
    private final int perEpoch;
    private final BitSet complete;
    private final SortedMap<Integer, BitSet> open;
    private long count;

    /** An empty set for epochs of so many minibatches. */
    AppliedPushes(int perEpoch) {
        this(perEpoch, new BitSet(), new TreeMap<>());
    }

    /** A set of these complete epochs and these minibatches of others; takes the collections over. */
    AppliedPushes(int perEpoch, BitSet complete, SortedMap<Integer, BitSet> open) {
        if (perEpoch < 1) {
            throw new IllegalArgumentException("an epoch must have at least 1 minibatch, was " + perEpoch);
        }
        this.perEpoch = perEpoch;
        this.complete = complete;
        this.open = open;
        this.count = (long) complete.cardinality() * perEpoch
                + open.values().stream().mapToLong(BitSet::cardinality).sum();
    }

    /** Adds an id that is not in the set. */
    void add(long pushId) {
        int epoch = epochOf(pushId);
        BitSet bits = open.computeIfAbsent(epoch, e -> new BitSet(perEpoch));
        bits.set((int) (pushId % perEpoch));
        count++;
        if (bits.cardinality() == perEpoch) {
            open.remove(epoch);
            complete.set(epoch);
        }
    }

    boolean contains(long pushId) {
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

    /** The minibatches of an epoch that are in the set; a copy. */
    BitSet epoch(int epoch) {
        if (complete.get(epoch)) {
            BitSet all = new BitSet(perEpoch);
            all.set(0, perEpoch);
            return all;
        }
        BitSet bits = open.get(epoch);
        return bits == null ? new BitSet() : (BitSet) bits.clone();
    }

    /** How many ids of this set another one lacks. */
    long missingIn(AppliedPushes other) {
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

    /** All ids, ascending. */
    LongStream ids() {
        BitSet epochs = complete();
        open.keySet().forEach(epochs::set);
        return epochs.stream()
                .boxed()
                .flatMapToLong(e -> epoch(e).stream().mapToLong(minibatch -> (long) e * perEpoch + minibatch));
    }

    int perEpoch() {
        return perEpoch;
    }

    long count() {
        return count;
    }

    BitSet complete() {
        return (BitSet) complete.clone();
    }

    /** Epochs that are begun and not complete. */
    SortedMap<Integer, BitSet> open() {
        SortedMap<Integer, BitSet> copy = new TreeMap<>();
        open.forEach((epoch, bits) -> copy.put(epoch, (BitSet) bits.clone()));
        return copy;
    }

    AppliedPushes copy() {
        return new AppliedPushes(perEpoch, complete(), open());
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

    /** For example {@code 3 complete epochs, 12 of 938 in epoch 3}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        parts.add(complete.cardinality() + " complete epochs");
        open.forEach((epoch, bits) -> parts.add(bits.cardinality() + " of " + perEpoch + " in epoch " + epoch));
        return String.join(", ", parts);
    }
}
