package dev.edl.runtime.ps.rows;

import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import java.io.IOException;

/**
 * The section of a shard's file with its rows of one embedding table, chunk by chunk: ids, values, slots. The gradients
 * that wait for their round follow.
 */
public record RowsFile(RowsSnapshot rows, RowGradientSums sums) {
    public static void write(RowsSnapshot rows, RowGradientSums sums, ChecksummedOutput out) throws IOException {
        write(rows, rows.slots(), sums, out);
    }

    /**
     * Writes the ids and values of rows without their optimizer slots; {@link #readValues} returns rows without slots.
     */
    public static void writeValues(RowsSnapshot rows, ChecksummedOutput out) throws IOException {
        write(rows, 0, new RowGradientSums(rows.spec().dimension()), out);
    }

    /** Reads the output of {@link #writeValues}. */
    public static RowsSnapshot readValues(TableSpec spec, int shard, int shards, ChecksummedInput in)
            throws IOException {
        return read(spec, 0, shard, shards, in).rows();
    }

    private static void write(RowsSnapshot rows, int slots, RowGradientSums sums, ChecksummedOutput out)
            throws IOException {
        int dimension = rows.spec().dimension();
        out.putString(rows.spec().name());
        out.putInt(dimension);
        out.putInt(rows.count());
        out.putInt(rows.chunkRows());
        for (int at = 0; at < rows.count(); at += rows.chunkRows()) {
            int count = Math.min(rows.chunkRows(), rows.count() - at);
            RowChunk chunk = rows.chunks()[at / rows.chunkRows()];
            for (int i = 0; i < count; i++) {
                out.putLong(chunk.ids[i]);
            }
            out.putFirst(chunk.values, count * dimension);
            for (int slot = 0; slot < slots; slot++) {
                out.putFirst(chunk.slots[slot], count * dimension);
            }
        }
        out.putInt(sums.count());
        for (int i = 0; i < sums.count(); i++) {
            out.putLong(sums.ids()[i]);
        }
        out.putFirst(sums.sums(), sums.count() * dimension);
    }

    public static RowsFile read(TableSpec spec, int slots, int shard, int shards, ChecksummedInput in)
            throws IOException {
        String name = in.getString();
        int dimension = in.getInt();
        if (!name.equals(spec.name()) || dimension != spec.dimension()) {
            throw in.damaged("has rows of " + name + "[*, " + dimension + "] where " + spec + " was expected");
        }
        long rowBytes = Long.BYTES + (long) dimension * Float.BYTES * (1 + slots);
        int count = in.getCount((int) Math.min(Integer.MAX_VALUE, rowBytes));
        int chunkRows = in.getInt();
        // No writer makes such chunks, which would need one array for all rows.
        if (chunkRows < 1 || (long) chunkRows * dimension > Math.max(dimension, RowTable.CHUNK_FLOATS)) {
            throw in.damaged("announces chunks of " + chunkRows + " rows of " + spec);
        }
        RowTable table = new RowTable(spec, slots);
        long[] ids = new long[Math.min(count, chunkRows)];
        float[] values = new float[ids.length * dimension];
        float[][] slotValues = new float[slots][values.length];
        for (int at = 0; at < count; at += chunkRows) {
            int n = Math.min(chunkRows, count - at);
            getIds(spec, shard, shards, ids, n, in);
            in.getFirst(values, n * dimension);
            for (float[] slot : slotValues) {
                in.getFirst(slot, n * dimension);
            }
            for (int i = 0; i < n; i++) {
                if (!table.put(ids[i], values, slotValues, i * dimension)) {
                    throw in.damaged("has the row " + ids[i] + " of " + spec + " twice");
                }
            }
        }
        return new RowsFile(table.snapshot(), readSums(spec, shard, shards, in));
    }

    private static RowGradientSums readSums(TableSpec spec, int shard, int shards, ChecksummedInput in)
            throws IOException {
        int dimension = spec.dimension();
        long[] ids = in.getLongs(in.getCount(Long.BYTES + dimension * Float.BYTES));
        for (long id : ids) {
            requireOwned(spec, shard, shards, id, in);
        }
        RowGradientSums sums = new RowGradientSums(dimension);
        float[] row = new float[dimension];
        for (long id : ids) {
            in.getFirst(row, dimension);
            sums.add(id, row, 0);
        }
        return sums;
    }

    private static void getIds(TableSpec spec, int shard, int shards, long[] ids, int count, ChecksummedInput in)
            throws IOException {
        for (int i = 0; i < count; i++) {
            ids[i] = in.getLong();
            requireOwned(spec, shard, shards, ids[i], in);
        }
    }

    private static void requireOwned(TableSpec spec, int shard, int shards, long id, ChecksummedInput in)
            throws IOException {
        if (Math.floorMod(id, shards) != shard) {
            throw in.damaged("has the row " + id + " of " + spec + ", which is of ps-" + Math.floorMod(id, shards));
        }
    }
}
