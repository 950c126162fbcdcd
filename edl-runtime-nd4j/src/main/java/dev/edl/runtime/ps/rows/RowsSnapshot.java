package dev.edl.runtime.ps.rows;

import java.util.OptionalLong;

/** The rows of one embedding table that one shard held at one moment. Immutable, safe for several threads. */
public final class RowsSnapshot {
    private final TableSpec spec;
    private final int slots;
    private final int shift;
    private final RowChunk[] chunks;
    private final int count;
    private final RowIndex index;

    RowsSnapshot(TableSpec spec, int slots, int shift, RowChunk[] chunks, int count, RowIndex index) {
        this.spec = spec;
        this.slots = slots;
        this.shift = shift;
        this.chunks = chunks;
        this.count = count;
        this.index = index;
    }

    public TableSpec spec() {
        return spec;
    }

    /** Returns the number of optimizer slots of each row. */
    public int slots() {
        return slots;
    }

    public int count() {
        return count;
    }

    public boolean contains(long id) {
        return index.find(id, chunks, count) >= 0;
    }

    /** Copies the values of a row to an offset; the initializer's values if the row is not stored. */
    public void read(long id, float[] into, int offset) {
        int place = index.find(id, chunks, count);
        if (place < 0) {
            spec.fill(into, offset, id);
        } else {
            int from = (place & mask()) * spec.dimension();
            System.arraycopy(chunks[place >> shift].values, from, into, offset, spec.dimension());
        }
    }

    /** Passes every stored row to a visitor, in storage order. */
    public void forEach(RowVisitor visitor) {
        for (int place = 0; place < count; place++) {
            RowChunk chunk = chunks[place >> shift];
            int row = place & mask();
            visitor.row(chunk.ids[row], chunk.values, chunk.slots, row * spec.dimension());
        }
    }

    /** Returns the id of the first row with a value that is NaN or infinite; empty if all values are finite. */
    public OptionalLong firstNonFinite() {
        for (int place = 0; place < count; place++) {
            RowChunk chunk = chunks[place >> shift];
            int from = (place & mask()) * spec.dimension();
            for (int i = from; i < from + spec.dimension(); i++) {
                if (!Float.isFinite(chunk.values[i])) {
                    return OptionalLong.of(chunk.ids[place & mask()]);
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Returns a hash of the rows and their slots that does not depend on their order. */
    public long fingerprint() {
        long[] sum = {count};
        forEach((id, values, rowSlots, from) -> {
            long print = Fingerprint.and(id, Fingerprint.of(values, from, from + spec.dimension()));
            for (float[] slot : rowSlots) {
                print = Fingerprint.and(print, Fingerprint.of(slot, from, from + spec.dimension()));
            }
            sum[0] += print;
        });
        return sum[0];
    }

    /** Returns the number of rows of a chunk. */
    int chunkRows() {
        return mask() + 1;
    }

    public RowChunk[] chunks() {
        return chunks;
    }

    private int mask() {
        return (1 << shift) - 1;
    }

    /** Returns the text for people, for example {@code 1200 rows of fm/vectors[*, 8]}. */
    @Override
    public String toString() {
        return count + " rows of " + spec;
    }

    /** Receives rows. */
    @FunctionalInterface
    public interface RowVisitor {
        /** Receives a row, whose values and slots begin at {@code from}. The arrays must not be written. */
        void row(long id, float[] values, float[][] slots, int from);
    }
}
