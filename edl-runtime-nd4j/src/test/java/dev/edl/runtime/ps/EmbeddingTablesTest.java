package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddingTablesTest {
    private static final Optimizer SGD = Optimizer.sgd(1f);

    @Test
    void untrained_row_has_initializer_values_and_is_not_stored() throws Exception {
        TestShards group = Tables.group(3, SGD);
        Batch batch = Tables.batch(5, 1_000_000_000_007L);
        Workers.of(group).pull(new float[7], batch.tables(), new long[3]);

        assertThat(batch.rows(1).values()).startsWith(Tables.first(Tables.DEEP, 5));
        assertThat(batch.rows(1).values()).endsWith(Tables.first(Tables.DEEP, 1_000_000_000_007L));
        assertThat(group.cut().tables().get(1)).hasToString("deep[*, 3], 0 rows updated");
        assertThat(group.cut().tables().get(1).row(5)).isEqualTo(Tables.first(Tables.DEEP, 5));
    }

    @Test
    void update_changes_and_stores_only_the_minibatchs_rows() throws Exception {
        TestShards group = Tables.group(2, SGD);
        Tables.push(group, "a", 0, Tables.batch(5, 8, 5, -1), 2);
        TableSnapshot wide = group.cut().tables().get(0);

        assertThat(wide.ids()).containsExactly(5, 8);
        assertThat(wide.row(5)).containsExactly(-2);
        assertThat(wide.row(6)).containsExactly(0);
        assertThat(wide.contains(6)).isFalse();
        Batch again = Tables.batch(8, 6);
        Workers.of(group).pull(new float[7], again.tables(), new long[2]);
        assertThat(again.rows(0).values()).containsExactly(-2, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "sgd,1",
        "momentum,2",
        "nesterov,3",
        "adam,1",
        "adam,4",
        "amsgrad,2",
        "adagrad,3",
        "momentum,1",
        "adagrad,1"
    })
    void every_optimizer_agrees_with_a_naive_table_in_double_precision(String rule, int shards) throws Exception {
        long seed = 7;
        Random random = new Random(seed);
        TestShards group = Tables.group(shards, NaiveRows.optimizer(rule));
        List<NaiveRows> naive = List.of(new NaiveRows(rule, Tables.WIDE), new NaiveRows(rule, Tables.DEEP));
        long[] versions = new long[shards];
        float[] weights = new float[7];
        for (int t = 1; t <= 60; t++) {
            long[] ids = random.longs(12, -1, 20).toArray();
            Batch batch = Tables.batch(ids);
            Workers.of(group).pull(weights, batch.tables(), versions);
            for (int table = 0; table < 2; table++) {
                EmbeddingRows rows = batch.rows(table);
                int dimension = rows.table().dimension();
                for (int r = 0; r < rows.count(); r++) {
                    double[] gradient = new double[dimension];
                    for (int i = 0; i < dimension; i++) {
                        gradient[i] = (float) random.nextGaussian();
                        rows.gradients()[r * dimension + i] = (float) gradient[i];
                    }
                    naive.get(table).update(rows.ids()[r], t, gradient);
                }
            }
            Workers.of(group).push("a", t, versions, new float[7], batch.tables());
        }
        for (int table = 0; table < 2; table++) {
            TableSnapshot trained = group.cut().tables().get(table);
            assertThat(trained.ids()).hasSize(20);
            for (long id = 0; id < 20; id++) {
                for (int i = 0; i < trained.dimension(); i++) {
                    assertThat((double) trained.row(id)[i])
                            .as("%s, %d shards, seed %d, row %d of %s", rule, shards, seed, id, trained.name())
                            .isCloseTo(naive.get(table).row(id)[i], within(2e-5));
                }
            }
        }
    }

    /** Each row is one element, as in {@code OptimizerTest}, with the same constants. */
    @ParameterizedTest
    @CsvSource({
        "'sgd:learning_rate=0.1', 0.875",
        "'sgd:learning_rate=0.1,momentum=0.9', 0.812",
        "'sgd:learning_rate=0.1,momentum=0.9,nesterov=true', 0.7058",
        "'adam:learning_rate=0.1', 0.8075561008769581",
        "'adagrad:learning_rate=0.1', 0.8574342230746432"
    })
    void a_row_of_every_minibatch_is_trained_as_a_dense_weight_is(String text, double expected) throws Exception {
        EmbeddingTable ones = new EmbeddingTable("wide", 1, 0, 2, Initializer.ones());
        TestShards group = TestShards.create(
                ShardContents.of(Tables.LAYOUT, List.of(ones), 1),
                2,
                UpdateRule.of(Optimizer.parse(text), Consistency.asynchronous()),
                8,
                Duration.ofSeconds(1));
        group.initialize(new float[7]);
        float[] gradients = {0.5f, -0.25f, 1};
        for (int i = 0; i < 3; i++) {
            Batch batch = new Batch(1, 0, 0, 2, List.of(ones));
            batch.row();
            batch.ids()[0] = 3;
            batch.ids()[1] = -1;
            batch.gather().rows(0).gradients()[0] = gradients[i];
            Workers.of(group).push("a", i, new long[] {i, i}, new float[7], batch.tables());
        }

        assertThat((double) group.cut().tables().get(0).row(3)[0]).isCloseTo(expected, within(2e-7));
    }

    @Test
    void momentum_of_a_row_that_is_absent_does_not_decay() throws Exception {
        TestShards group = Tables.group(1, Optimizer.sgd(1f, 0.5f, false));
        Tables.push(group, "a", 0, Tables.batch(1, 2), 4);
        Tables.push(group, "a", 1, Tables.batch(2, 2), 4);
        Tables.push(group, "a", 2, Tables.batch(1, 1), 0);

        // Row 1: v = 4, then 0.5 * 4 = 2; row 2: v = 4, then 2 + 4 = 6.
        assertThat(group.cut().tables().get(0).row(1)).containsExactly(-6);
        assertThat(group.cut().tables().get(0).row(2)).containsExactly(-10);
    }

    @Test
    void round_of_two_workers_equals_one_worker_with_double_minibatch() throws Exception {
        // The loss is the mean over records of the sum of squares of each record's rows, halved: a row's gradient is
        // its
        // value, times how often it occurs, divided by the number of records.
        TestShards two = Tables.group(2, UpdateRule.of(SGD, Consistency.synchronous()));
        TestShards one = Tables.group(2, UpdateRule.of(SGD, Consistency.synchronous()));
        two.join("a");
        two.join("b");
        one.join("c");
        for (int step = 0; step < 5; step++) {
            Batch a = Tables.batch(1, 2, 1, 4);
            Batch b = Tables.batch(2, 7, 9, 9);
            Batch whole = Tables.batch(1, 2, 1, 4, 2, 7, 9, 9);
            long[] versions = {step, step};
            square(two, a);
            square(two, b);
            square(one, whole);
            assertThat(Workers.of(two)
                            .push("a", 2L * step, versions, new float[7], a.tables())
                            .outcome())
                    .isEqualTo(PushResult.Outcome.ACCUMULATED);
            assertThat(Workers.of(two)
                            .push("b", 2L * step + 1, versions, new float[7], b.tables())
                            .outcome())
                    .isEqualTo(PushResult.Outcome.APPLIED);
            Workers.of(one).push("c", step, versions, new float[7], whole.tables());
        }

        TableSnapshot expected = one.cut().tables().get(1);
        TableSnapshot found = two.cut().tables().get(1);
        assertThat(found.ids()).containsExactly(1, 2, 4, 7, 9).isEqualTo(expected.ids());
        for (long id : expected.ids()) {
            assertThat(found.row(id)).as("row %d", id).containsExactly(expected.row(id), within(1e-6f));
        }
    }

    private static void square(TestShards group, Batch batch) throws InterruptedException {
        Workers.of(group).pull(new float[7], batch.tables(), new long[2]);
        for (EmbeddingRows rows : batch.tables()) {
            int dimension = rows.table().dimension();
            rows.clearGradients();
            for (int place : rows.rows()) {
                for (int i = 0; i < dimension; i++) {
                    rows.gradients()[place * dimension + i] += rows.values()[place * dimension + i] / batch.size();
                }
            }
        }
    }

    @Test
    void a_flush_applies_the_rows_that_wait_too() throws Exception {
        TestShards group = Tables.group(2, UpdateRule.of(SGD, Consistency.synchronous()));
        group.join("a");
        group.join("b");
        Tables.push(group, "a", 0, Tables.batch(3, 4), 2);
        assertThat(group.cut().tables().get(0).size()).isZero();
        group.flush();

        assertThat(group.cut().tables().get(0).row(4)).containsExactly(-2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void layer_state_changes_by_the_mean_and_not_by_the_optimizer(int shards) throws Exception {
        ParameterLayout layout =
                ParameterLayout.builder().add("w", 4).addState("mean", 3).build();
        UpdateRule rule = UpdateRule.of(Optimizer.adam(0.5f), Consistency.synchronous());
        TestShards group =
                TestShards.create(ShardContents.of(layout, List.of(), 1), shards, rule, 8, Duration.ofSeconds(1));
        group.initialize(new float[] {1, 1, 1, 1, 10, 20, 30});
        group.join("a");
        Workers.of(group).push("a", 0, new long[shards], new float[] {1, 1, 1, 1, 5, 6, 7});
        // Adam's first step is the learning rate, whatever the gradient.
        assertThat(group.cut().weights())
                .containsExactly(new float[] {0.5f, 0.5f, 0.5f, 0.5f, 15, 26, 37}, within(1e-5f));
        group.join("b");
        long[] versions = new long[shards];
        Arrays.fill(versions, 1);
        Workers.of(group).push("a", 1, versions, new float[] {0, 0, 0, 0, 2, 4, 6});
        Workers.of(group).push("b", 2, versions, new float[] {0, 0, 0, 0, 4, 0, -2});

        float[] weights = group.cut().weights();
        assertThat(Arrays.copyOfRange(weights, 4, 7)).containsExactly(18, 28, 39);
    }

    @Test
    void row_updates_do_not_change_pinned_versions_and_cuts() throws Exception {
        TestShards group = Tables.group(2, SGD);
        group.pins().pinEvery(2, 1, version -> {});
        for (int i = 0; i < 2; i++) {
            Tables.push(group, "a", i, Tables.batch(1, 2, 3, 4), 1);
        }
        ShardCut cut = group.cut();
        group.pins().hold(2);
        for (int i = 2; i < 5; i++) {
            Tables.push(group, "a", i, Tables.batch(1, 2, 3, 9000), 1);
        }

        ModelSnapshot pinned = group.pins().pinned(2).orElseThrow();
        assertThat(pinned.tables().get(0).ids()).containsExactly(1, 2, 3, 4);
        assertThat(pinned.tables().get(0).row(1)).containsExactly(-2);
        assertThat(cut.tables().get(0).row(3)).containsExactly(-2);
        assertThat(cut.tables().get(0).row(9000)).containsExactly(0);
        assertThat(group.cut().tables().get(0).row(1)).containsExactly(-5);
        Batch batch = Tables.batch(1, 9000);
        pinned.fill(batch);
        assertThat(batch.rows(0).values()).containsExactly(-2, 0);
        assertThat(batch.rows(1).values()).endsWith(Tables.first(Tables.DEEP, 9000));
        group.detach(0);
        assertThat(pinned.tables().get(0).row(2)).containsExactly(-2);
    }

    @Test
    void nonfinite_row_gradient_is_rejected_without_effect() throws Exception {
        TestShards group = Tables.group(2, SGD);
        Batch batch = Tables.batch(5, 8);
        batch.rows(1).gradients()[4] = Float.NaN;

        assertThatThrownBy(() -> Workers.of(group).push("a", 0, new long[2], new float[7], batch.tables()))
                .isInstanceOf(NonFiniteGradientException.class)
                .hasMessage("the gradient of row 8 of deep must be finite, was NaN at element 1");
        assertThat(group.cut().version()).isZero();
    }

    @Test
    void rows_of_other_tables_are_refused() throws Exception {
        TestShards group = Tables.group(2, SGD);
        Batch batch = Tables.batch(5, 8);

        assertThatThrownBy(
                        () -> Workers.of(group).pull(new float[7], List.of(batch.rows(1), batch.rows(0)), new long[2]))
                .hasMessage("rows must be of the tables [wide[*, 1], deep[*, 3]], in this order, were of"
                        + " [deep[*, 3] of ids 0..1, wide[*, 1] of ids 0..1]");
    }

    @Test
    void with_a_short_vector_the_last_shards_hold_rows_only() throws Exception {
        ShardContents contents =
                ShardContents.of(ParameterLayout.builder().add("bias", 1).build(), Tables.BOTH, Tables.SEED);
        TestShards group = TestShards.create(
                contents, 3, UpdateRule.of(SGD, Consistency.asynchronous()), 8, Duration.ofSeconds(1));
        group.initialize(new float[] {1});
        Batch batch = Tables.batch(3, 5);
        batch.rows(0).gradients()[1] = 2;
        Workers.of(group).push("a", 0, new long[3], new float[] {0.5f}, batch.tables());

        assertThat(group.cut().weights()).containsExactly(0.5f);
        assertThat(group.cut().tables().get(0).row(5)).containsExactly(-2);
    }

    @Test
    void a_row_that_overflows_is_found() throws Exception {
        TestShards group = Tables.group(2, Optimizer.sgd(3e38f));
        assertThat(group.cut().firstNonFiniteRow()).isEmpty();
        Tables.push(group, "a", 0, Tables.batch(5, 6), 3e38f);

        assertThat(group.cut().firstNonFiniteRow()).contains("row 6 of wide");
    }
}
