package dev.edl.runtime.ps.rows;

/**
 * Finds the position of an id: an open-addressing hash table of positions, over ids that are stored in chunks.
 *
 * <p>A snapshot of the first {@code count} rows shares this index with the table, which adds rows meanwhile. No lock is
 * needed:
 *
 * <ul>
 *   <li>Positions are only added, never moved or removed. A bucket that the snapshot has seen in use stays as it is.
 *   <li>A search in the snapshot ignores positions of {@code count} and more.
 *   <li>A search passes only buckets that were in use when the wanted id was added, so later additions do not hide it.
 *   <li>An index that becomes too full is replaced, and no longer written.
 * </ul>
 */
final class RowIndex {
    private static final int MOST_BUCKETS = 1 << 30;

    private final int shift;
    /** Positions plus 1; 0 is free. At most half are in use. */
    private final int[] buckets;

    private RowIndex(int shift, int size) {
        this.shift = shift;
        this.buckets = new int[size];
    }

    /**
     * Creates an empty index.
     *
     * @param shift binary logarithm of a chunk's rows
     */
    static RowIndex empty(int shift) {
        return new RowIndex(shift, 64);
    }

    /** Returns this index if it has space for another row; otherwise a larger one with the same rows. */
    RowIndex withRoom(RowChunk[] chunks, int count) {
        return (count + 1L) * 2 <= buckets.length ? this : of(shift, chunks, count, (count + 1L) * 4);
    }

    /** Creates an index of the first {@code count} rows in the given chunks. */
    static RowIndex of(int shift, RowChunk[] chunks, int count, long atLeast) {
        long size = 64;
        while (size < atLeast) {
            size *= 2;
        }
        if (size > MOST_BUCKETS && count >= MOST_BUCKETS / 2) {
            throw new IllegalStateException("a parameter shard keeps at most " + MOST_BUCKETS / 2
                    + " rows of an embedding table; use more parameter servers");
        }
        RowIndex index = new RowIndex(shift, (int) Math.min(size, MOST_BUCKETS));
        for (int place = 0; place < count; place++) {
            index.add(id(shift, chunks, place), place);
        }
        return index;
    }

    /** Adds a new id; the caller has ensured that there is space for it. */
    void add(long id, int place) {
        int mask = buckets.length - 1;
        int at = hash(id) & mask;
        while (buckets[at] != 0) {
            at = (at + 1) & mask;
        }
        buckets[at] = place + 1;
    }

    /** Returns the position of an id among the first {@code count} rows; -1 if it is not among them. */
    int find(long id, RowChunk[] chunks, int count) {
        int mask = buckets.length - 1;
        for (int at = hash(id) & mask; ; at = (at + 1) & mask) {
            int place = buckets[at] - 1;
            if (place < 0) {
                return -1;
            }
            if (place < count && id(shift, chunks, place) == id) {
                return place;
            }
        }
    }

    private static long id(int shift, RowChunk[] chunks, int place) {
        return chunks[place >> shift].ids[place & ((1 << shift) - 1)];
    }

    /** Mixes the bits: ids of one shard are all equal modulo the number of shards, so their low bits are not enough. */
    static int hash(long id) {
        long h = id * 0x9E3779B97F4A7C15L;
        return (int) (h ^ (h >>> 32));
    }
}
