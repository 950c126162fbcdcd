package dev.edl.runtime.ps.rows;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.optimizers.Optimizer;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard's part of all embedding tables, and the sums of the row gradients that wait for their round. A row belongs to
 * this shard if its id modulo the number of shards is the shard's index. Used under the shard's lock.
 *
 * <p>The rows of a batch are always in the order of the tables; an empty list means no row of any table.
 */
public final class ShardTables {
    private static final float[][] NO_SLOTS = {};

    private final int shard;
    private final int shards;
    private final List<RowTable> tables = new ArrayList<>();
    private final List<RowGradientSums> sums = new ArrayList<>();

    public ShardTables(int shard, int shards, List<TableSpec> specs, int slots) {
        this.shard = shard;
        this.shards = shards;
        for (TableSpec spec : specs) {
            tables.add(new RowTable(spec, slots));
            sums.add(new RowGradientSums(spec.dimension()));
        }
    }

    /** Stores the shard's rows of whole tables, in their order, with slots of zeros; an empty list stores none. */
    public void initialize(List<? extends EmbeddingValues> whole) {
        for (int t = 0; t < whole.size(); t++) {
            EmbeddingValues values = whole.get(t);
            for (long id : values.ids()) {
                if (owns(id)) {
                    tables.get(t).put(id, values.row(id), NO_SLOTS, 0);
                }
            }
        }
    }

    /** Copies this shard's values into those of a batch's rows that the shard owns. */
    public void pull(List<EmbeddingRows> rows) {
        for (int t = 0; t < rows.size(); t++) {
            EmbeddingRows wanted = rows.get(t);
            RowTable table = tables.get(t);
            int dimension = table.spec().dimension();
            long[] ids = wanted.ids();
            for (int i = 0; i < wanted.count(); i++) {
                if (owns(ids[i])) {
                    table.read(ids[i], wanted.values(), i * dimension);
                }
            }
        }
    }

    public void accumulate(List<EmbeddingRows> rows) {
        for (int t = 0; t < rows.size(); t++) {
            EmbeddingRows pushed = rows.get(t);
            RowGradientSums sum = sums.get(t);
            int dimension = tables.get(t).spec().dimension();
            long[] ids = pushed.ids();
            for (int i = 0; i < pushed.count(); i++) {
                if (owns(ids[i])) {
                    sum.add(ids[i], pushed.gradients(), i * dimension);
                }
            }
        }
    }

    /** Updates the shard's rows by one worker's row gradients. */
    public void apply(Optimizer optimizer, float rate, List<EmbeddingRows> rows) {
        for (int t = 0; t < rows.size(); t++) {
            EmbeddingRows pushed = rows.get(t);
            update(tables.get(t), optimizer, rate, pushed.ids(), pushed.count(), pushed.gradients());
        }
    }

    /** Updates each row that has accumulated gradients by their sum divided by {@code count}. */
    public void applyMean(Optimizer optimizer, float rate, int count) {
        for (int t = 0; t < tables.size(); t++) {
            RowGradientSums sum = sums.get(t);
            sum.scale(1f / count);
            update(tables.get(t), optimizer, rate, sum.ids(), sum.count(), sum.sums());
            sum.clear();
        }
    }

    private void update(RowTable table, Optimizer optimizer, float rate, long[] ids, int count, float[] gradients) {
        int dimension = table.spec().dimension();
        for (int i = 0; i < count; i++) {
            if (owns(ids[i])) {
                table.update(ids[i], optimizer, rate, gradients, i * dimension);
            }
        }
    }

    private boolean owns(long id) {
        return Math.floorMod(id, shards) == shard;
    }

    public List<RowsSnapshot> snapshot() {
        List<RowsSnapshot> snapshots = new ArrayList<>(tables.size());
        for (RowTable table : tables) {
            snapshots.add(table.snapshot());
        }
        return snapshots;
    }

    /** Returns copies of the sums; empty ones if no gradient waits. */
    public List<RowGradientSums> sums() {
        return sums.stream().map(RowGradientSums::copy).toList();
    }

    public void restore(List<RowsSnapshot> rows, List<RowGradientSums> pending) {
        for (int t = 0; t < tables.size(); t++) {
            tables.get(t).restore(rows.get(t));
            sums.get(t).clear();
            sums.get(t).addAll(pending.get(t), 0, 1);
        }
    }
}
