package dev.edl.runtime.ps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The file of one shard in a checkpoint. */
final class ShardFile {
    /** "EDLS" as it stands in the file. */
    private static final int MAGIC = 0x534c4445;

    /** 1: without embedding tables. */
    private static final int FORMAT = 2;

    private ShardFile() {}

    static String name(int index, int count) {
        return "shard-" + index + "-of-" + count;
    }

    static void write(ShardSnapshot shard, CheckedOutput out) throws IOException {
        out.putInt(MAGIC);
        out.putInt(FORMAT);
        out.putInt(shard.range().index());
        out.putInt(shard.range().offset());
        out.putInt(shard.range().length());
        out.putString(shard.optimizer().toString());
        out.putLong(shard.version());
        out.putLong(shard.step());
        out.putFloats(shard.weights());
        List<String> slots = shard.optimizer().slots();
        for (int i = 0; i < slots.size(); i++) {
            out.putString(slots.get(i));
            out.putFloats(shard.slot(i));
        }
        out.putFloats(shard.pendingSum());
        out.putLongs(shard.pending().stream().mapToLong(Long::longValue).toArray());
        writeApplied(shard.applied(), out);
        out.putLong(shard.pendingStaleness());
        out.putInt(shard.rows().size());
        for (int i = 0; i < shard.rows().size(); i++) {
            RowsFile.write(shard.rows().get(i), shard.rowSums().get(i), out);
        }
    }

    private static void writeApplied(AppliedPushes applied, CheckedOutput out) throws IOException {
        out.putInt(applied.perEpoch());
        out.putLongs(applied.complete().toLongArray());
        SortedMap<Integer, BitSet> open = applied.open();
        out.putInt(open.size());
        for (var epoch : open.entrySet()) {
            out.putInt(epoch.getKey());
            out.putLongs(epoch.getValue().toLongArray());
        }
    }

    /**
     * Reads a shard.
     *
     * @param tables of the model
     * @param shards how many it has
     */
    static ShardSnapshot read(CheckedInput in, List<TableSpec> tables, int shards) throws IOException {
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw in.damaged(String.format("is no shard file: it begins with %08x, not %08x", magic, MAGIC));
        }
        int format = in.getInt();
        if (format < 1 || format > FORMAT) {
            throw in.damaged("has format " + format + ", this version of EDL reads 1 to " + FORMAT);
        }
        ShardRange range = new ShardRange(in.getInt(), in.getInt(), in.getInt());
        Optimizer optimizer = Optimizer.parse(in.getString());
        long version = in.getLong();
        long step = in.getLong();
        float[] weights = floats(in, "weights", range);
        float[][] slots = new float[optimizer.slots().size()][];
        for (int i = 0; i < slots.length; i++) {
            String slot = in.getString();
            if (!slot.equals(optimizer.slots().get(i))) {
                throw in.damaged("has a slot \"" + slot + "\" where \""
                        + optimizer.slots().get(i) + "\" was expected");
            }
            slots[i] = floats(in, slot, range);
        }
        float[] sum = in.getFloats();
        long[] pending = in.getLongs();
        if (sum.length != (pending.length == 0 ? 0 : range.length())) {
            throw in.damaged(
                    "has " + sum.length + " accumulated floats for " + pending.length + " pending pushes of " + range);
        }
        AppliedPushes applied = readApplied(in);
        List<RowsSnapshot> rows = new ArrayList<>();
        List<RowSums> rowSums = new ArrayList<>();
        long staleness = format == 1 ? 0 : in.getLong();
        int count = format == 1 ? 0 : in.getInt();
        if (count != tables.size()) {
            throw in.damaged("has " + count + " embedding tables, its manifest " + tables.size());
        }
        for (TableSpec table : tables) {
            RowsFile file = RowsFile.read(table, optimizer.slots().size(), range.index(), shards, in);
            rows.add(file.rows());
            rowSums.add(file.sums());
        }
        return new ShardSnapshot(
                range,
                optimizer,
                version,
                new ShardSnapshot.State(weights, slots, sum, step, rows, rowSums),
                applied,
                Arrays.stream(pending).boxed().toList(),
                staleness);
    }

    private static float[] floats(CheckedInput in, String what, ShardRange range) throws IOException {
        float[] values = in.getFloats();
        if (values.length != range.length()) {
            throw in.damaged("has " + values.length + " " + what + " for " + range);
        }
        return values;
    }

    private static AppliedPushes readApplied(CheckedInput in) throws IOException {
        int perEpoch = in.getInt();
        BitSet complete = BitSet.valueOf(in.getLongs());
        TreeMap<Integer, BitSet> open = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            int epoch = in.getInt();
            open.put(epoch, BitSet.valueOf(in.getLongs()));
        }
        return new AppliedPushes(perEpoch, complete, open);
    }
}
