package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trains a table of a million rows with skewed access, by several threads on several shards. Compares a sample of the
 * rows with a map, takes cuts during training, and loads one into another number of shards.
 *
 * <p>Gradients depend on the push and the id alone, and plain gradient descent adds them, so the order of the threads
 * matters only for rounding.
 */
class MillionIdsTest {
    private static final long SEED = 5;
    private static final int THREADS = 4;
    private static final int PUSHES = 280;
    private static final int IDS = 4096;
    private static final long SAMPLED = 997;
    private static final EmbeddingTable TABLE =
            new EmbeddingTable("vectors", 4, 0, IDS, Initializer.uniform(-0.05f, 0.05f));
    private static final ParameterLayout LAYOUT =
            ParameterLayout.builder().add("bias", 8).build();
    private static final ShardContents CONTENTS = ShardContents.of(LAYOUT, List.of(TABLE), SEED);
    private static final Optimizer OPTIMIZER = Optimizer.sgd(0.5f);

    @TempDir
    Path directory;

    private static TestShards group(int shards) throws InterruptedException {
        TestShards group = TestShards.create(
                CONTENTS, shards, UpdateRule.of(OPTIMIZER, Consistency.asynchronous()), PUSHES, Duration.ofSeconds(10));
        group.initialize(new float[8]);
        return group;
    }

    /** Most ids occur once in the whole test, some in every push, the rest by a power law. */
    private static void ids(int push, long[] into) {
        SplittableRandom random = new SplittableRandom(SEED + push);
        for (int i = 0; i < IDS; i++) {
            if (i < 3600) {
                into[i] = mixed(3600L * push + i);
            } else {
                into[i] = mixed((long) (1_000_000 * Math.pow(random.nextDouble(), 8)));
            }
        }
    }

    /** Spreads the numbers from 0 over large ids, which do not fit an int. */
    private static long mixed(long number) {
        return (number * 0x9E3779B97F4A7C15L) >>> 2;
    }

    private static float gradient(int push, long id, int element) {
        return ((id ^ push) & 15) * 0.01f - 0.05f + element * 0.001f;
    }

    private static void push(TestShards group, Batch batch, int push) throws InterruptedException {
        batch.clear("").row();
        ids(push, batch.ids());
        batch.gather();
        long[] versions = new long[group.count()];
        Workers.of(group).pull(new float[8], batch.tables(), versions);
        EmbeddingRows rows = batch.rows(0);
        for (int r = 0; r < rows.count(); r++) {
            for (int i = 0; i < 4; i++) {
                rows.gradients()[r * 4 + i] = gradient(push, rows.ids()[r], i);
            }
        }
        Workers.of(group).push("w", push, versions, new float[8], batch.tables());
    }

    private static Map<Long, double[]> naive() {
        Map<Long, double[]> rows = new HashMap<>();
        long[] ids = new long[IDS];
        for (int push = 0; push < PUSHES; push++) {
            ids(push, ids);
            for (long id : Arrays.stream(ids).distinct().toArray()) {
                if (id % SAMPLED == 0) {
                    double[] row = rows.computeIfAbsent(id, MillionIdsTest::first);
                    for (int i = 0; i < 4; i++) {
                        row[i] -= 0.5 * gradient(push, id, i);
                    }
                }
            }
        }
        return rows;
    }

    private static double[] first(long id) {
        float[] row = new float[4];
        TABLE.initializer().fill(row, 0, 4, Initializer.seed(SEED, "vectors"), id);
        return new double[] {row[0], row[1], row[2], row[3]};
    }

    @Test
    void a_million_rows_are_trained_cut_and_loaded_into_other_shards() throws Exception {
        TestShards group = group(3);
        ExecutorService workers = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> done = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int first = t;
            done.add(workers.submit(() -> {
                Batch batch = new Batch(1, 0, 0, IDS, List.of(TABLE));
                for (int push = first; push < PUSHES; push += THREADS) {
                    push(group, batch, push);
                }
                return null;
            }));
        }
        ShardCut early = group.cut();
        int earlyRows = early.tables().get(0).size();
        for (Future<?> worker : done) {
            worker.get(60, TimeUnit.SECONDS);
        }
        workers.shutdown();
        assertThat(early.tables().get(0).ids()).hasSize(earlyRows);

        ShardCut cut = group.cut();
        assertThat(cut.tables().get(0).size()).isGreaterThan(1_000_000);
        Path saved = new CheckpointStore(directory, 0).save(cut, LAYOUT, Map.of());
        TestShards other = group(5);
        other.restore(CheckpointStore.load(saved).shards(CONTENTS, LAYOUT, OPTIMIZER, PUSHES, 5));
        TableSnapshot trained = cut.tables().get(0);
        TableSnapshot loaded = other.cut().tables().get(0);
        assertThat(loaded.ids()).isEqualTo(trained.ids());

        Map<Long, double[]> naive = naive();
        assertThat(naive.size()).isGreaterThan(900);
        naive.forEach((id, expected) -> {
            for (int i = 0; i < 4; i++) {
                assertThat((double) trained.row(id)[i])
                        .as("seed %d, row %d", SEED, id)
                        .isCloseTo(expected[i], within(2e-4));
            }
            assertThat(loaded.row(id)).isEqualTo(trained.row(id));
        });
    }
}
