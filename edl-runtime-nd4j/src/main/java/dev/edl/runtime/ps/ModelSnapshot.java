package dev.edl.runtime.ps;

import dev.edl.runtime.Batch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * All parameters of a model at one version: the flat vector and the embedding tables. What happens to the shards
 * afterwards does not change it.
 *
 * <pre>{@code
 * model.fill(batch.gather());
 * session.predict(model.weights(), batch, outputs);
 * }</pre>
 *
 * <p>Safe for several threads, as long as nobody writes to {@link #weights()}.
 */
public final class ModelSnapshot {
    private final long version;
    private final float[] weights;
    private final List<TableSnapshot> tables;

    private ModelSnapshot(long version, float[] weights, List<TableSnapshot> tables) {
        this.version = version;
        this.weights = weights;
        this.tables = tables;
    }

    /**
     * A model of what each shard keeps.
     *
     * @param weights taken over
     * @param shards for each shard its rows of every table
     */
    static ModelSnapshot ofShards(long version, float[] weights, List<List<RowsSnapshot>> shards) {
        return new ModelSnapshot(version, weights, tables(shards));
    }

    /**
     * A model that was kept elsewhere, for example in a file.
     *
     * @param version updates made, at least 0
     * @param weights the flat vector, in the order of the model's layout; taken over
     * @param tables the embedding tables, in the order of the model's
     */
    public static ModelSnapshot of(long version, float[] weights, Collection<TableSnapshot> tables) {
        if (version < 0) {
            throw new IllegalArgumentException("a model's version must be at least 0, was " + version);
        }
        return new ModelSnapshot(version, weights, List.copyOf(tables));
    }

    static List<TableSnapshot> tables(List<List<RowsSnapshot>> shards) {
        List<TableSnapshot> tables = new ArrayList<>();
        for (int t = 0; t < shards.get(0).size(); t++) {
            int table = t;
            tables.add(new TableSnapshot(
                    shards.stream().map(rows -> rows.get(table)).toList()));
        }
        return List.copyOf(tables);
    }

    /** Updates made. */
    public long version() {
        return version;
    }

    /** The flat vector, in the order of the model's layout. The array itself, not to be written. */
    public float[] weights() {
        return weights;
    }

    /** The embedding tables, in the order of the model's. */
    public List<TableSnapshot> tables() {
        return tables;
    }

    /** Writes the values of all rows that a batch has gathered. */
    public void fill(Batch batch) {
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).fill(batch.rows(i));
        }
    }

    /** For example {@code version 12: 650 floats, [fm/vectors[*, 8], 1200 rows updated]}. */
    @Override
    public String toString() {
        return "version " + version + ": " + weights.length + " floats" + (tables.isEmpty() ? "" : ", " + tables);
    }
}
