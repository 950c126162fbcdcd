package dev.edl.runtime.ps.ports;

/**
 * A master's decision, replicated to every shard so that the next master can read it. Shards do not read the content.
 *
 * <p>Records are ordered by term, then by their number in the term. Immutable.
 */
public final class DecisionRecord {
    /** Largest size of a record in bytes. Every shard stores one record, and each decision is sent to all shards. */
    public static final int MAX_BYTES = 64 * 1024;

    private final long term;
    private final long number;
    private final byte[] content;

    /**
     * Creates a record of copied bytes.
     *
     * @param term the number of the deciding master's term, at least 1
     * @param number counts the records of a term, at least 0
     * @throws IllegalArgumentException when a number is too small or the content is longer than {@link #MAX_BYTES}
     */
    public DecisionRecord(long term, long number, byte[] content) {
        if (term < 1 || number < 0) {
            throw new IllegalArgumentException(
                    "a record of decisions needs a term of at least 1 and a number of at least 0, was term " + term
                            + " and number " + number);
        }
        if (content.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a record of decisions must have at most " + MAX_BYTES + " bytes, had " + content.length);
        }
        this.term = term;
        this.number = number;
        this.content = content.clone();
    }

    /** Returns the number of the term in which the decision was made. */
    public long term() {
        return term;
    }

    /** Returns the number of the record in its term. */
    public long number() {
        return number;
    }

    /** Returns a copy of the content. */
    public byte[] content() {
        return content.clone();
    }

    /** Returns whether this record is newer than another one. */
    public boolean isNewerThan(DecisionRecord other) {
        return term != other.term ? term > other.term : number > other.number;
    }

    /** Returns the text for people, for example {@code decision 7 of term 2, 1204 bytes}. */
    @Override
    public String toString() {
        return "decision " + number + " of term " + term + ", " + content.length + " bytes";
    }
}
