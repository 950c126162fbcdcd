package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ports.Term;
import java.util.Comparator;

/**
 * Names a cut through all shards, and with the shard's number each part of it. A term belongs to one master, so no two masters
 * write the same part.
 *
 * @param term of the master that takes the cut
 * @param number counts the cuts of the term, from 0
 */
public record CutId(Term term, long number) implements Comparable<CutId> {
    private static final Comparator<CutId> OLDEST_FIRST = Comparator.comparingLong(
                    (CutId cut) -> cut.term().number())
            .thenComparing(cut -> cut.term().master())
            .thenComparingLong(CutId::number);

    /** Orders older cuts before newer ones. */
    @Override
    public int compareTo(CutId other) {
        return OLDEST_FIRST.compare(this, other);
    }

    /** Returns the text for people, for example {@code cut 3 of term 2 of mnist-master-0.1}. */
    @Override
    public String toString() {
        return "cut " + number + " of " + term;
    }
}
