package dev.edl.runtime.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/**
 * Set of push ids, stored as ranges, so that pushes applied in order take little memory. Immutable.
 *
 * <pre>{@code
 * PushSet.range(0, 50).count();                           // 50
 * PushSet.of(LongStream.of(0, 1, 2, 7)).toString();       // "0..2, 7"
 * }</pre>
 */
public final class PushSet {
    private static final PushSet NONE = new PushSet(new long[0]);
    private static final int SHOWN = 5;

    /** For each range, in ascending order: its first id and the id after its last one. */
    private final long[] bounds;

    private PushSet(long[] bounds) {
        this.bounds = bounds;
    }

    /** Returns the empty set. */
    public static PushSet none() {
        return NONE;
    }

    /**
     * Returns a set of consecutive pushes.
     *
     * @param from the first id
     * @param to the id after the last one; if it is not above {@code from}, the set is empty
     */
    public static PushSet range(long from, long to) {
        return from < to ? new PushSet(new long[] {from, to}) : NONE;
    }

    /**
     * Returns the set of an ascending stream of pushes.
     *
     * @throws IllegalArgumentException if the push ids do not ascend
     */
    public static PushSet of(LongStream ascending) {
        long[] bounds = new long[16];
        int size = 0;
        for (PrimitiveIterator.OfLong ids = ascending.iterator(); ids.hasNext(); ) {
            long id = ids.nextLong();
            if (size > 0 && id < bounds[size - 1]) {
                throw new IllegalArgumentException(
                        "push ids must ascend, was " + id + " after " + (bounds[size - 1] - 1));
            }
            if (size > 0 && id == bounds[size - 1]) {
                bounds[size - 1] = id + 1;
            } else {
                if (size == bounds.length) {
                    bounds = Arrays.copyOf(bounds, 2 * size);
                }
                bounds[size++] = id;
                bounds[size++] = id + 1;
            }
        }
        return new PushSet(Arrays.copyOf(bounds, size));
    }

    /**
     * Returns the set of some ranges.
     *
     * @param bounds for each range, in ascending order: its first id and the id after its last one
     * @throws IllegalArgumentException if the bounds do not ascend
     */
    public static PushSet ofBounds(long[] bounds) {
        for (int i = 1; i < bounds.length; i++) {
            if (bounds[i] <= bounds[i - 1]) {
                throw new IllegalArgumentException(
                        "bounds that ascend, but " + bounds[i] + " follows " + bounds[i - 1]);
            }
        }
        return new PushSet(bounds.clone());
    }

    long[] bounds() {
        return bounds.clone();
    }

    /** Returns the number of pushes. */
    public long count() {
        long count = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            count += bounds[i + 1] - bounds[i];
        }
        return count;
    }

    /** Returns whether the set contains a push. */
    public boolean contains(long pushId) {
        int at = Arrays.binarySearch(bounds, pushId);
        return at >= 0 ? at % 2 == 0 : -(at + 1) % 2 == 1;
    }

    /** Returns the push ids, ascending. */
    public LongStream ids() {
        LongStream all = LongStream.empty();
        for (int i = 0; i < bounds.length; i += 2) {
            all = LongStream.concat(all, LongStream.range(bounds[i], bounds[i + 1]));
        }
        return all;
    }

    /** Returns the pushes of this set that are not in the other set. */
    public PushSet minus(PushSet other) {
        List<Long> left = new ArrayList<>();
        int theirs = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            long from = bounds[i];
            while (theirs < other.bounds.length && other.bounds[theirs + 1] <= from) {
                theirs += 2;
            }
            for (int k = theirs; k < other.bounds.length && other.bounds[k] < bounds[i + 1]; k += 2) {
                if (from < other.bounds[k]) {
                    left.add(from);
                    left.add(other.bounds[k]);
                }
                from = Math.max(from, other.bounds[k + 1]);
            }
            if (from < bounds[i + 1]) {
                left.add(from);
                left.add(bounds[i + 1]);
            }
        }
        return new PushSet(left.stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PushSet that && Arrays.equals(bounds, that.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    /**
     * Returns text for people, for example {@code 0..49, 51}, or {@code none}. Names at most the first five ranges, and
     * the number of further ones.
     */
    @Override
    public String toString() {
        if (bounds.length == 0) {
            return "none";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(bounds.length, 2 * SHOWN); i += 2) {
            text.append(i == 0 ? "" : ", ").append(bounds[i]);
            if (bounds[i + 1] - bounds[i] > 1) {
                text.append("..").append(bounds[i + 1] - 1);
            }
        }
        int more = bounds.length / 2 - SHOWN;
        return more > 0 ? text + " and " + more + " ranges more" : text.toString();
    }
}
