package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.EmbeddingRows;
import java.io.IOException;
import java.util.Arrays;

/** One shard's rows of one table for a batch. Reused for each batch. */
final class TableRows {
    private final int dimension;
    private int[] places = new int[0];
    private float[] floats = new float[0];
    private int count;

    TableRows(int dimension) {
        this.dimension = dimension;
    }

    /** Selects the rows that belong to the shard. */
    void select(EmbeddingRows rows, ShardFrameLayout layout) {
        if (places.length < rows.count()) {
            places = new int[rows.count()];
        }
        count = 0;
        for (int i = 0; i < rows.count(); i++) {
            if (layout.owns(rows.ids()[i])) {
                places[count++] = i;
            }
        }
    }

    /** Selects no row. */
    void clear() {
        count = 0;
    }

    long idBytes() {
        return Integer.BYTES + (long) count * Long.BYTES;
    }

    long gradientBytes() {
        return idBytes() + (long) count * dimension * Float.BYTES;
    }

    void writeIds(FrameOutput out, EmbeddingRows rows) throws IOException {
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeLong(rows.ids()[places[i]]);
        }
    }

    void writeGradients(FrameOutput out, EmbeddingRows rows) throws IOException {
        writeIds(out, rows);
        for (int i = 0; i < count; i++) {
            out.floats(rows.gradients(), places[i] * dimension, dimension);
        }
    }

    /** Reads the values of the selected rows. */
    void read(FrameInput in) throws IOException {
        int length = count * dimension;
        if (floats.length < length) {
            floats = Arrays.copyOf(floats, length);
        }
        in.floats(floats, length);
    }

    /** Copies the values to their positions in the batch. */
    void copyTo(EmbeddingRows rows) {
        for (int i = 0; i < count; i++) {
            System.arraycopy(floats, i * dimension, rows.values(), places[i] * dimension, dimension);
        }
    }

    /** Returns the text for people, for example {@code 12 rows of 8 floats}. */
    @Override
    public String toString() {
        return count + " rows of " + dimension + " floats";
    }
}
