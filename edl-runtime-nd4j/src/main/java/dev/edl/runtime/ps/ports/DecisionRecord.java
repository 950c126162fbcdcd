package dev.edl.runtime.ps.ports;

/**
 * What a master has decided, as every shard keeps it for the next master. Shards do not read the content.
 *
 * <p>Records have an order: by the term that wrote them, then by their number in it. Immutable.
 */
public final class DecisionRecord {
    /** The most bytes of a record: every shard keeps one, and each decision sends it to all of them. */
    public static final int MAX_BYTES = 64 * 1024;

    private final long term;
    private final long number;
    private final byte[] content;

    /**
     * Makes a record of copied bytes.
     *
     * @param term the number of the term that decided, at least 1
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

    /** Returns the number of the term that decided. */
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

    /** Whether this record was written later than another one. */
    public boolean isNewerThan(DecisionRecord other) {
        return term != other.term ? term > other.term : number > other.number;
    }

    /** Returns the text for people, for example {@code decision 7 of term 2, 1204 bytes}. */
    @Override
    public String toString() {
        return "decision " + number + " of term " + term + ", " + content.length + " bytes";
    }
}
