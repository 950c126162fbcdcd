package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.rows.RowsFile;
import dev.edl.runtime.ps.rows.TableSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTablesTest {
    private static final Optimizer ADAM = Optimizer.adam(0.01f);

    @TempDir
    Path directory;

    /** Gradients depend on the rows' values, so that any difference would grow. */
    private static void train(TestShards group, int from, int to) throws InterruptedException {
        float[] weights = new float[7];
        float[] gradient = new float[7];
        long[] versions = new long[group.count()];
        for (int id = from; id < to; id++) {
            Random random = new Random(id);
            Batch batch = Tables.batch(random.longs(40, -1, 5000).toArray());
            Workers.of(group).pull(weights, batch.tables(), versions);
            for (EmbeddingRows rows : batch.tables()) {
                for (int i = 0; i < rows.count() * rows.table().dimension(); i++) {
                    rows.gradients()[i] = rows.values()[i] * random.nextFloat() - 0.1f;
                }
            }
            for (int i = 0; i < 7; i++) {
                gradient[i] = weights[i] - 0.1f;
            }
            Workers.of(group).push("worker-0", id, versions, gradient, batch.tables());
        }
    }

    private static void assertSame(ShardCut found, ShardCut expected) {
        assertThat(found.weights()).isEqualTo(expected.weights());
        for (int t = 0; t < 2; t++) {
            TableSnapshot table = found.tables().get(t);
            assertThat(table.ids()).isEqualTo(expected.tables().get(t).ids());
            for (long id : table.ids()) {
                assertThat(table.row(id))
                        .as("row %d", id)
                        .isEqualTo(expected.tables().get(t).row(id));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 9})
    void rows_and_slots_continue_bit_exactly_in_any_number_of_shards(int shardsAfter) throws Exception {
        for (Optimizer optimizer : List.of(ADAM, Optimizer.sgd(0.1f), Optimizer.amsgrad(0.1f, 0.9f, 0.99f, 1e-7f))) {
            TestShards uninterrupted = Tables.group(2, optimizer);
            train(uninterrupted, 0, 250);
            TestShards before = Tables.group(2, optimizer);
            train(before, 0, 130);
            Path saved = new CheckpointStore(
                            directory.resolve("s" + optimizer.slots().size()), 0)
                    .save(before.cut(), Tables.LAYOUT, Map.of());

            Checkpoint checkpoint = CheckpointStore.load(saved);
            assertSame(checkpoint.cut(), before.cut());
            TestShards after = Tables.group(shardsAfter, optimizer);
            after.restore(checkpoint.shards(Tables.CONTENTS, Tables.LAYOUT, optimizer, 1000, shardsAfter));
            train(after, 130, 250);

            assertSame(after.cut(), uninterrupted.cut());
            assertThat(after.cut().version()).isEqualTo(250);
            // Shards restored from the checkpoint do not change it.
            assertSame(checkpoint.cut(), before.cut());
        }
    }

    @Test
    void two_shards_that_take_over_one_snapshot_do_not_disturb_each_other() throws Exception {
        TestShards before = Tables.group(1, ADAM);
        train(before, 0, 20);
        ShardCut cut = before.cut();
        TestShards one = Tables.group(1, ADAM);
        TestShards other = Tables.group(1, ADAM);
        one.restore(cut.shards());
        other.restore(cut.shards());
        train(before, 20, 40);
        train(one, 20, 40);
        train(other, 20, 30);
        train(other, 30, 40);

        assertSame(one.cut(), before.cut());
        assertSame(other.cut(), before.cut());
    }

    @Test
    void pending_row_gradients_are_saved_and_redistributed() throws Exception {
        UpdateRule rule = UpdateRule.of(Optimizer.sgd(1f), Consistency.synchronous());
        TestShards group = Tables.group(2, rule);
        group.join("a");
        group.join("b");
        Tables.push(group, "a", 0, Tables.batch(1, 2, 3, 40), 2);
        Path saved = new CheckpointStore(directory, 0).save(group.cut(), Tables.LAYOUT, Map.of());
        TestShards after = Tables.group(3, rule);
        after.restore(CheckpointStore.load(saved).shards(Tables.CONTENTS, Tables.LAYOUT, rule.optimizer(), 1000, 3));
        after.flush();

        TableSnapshot wide = after.cut().tables().get(0);
        assertThat(wide.ids()).containsExactly(1, 2, 3, 40);
        assertThat(wide.row(40)).containsExactly(-2);
    }

    @Test
    void a_checkpoint_of_other_tables_is_refused() throws Exception {
        TestShards group = Tables.group(2, ADAM);
        train(group, 0, 3);
        Checkpoint checkpoint =
                CheckpointStore.load(new CheckpointStore(directory, 0).save(group.cut(), Tables.LAYOUT, Map.of()));

        assertRefused(
                checkpoint,
                List.of(Tables.WIDE, new EmbeddingTable("deep", 4, 0, 2, Tables.UNIFORM)),
                42,
                "version-3 belongs to another model: its embedding table 1 is deep[*, 3], this model's is deep[*, 4]");
        assertRefused(
                checkpoint,
                List.of(Tables.WIDE),
                42,
                "version-3 belongs to another model: its embedding table 1 is deep[*, 3], this model's is none");
        long wide = Initializer.seed(42, "wide");
        assertRefused(
                checkpoint,
                Tables.BOTH,
                43,
                "version-3: rows of wide[*, 1] were initialized with zeros and seed " + wide + "; this model uses zeros"
                        + " and " + Initializer.seed(43, "wide"));
        assertRefused(
                checkpoint,
                List.of(new EmbeddingTable("wide", 1, 0, 2, Initializer.ones()), Tables.DEEP),
                42,
                "version-3: rows of wide[*, 1] were initialized with zeros and seed " + wide + "; this model uses ones"
                        + " and " + wide);
    }

    private static void assertRefused(Checkpoint checkpoint, List<EmbeddingTable> tables, long seed, String message) {
        ShardContents contents = ShardContents.of(Tables.LAYOUT, tables, seed);
        assertThatThrownBy(() -> checkpoint.shards(contents, Tables.LAYOUT, ADAM, 1000, 2))
                .isInstanceOf(CheckpointException.class)
                .hasMessage(message);
    }

    @Test
    void state_that_became_trained_is_another_model() throws Exception {
        ParameterLayout layout =
                ParameterLayout.builder().add("w", 4).addState("mean", 3).build();
        ParameterLayout other =
                ParameterLayout.builder().add("w", 4).add("mean", 3).build();
        TestShards group = TestShards.create(
                ShardContents.of(layout, List.of(), 1),
                2,
                UpdateRule.of(ADAM, Consistency.asynchronous()),
                8,
                Duration.ofSeconds(1));
        group.initialize(new float[7]);
        Checkpoint checkpoint =
                CheckpointStore.load(new CheckpointStore(directory, 0).save(group.cut(), layout, Map.of()));

        assertThat(checkpoint.layout()).isEqualTo(layout);
        assertThat(checkpoint.shards(layout, ADAM, 8, 3)).hasSize(3);
        assertThatThrownBy(() -> checkpoint.shards(other, ADAM, 8, 2))
                .hasMessage("version-0 belongs to another model: its first 4 floats are trained, this model's first 7");
    }

    /** Reads a file whose table section was written by hand; one chunk of one-float rows with no slots. */
    private String messageOf(TableSpec spec, CheckpointFiles.Content content) throws IOException {
        Path file = directory.resolve("shard-0-of-2");
        CheckpointFiles.REAL.write(file, content);
        try (ChecksummedInput in = ChecksummedInput.open(file)) {
            RowsFile.read(spec, 0, 0, 2, in);
            return "read";
        } catch (CheckpointException e) {
            return String.valueOf(e.getMessage());
        } finally {
            CheckpointFiles.REAL.delete(file);
        }
    }

    private static void rows(ChecksummedOutput out, String name, int dimension, int chunkRows, long... ids)
            throws IOException {
        out.putString(name);
        out.putInt(dimension);
        out.putInt(ids.length);
        out.putInt(chunkRows);
        for (long id : ids) {
            out.putLong(id);
        }
        out.putFirst(new float[ids.length], ids.length);
        out.putInt(0);
    }

    @Test
    void rows_that_no_shard_can_have_written_are_refused() throws Exception {
        TableSpec spec = TableSpec.of(Tables.WIDE, 42);

        assertThat(messageOf(spec, out -> rows(out, "wide", 1, 8, 4, 6))).isEqualTo("read");
        assertThat(messageOf(spec, out -> rows(out, "wide", 1, 8, 4, 4)))
                .isEqualTo("shard-0-of-2 has the row 4 of wide[*, 1] twice");
        assertThat(messageOf(spec, out -> rows(out, "wide", 1, 8, 4, 7)))
                .isEqualTo("shard-0-of-2 has the row 7 of wide[*, 1], which is of ps-1");
        assertThat(messageOf(spec, out -> rows(out, "narrow", 1, 8, 4)))
                .isEqualTo("shard-0-of-2 has rows of narrow[*, 1] where wide[*, 1] was expected");
        assertThat(messageOf(spec, out -> rows(out, "wide", 1, 0, 4)))
                .isEqualTo("shard-0-of-2 announces chunks of 0 rows of wide[*, 1]");
        assertThat(messageOf(spec, out -> {
                    out.putString("wide");
                    out.putInt(1);
                    out.putInt(1_000_000_000);
                    out.putInt(8);
                }))
                .isEqualTo("shard-0-of-2 announces 1000000000 elements, more than it holds");
    }

    @Test
    void another_format_is_refused_with_both_numbers() throws Exception {
        Path file = directory.resolve("shard-0-of-1");
        CheckpointFiles.REAL.write(file, out -> {
            out.putInt(0x534c4445);
            out.putInt(1);
        });
        try (ChecksummedInput in = ChecksummedInput.open(file)) {
            assertThatThrownBy(() -> ShardFile.read(in, List.of(), 1, range -> true))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessage("shard-0-of-1 has format 1, but this version of EDL reads 4");
        }
        CheckpointFiles.REAL.delete(file);
        Path manifest = directory.resolve(CheckpointManifest.FILE);
        CheckpointFiles.REAL.write(manifest, out -> {
            out.putInt(0x4d4c4445);
            out.putInt(3);
        });
        try (ChecksummedInput in = ChecksummedInput.open(manifest)) {
            assertThatThrownBy(() -> CheckpointManifest.read(in))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessage("manifest has format 3, but this version of EDL reads 2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void checkpoint_contains_the_best_version_and_reshards_it(int shards) throws Exception {
        TestShards group = Tables.group(2, ADAM);
        group.pins().pinEvery(10, 1, version -> {});
        train(group, 0, 10);
        group.pins().hold(10);
        group.pins().keep(10);
        ModelSnapshot best = group.pins().pinned(10).orElseThrow();
        train(group, 10, 27);
        Path saved = new CheckpointStore(directory, 0).save(group.cut(), Tables.LAYOUT, Map.of());

        TestShards loaded = Tables.group(shards, ADAM);
        loaded.restore(CheckpointStore.load(saved).shards(Tables.CONTENTS, Tables.LAYOUT, ADAM, 1000, shards));
        ModelSnapshot found = loaded.pins().pinned(10).orElseThrow();
        assertThat(loaded.pins().pins()).containsExactly(10L);
        assertThat(found.weights()).containsExactly(best.weights());
        Batch mine = Tables.batch(new Random(3).longs(40, -1, 5000).toArray());
        Batch theirs = Tables.batch(new Random(3).longs(40, -1, 5000).toArray());
        best.fill(theirs);
        found.fill(mine);
        for (int table = 0; table < Tables.BOTH.size(); table++) {
            assertThat(mine.rows(table).values())
                    .containsExactly(theirs.rows(table).values());
        }
    }
}
