package dev.edl.runtime.ps;

/**
 * The part of the flat parameter vector that one shard owns.
 *
 * @param index index of the shard, from 0
 * @param offset index of the range's first float in the flat vector
 * @param length number of floats; 0 for a shard that keeps rows of embedding tables only
 */
public record ShardRange(int index, int offset, int length) {
    /** Checks the bounds. */
    public ShardRange {
        if (index < 0 || offset < 0 || length < 0) {
            throw new IllegalArgumentException("a shard range needs index >= 0, offset >= 0 and length >= 0, was "
                    + index + ", " + offset + ", " + length);
        }
    }

    /** Returns the index after the last float in the flat vector. */
    public int end() {
        return Math.addExact(offset, length);
    }

    /** Returns the shard's name in messages, for example {@code ps-1}. */
    public String name() {
        return "ps-" + index;
    }

    /** Returns the text for people, for example {@code ps-1[320..650)}. */
    @Override
    public String toString() {
        return name() + "[" + offset + ".." + end() + ")";
    }
}
