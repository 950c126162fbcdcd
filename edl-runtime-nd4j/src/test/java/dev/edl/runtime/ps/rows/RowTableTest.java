package dev.edl.runtime.ps.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.Tables;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTableTest {
    private static final Optimizer SGD = Optimizer.sgd(1f);

    private static TableSpec spec(int dimension) {
        return new TableSpec("t", dimension, Tables.UNIFORM, 3);
    }

    private static float[] first(int dimension, long id) {
        float[] row = new float[dimension];
        spec(dimension).fill(row, 0, id);
        return row;
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** A dimension of 5000 is more than a chunk, which then holds one row. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 5000})
    void rows_are_found_for_any_count_and_ids(int dimension) {
        long seed = 17;
        SplittableRandom random = new SplittableRandom(seed);
        RowTable table = new RowTable(spec(dimension), 0);
        Map<Long, Float> expected = new HashMap<>();
        List<RowsSnapshot> snapshots = new ArrayList<>();
        List<Map<Long, Float>> then = new ArrayList<>();
        float[] gradient = new float[dimension];
        int updates = 2_000_000 / (100 + dimension);
        for (int i = 0; i < updates; i++) {
            // Some ids in a row, some multiples of a power of two, some of any size.
            long id = switch (random.nextInt(3)) {
                case 0 -> random.nextInt(3000);
                case 1 -> (long) random.nextInt(3000) << 32;
                default -> random.nextLong() >>> 1;
            };
            gradient[dimension - 1] = random.nextInt(8);
            table.update(id, SGD, 1, gradient, 0);
            float last = expected.getOrDefault(id, first(dimension, id)[dimension - 1]);
            expected.put(id, last - gradient[dimension - 1]);
            if (i % (updates / 4) == 1) {
                snapshots.add(table.snapshot());
                then.add(new HashMap<>(expected));
            }
        }
        snapshots.add(table.snapshot());
        then.add(expected);

        float[] row = new float[dimension];
        for (int s = 0; s < snapshots.size(); s++) {
            RowsSnapshot snapshot = snapshots.get(s);
            Map<Long, Float> rows = then.get(s);
            assertThat(snapshot.count()).isEqualTo(rows.size());
            for (long id : expected.keySet()) {
                snapshot.read(id, row, 0);
                float wanted = rows.getOrDefault(id, first(dimension, id)[dimension - 1]);
                assertThat(row[dimension - 1])
                        .as("seed %d, snapshot %d, row %d", seed, s, id)
                        .isEqualTo(wanted);
                assertThat(snapshot.contains(id)).isEqualTo(rows.containsKey(id));
            }
        }
    }

    @Test
    void a_snapshot_is_read_without_a_lock_while_its_table_grows() throws Exception {
        RowTable table = new RowTable(spec(2), 1);
        float[] gradient = {1, 1};
        Optimizer momentum = Optimizer.sgd(1f, 0.5f, false);
        for (long id = 0; id < 1000; id++) {
            table.update(id * 3, momentum, 1, gradient, 0);
        }
        RowsSnapshot snapshot = table.snapshot();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        Future<Integer> wrong = reader.submit(() -> {
            int bad = 0;
            float[] row = new float[2];
            for (int round = 0; round < 100; round++) {
                for (long id = 0; id < 3000; id++) {
                    snapshot.read(id, row, 0);
                    float begin = first(2, id)[1];
                    bad += row[1] == (id % 3 == 0 ? begin - 1 : begin) ? 0 : 1;
                }
            }
            return bad;
        });
        for (long id = 0; id < 200_000; id++) {
            table.update(id, momentum, 1, gradient, 0);
        }

        assertThat(wrong.get(30, TimeUnit.SECONDS)).isZero();
        reader.shutdown();
    }

    @Test
    void a_snapshot_costs_a_reference_for_each_chunk() {
        RowTable table = new RowTable(spec(8), 2);
        for (long id = 0; id < 100_000; id++) {
            table.update(id, Optimizer.adam(0.1f), 1, new float[8], 0);
        }
        table.snapshot();
        long before = allocated();
        RowsSnapshot snapshot = table.snapshot();
        long bytes = allocated() - before;

        // 9.6 MB of values and slots in 196 chunks of 512 rows.
        assertThat(snapshot.chunks()).hasSize(196);
        assertThat(bytes).isLessThan(4000);
    }

    @Test
    void rows_that_are_there_are_pulled_and_updated_without_allocating() {
        ShardTables tables = new ShardTables(0, 1, Tables.CONTENTS.tables(), 2);
        Optimizer adam = Optimizer.adam(0.1f);
        Batch batch = Tables.batch(new SplittableRandom(1).longs(400, 0, 1000).toArray());
        turns(tables, adam, batch, 300);
        long before = allocated();
        turns(tables, adam, batch, 1000);

        assertThat(allocated() - before).isLessThan(10_000);
    }

    private static void turns(ShardTables tables, Optimizer adam, Batch batch, int count) {
        for (int i = 0; i < count; i++) {
            tables.pull(batch.tables());
            tables.apply(adam, 0.1f, batch.tables());
            tables.accumulate(batch.tables());
            tables.accumulate(batch.tables());
            tables.applyMean(adam, 0.1f, 2);
        }
    }
}
