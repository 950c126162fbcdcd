package dev.edl.runtime.ps.rows;

import dev.edl.runtime.optimizers.Optimizer;
import java.util.Arrays;

/**
 * The rows of one embedding table in one shard that were updated at least once. All other rows have the
 * values of the initializer. Used under the shard's lock.
 *
 * <p>Rows are stored in chunks of about {@value #CHUNK_FLOATS} values, in the order of their first update. A {@link
 * #snapshot()} shares the chunks and costs one reference each; the first update of a shared chunk copies it.
 */
public final class RowTable {
    /** 16 KiB of values, so that the copy after a snapshot delays a push by a few microseconds only. */
    static final int CHUNK_FLOATS = 4096;

    private final TableSpec spec;
    private final int dimension;
    private final int slots;
    private final int shift;
    private final int mask;
    private RowChunk[] chunks = new RowChunk[0];
    private RowIndex index;
    private int count;
    private Object owner = new Object();

    /** Creates a table without rows. */
    public RowTable(TableSpec spec, int slots) {
        this.spec = spec;
        this.dimension = spec.dimension();
        this.slots = slots;
        this.shift = Integer.numberOfTrailingZeros(Integer.highestOneBit(Math.max(1, CHUNK_FLOATS / dimension)));
        this.mask = (1 << shift) - 1;
        this.index = RowIndex.empty(shift);
    }

    TableSpec spec() {
        return spec;
    }

    /** Copies the values of a row. */
    void read(long id, float[] into, int offset) {
        int place = index.find(id, chunks, count);
        if (place < 0) {
            spec.fill(into, offset, id);
        } else {
            System.arraycopy(chunks[place >> shift].values, (place & mask) * dimension, into, offset, dimension);
        }
    }

    /** Updates a row by the gradient that begins at an offset of the array. */
    public void update(long id, Optimizer optimizer, float rate, float[] gradient, int offset) {
        int found = index.find(id, chunks, count);
        int place = found < 0 ? begin(id) : found;
        RowChunk chunk = writable(place >> shift);
        int from = (place & mask) * dimension;
        optimizer.apply(chunk.values, chunk.slots, rate, gradient, offset - from, from, from + dimension);
    }

    /** Stores a row with its first values and slots of zeros. Returns its position. */
    private int begin(long id) {
        int place = append(id);
        spec.fill(chunks[place >> shift].values, (place & mask) * dimension, id);
        return place;
    }

    private int append(long id) {
        index = index.withRoom(chunks, count);
        int place = count;
        int at = place >> shift;
        if (at == chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(4, at + (at >> 1)));
        }
        if ((place & mask) == 0) {
            chunks[at] = new RowChunk(mask + 1, dimension, slots, owner);
        }
        writable(at).ids[place & mask] = id;
        index.add(id, place);
        count++;
        return place;
    }

    private RowChunk writable(int at) {
        RowChunk chunk = chunks[at];
        if (!chunk.ownedBy(owner)) {
            chunk = chunk.copy(owner);
            chunks[at] = chunk;
        }
        return chunk;
    }

    /**
     * Takes over a row from elsewhere.
     *
     * @param slotValues the first of the optimizer's slots; all others are zeros
     * @return whether this table did not have the row yet
     */
    public boolean put(long id, float[] values, float[][] slotValues, int from) {
        if (index.find(id, chunks, count) >= 0) {
            return false;
        }
        int place = append(id);
        RowChunk chunk = chunks[place >> shift];
        int to = (place & mask) * dimension;
        System.arraycopy(values, from, chunk.values, to, dimension);
        for (int i = 0; i < slotValues.length; i++) {
            System.arraycopy(slotValues[i], from, chunk.slots[i], to, dimension);
        }
        return true;
    }

    /** Returns a snapshot of the rows. */
    public RowsSnapshot snapshot() {
        owner = new Object();
        int used = (count + mask) >> shift;
        return new RowsSnapshot(spec, slots, shift, Arrays.copyOf(chunks, used), count, index);
    }

    /** Replaces all rows of this table by those of a snapshot of the same table. */
    void restore(RowsSnapshot from) {
        owner = new Object();
        chunks = from.chunks().clone();
        count = from.count();
        // The snapshot's own index may still be growing.
        index = RowIndex.of(shift, chunks, count, (count + 1L) * 2);
    }

    /** Returns the text for people, for example {@code 1200 rows of fm/vectors[*, 8]}. */
    @Override
    public String toString() {
        return count + " rows of " + spec;
    }
}
