package dev.edl.runtime.ps;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import java.time.Duration;
import java.util.List;

/** Two embedding tables over the same two columns of ids, and a small vector, for the tests of tables. */
public final class Tables {
    static final long SEED = 42;
    public static final Initializer UNIFORM = Initializer.uniform(-0.5f, 0.5f);
    public static final EmbeddingTable WIDE = new EmbeddingTable("wide", 1, 0, 2, Initializer.zeros());
    public static final EmbeddingTable DEEP = new EmbeddingTable("deep", 3, 0, 2, UNIFORM);
    public static final List<EmbeddingTable> BOTH = List.of(WIDE, DEEP);
    public static final ParameterLayout LAYOUT =
            ParameterLayout.builder().add("bias", 7).build();
    public static final ShardContents CONTENTS = ShardContents.of(LAYOUT, BOTH, SEED);

    private Tables() {}

    public static TestShards group(int shards, UpdateRule rule) throws InterruptedException {
        TestShards group = TestShards.create(CONTENTS, shards, rule, 1000, Duration.ofSeconds(1));
        group.initialize(new float[7]);
        return group;
    }

    public static TestShards group(int shards, Optimizer optimizer) throws InterruptedException {
        return group(shards, UpdateRule.of(optimizer, Consistency.asynchronous()));
    }

    /** A batch of one id for each column. */
    public static Batch batch(long... ids) {
        Batch batch = new Batch(Math.max(1, ids.length / 2), 0, 0, 2, BOTH);
        for (int i = 0; i < ids.length; i += 2) {
            int row = batch.row();
            batch.ids()[2 * row] = ids[i];
            batch.ids()[2 * row + 1] = ids[i + 1];
        }
        return batch.gather();
    }

    /** Pushes a gradient of the same number for every element of every row. */
    public static PushResult push(TestShards group, String worker, long pushId, Batch batch, float gradient)
            throws InterruptedException {
        long[] versions = new long[group.count()];
        Workers.of(group).pull(new float[7], batch.tables(), versions);
        for (EmbeddingRows rows : batch.tables()) {
            for (int i = 0; i < rows.count() * rows.table().dimension(); i++) {
                rows.gradients()[i] = gradient;
            }
        }
        return Workers.of(group).push(worker, pushId, versions, new float[7], batch.tables());
    }

    /** Returns the initial values of a row. */
    static float[] first(EmbeddingTable table, long id) {
        float[] row = new float[table.dimension()];
        table.initializer().fill(row, 0, row.length, Initializer.seed(SEED, table.name()), id);
        return row;
    }
}
