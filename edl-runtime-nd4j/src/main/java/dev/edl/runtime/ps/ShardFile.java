package dev.edl.runtime.ps;

import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.rows.RowGradientSums;
import dev.edl.runtime.ps.rows.RowsFile;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import dev.edl.runtime.ps.rows.TableSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The file of one shard in a checkpoint. */
final class ShardFile {
    /** "EDLS" in the file. */
    private static final int MAGIC = 0x534c4445;

    private static final int FORMAT = 4;

    /** Maximum number of kept versions in a file. A shard keeps at most one, and briefly also its successor. */
    private static final int KEPT = 8;

    private ShardFile() {}

    static String name(int index, int count) {
        return "shard-" + index + "-of-" + count;
    }

    static void write(ShardSnapshot shard, ChecksummedOutput out) throws IOException {
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
        out.putInt(shard.kept().size());
        for (ShardBestVersion kept : shard.kept()) {
            out.putLong(kept.version());
            out.putFloats(kept.weights());
            for (RowsSnapshot rows : kept.rows()) {
                RowsFile.write(rows, new RowGradientSums(rows.spec().dimension()), out);
            }
        }
    }

    static void writeApplied(AppliedPushes applied, ChecksummedOutput out) throws IOException {
        out.putInt(applied.perEpoch());
        out.putLong(applied.gradients());
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
     * @param shards number of shards of the model
     * @param ranges whether a shard of the model has a range
     */
    static ShardSnapshot read(ChecksummedInput in, List<TableSpec> tables, int shards, Predicate<ShardRange> ranges)
            throws IOException {
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw in.damaged(String.format("is not a shard file: it begins with %08x, not %08x", magic, MAGIC));
        }
        int format = in.getInt();
        if (format != FORMAT) {
            throw in.damaged("has format " + format + ", but this version of EDL reads " + FORMAT);
        }
        ShardRange range = new ShardRange(in.getInt(), in.getInt(), in.getInt());
        if (!ranges.test(range)) {
            throw in.damaged("is of " + range + ", which is not a shard of this model");
        }
        Optimizer optimizer = Optimizer.parse(in.getString());
        long version = in.getLong();
        long step = in.getLong();
        float[] weights = in.getFloats(range.length(), "weights", range);
        float[][] slots = new float[optimizer.slots().size()][];
        for (int i = 0; i < slots.length; i++) {
            String slot = in.getString();
            if (!slot.equals(optimizer.slots().get(i))) {
                throw in.damaged("has a slot \"" + slot + "\" where \""
                        + optimizer.slots().get(i) + "\" was expected");
            }
            slots[i] = in.getFloats(range.length(), slot, range);
        }
        int summed = in.getCount(Float.BYTES);
        if (summed != 0 && summed != range.length()) {
            throw in.damaged("has " + summed + " accumulated floats for " + range);
        }
        float[] sum = new float[summed];
        in.getFirst(sum, summed);
        long[] pending = in.getLongs();
        if (summed != (pending.length == 0 ? 0 : range.length())) {
            throw in.damaged(
                    "has " + summed + " accumulated floats for " + pending.length + " pending pushes of " + range);
        }
        AppliedPushes applied = readApplied(in);
        List<RowsSnapshot> rows = new ArrayList<>();
        List<RowGradientSums> rowSums = new ArrayList<>();
        long staleness = in.getLong();
        int count = in.getInt();
        if (count != tables.size()) {
            throw in.damaged("has " + count + " embedding tables, the model " + tables.size());
        }
        for (TableSpec table : tables) {
            RowsFile file = RowsFile.read(table, optimizer.slots().size(), range.index(), shards, in);
            rows.add(file.rows());
            rowSums.add(file.sums());
        }
        List<ShardBestVersion> kept = readKept(in, range, optimizer, tables, shards);
        return new ShardSnapshot(
                        range,
                        optimizer,
                        version,
                        new ShardSnapshot.State(weights, slots, sum, step, rows, rowSums),
                        applied,
                        Arrays.stream(pending).boxed().toList(),
                        staleness)
                .with(kept);
    }

    private static List<ShardBestVersion> readKept(
            ChecksummedInput in, ShardRange range, Optimizer optimizer, List<TableSpec> tables, int shards)
            throws IOException {
        int count = in.getInt();
        if (count < 0 || count > KEPT) {
            throw in.damaged("announces " + count + " kept versions; the maximum is " + KEPT);
        }
        List<ShardBestVersion> kept = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            long version = in.getLong();
            float[] weights = in.getFloats(range.length(), "kept weights", range);
            List<RowsSnapshot> rows = new ArrayList<>();
            for (TableSpec table : tables) {
                rows.add(RowsFile.read(table, optimizer.slots().size(), range.index(), shards, in)
                        .rows());
            }
            kept.add(new ShardBestVersion(version, weights, rows));
        }
        return kept;
    }

    static AppliedPushes readApplied(ChecksummedInput in) throws IOException {
        int perEpoch = in.getInt();
        long gradients = in.getLong();
        BitSet complete = BitSet.valueOf(in.getLongs());
        TreeMap<Integer, BitSet> open = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            int epoch = in.getInt();
            BitSet bits = BitSet.valueOf(in.getLongs());
            if (epoch < 0 || bits.length() > perEpoch || complete.get(epoch) || open.put(epoch, bits) != null) {
                throw in.damaged("has " + bits.length() + " minibatches of epoch " + epoch
                        + ", where epochs from 0, each once, of " + perEpoch + " were expected");
            }
        }
        return new AppliedPushes(perEpoch, complete, open, gradients);
    }
}
