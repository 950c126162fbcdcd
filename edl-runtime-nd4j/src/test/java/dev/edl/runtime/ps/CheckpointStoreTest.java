package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointStoreTest {
    private static final ParameterLayout LAYOUT = ParameterLayout.builder()
            .add("dense/kernel", 60, 10)
            .add("dense/bias", 10)
            .build();
    private static final int SIZE = 610;

    @TempDir
    Path directory;

    private static TestShards group(int shards, Optimizer optimizer) throws InterruptedException {
        TestShards group =
                TestShards.create(SIZE, shards, optimizer, Consistency.asynchronous(), 8, Duration.ofSeconds(1));
        float[] values = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            values[i] = i * 0.001f;
        }
        group.initialize(values);
        return group;
    }

    /** Gradients depend on the weights, so that any difference would grow. */
    private static void train(TestShards group, int from, int to) throws InterruptedException {
        float[] weights = new float[SIZE];
        float[] gradient = new float[SIZE];
        long[] versions = new long[group.count()];
        for (int id = from; id < to; id++) {
            Workers.of(group).pull(weights, versions);
            Random random = new Random(id);
            for (int i = 0; i < SIZE; i++) {
                gradient[i] = weights[i] * random.nextFloat() - 0.1f;
            }
            Workers.of(group).push("worker-0", id, versions, gradient);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void training_continues_bit_exactly_after_restore(int shardsAfter) throws Exception {
        for (Optimizer optimizer : List.of(Optimizer.adam(0.01f), Optimizer.sgd(0.01f, 0.9f, true))) {
            TestShards uninterrupted = group(2, optimizer);
            train(uninterrupted, 0, 30);
            TestShards before = group(2, optimizer);
            train(before, 0, 13);
            Path saved = new CheckpointStore(directory.resolve(optimizer.slots().get(0)), 0)
                    .save(before.cut(), LAYOUT, Map.of("journal", "17"));

            Checkpoint checkpoint = CheckpointStore.load(saved);
            TestShards after = group(shardsAfter, optimizer);
            after.restore(checkpoint.shards(LAYOUT, optimizer, 8, shardsAfter));
            assertThat(after.resumeAt(8, 8, ShardLife.UNKNOWN_LIVES)).isEqualTo(13);
            train(after, 10, 30);

            assertThat(after.cut().weights()).isEqualTo(uninterrupted.cut().weights());
            assertThat(after.cut().version()).isEqualTo(30);
            assertThat(checkpoint.metadata()).containsExactly(Map.entry("journal", "17"));
            assertThat(checkpoint)
                    .hasToString("version-13: version 13 of 2 shards, consistent, " + optimizer + ", {journal=17}");
        }
    }

    @Test
    void pending_gradients_are_saved_and_resharded() throws Exception {
        Optimizer optimizer = Optimizer.sgd(1f);
        TestShards group = TestShards.create(SIZE, 2, optimizer, Consistency.synchronous(), 8, Duration.ofSeconds(1));
        group.initialize(new float[SIZE]);
        group.join("a");
        group.join("b");
        float[] gradient = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            gradient[i] = i;
        }
        Workers.of(group).push("a", 5, new long[2], gradient);
        Path saved = new CheckpointStore(directory, 0).save(group.cut(), LAYOUT, Map.of());

        TestShards after = TestShards.create(SIZE, 3, optimizer, Consistency.synchronous(), 8, Duration.ofSeconds(1));
        after.restore(CheckpointStore.load(saved).shards(LAYOUT, optimizer, 8, 3));
        after.flush();

        float[] weights = after.cut().weights();
        for (int i = 0; i < SIZE; i++) {
            assertThat(weights[i]).isEqualTo(-gradient[i]);
        }
        assertThat(after.shard(0).orElseThrow().pushes().applied(0).get(5)).isTrue();
    }

    @Test
    void shards_of_different_pushes_load_into_as_many_shards_only() throws Exception {
        Optimizer optimizer = Optimizer.sgd(0.1f);
        TestShards group = group(2, optimizer);
        train(group, 0, 3);
        group.shard(1).orElseThrow().push("dying", 3, 3, new float[SIZE]);
        Checkpoint checkpoint =
                CheckpointStore.load(new CheckpointStore(directory, 0).save(group.cut(), LAYOUT, Map.of()));

        assertThat(checkpoint.shards(LAYOUT, optimizer, 8, 2)).hasSize(2);
        assertThatThrownBy(() -> checkpoint.shards(LAYOUT, optimizer, 8, 3))
                .hasMessage("version-4 has 2 shards and cannot be loaded into 3, because they do not have the same"
                        + " pushes: ps-1 has applied 1 that ps-0 has not, and lacks 0 that ps-0 has; load it into 2 shards, or"
                        + " load a checkpoint that was taken after the missing minibatches were redone");
    }

    @Test
    void shards_with_equal_pushes_reshard_unless_the_optimizer_counts_steps() throws Exception {
        for (Optimizer optimizer : List.of(Optimizer.sgd(0.1f, 0.9f, false), Optimizer.adam(0.1f))) {
            TestShards group =
                    TestShards.create(SIZE, 2, optimizer, Consistency.synchronous(), 8, Duration.ofSeconds(1));
            group.initialize(new float[SIZE]);
            group.join("a");
            group.join("b");
            float[] gradient = new float[SIZE];
            Arrays.fill(gradient, 1);
            Workers.of(group).push("a", 0, new long[2], gradient);
            group.shard(1).orElseThrow().flush();
            Workers.of(group).push("b", 1, new long[] {0, 1}, gradient);
            group.flush();
            Checkpoint checkpoint =
                    CheckpointStore.load(new CheckpointStore(directory, 0).save(group.cut(), LAYOUT, Map.of()));

            if (optimizer.countsSteps()) {
                assertThatThrownBy(() -> checkpoint.shards(LAYOUT, optimizer, 8, 3))
                        .hasMessage("version-2-2 has 2 shards and cannot be loaded into 3, because they do not have"
                                + " the same number of updates: ps-1 has made 2, ps-0 1; load it into 2 shards");
            } else {
                List<ShardSnapshot> shards = checkpoint.shards(LAYOUT, optimizer, 8, 3);
                assertThat(shards).extracting(ShardSnapshot::version).containsExactly(2L, 2L, 2L);
                assertThat(new ShardCut(shards).weights()).isEqualTo(group.cut().weights());
                assertThat(shards.get(1).applied().epoch(0).cardinality()).isEqualTo(2);
            }
        }
    }

    @Test
    void another_model_optimizer_or_minibatch_count_is_refused() throws Exception {
        Optimizer optimizer = Optimizer.sgd(0.1f);
        Checkpoint checkpoint = CheckpointStore.load(
                new CheckpointStore(directory, 0).save(group(2, optimizer).cut(), LAYOUT, Map.of()));
        ParameterLayout other = ParameterLayout.builder()
                .add("dense/kernel", 60, 10)
                .add("dense/bias", 12)
                .build();
        ParameterLayout shorter =
                ParameterLayout.builder().add("dense/kernel", 60, 10).build();

        assertThatThrownBy(() -> checkpoint.shards(other, optimizer, 8, 2))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("version-0 belongs to another model: its parameter 1 is dense/bias[10],"
                        + " this model's is dense/bias[12]");
        assertThatThrownBy(() -> checkpoint.shards(shorter, optimizer, 8, 2))
                .hasMessage(
                        "version-0 belongs to another model: its parameter 1 is dense/bias[10], this model's is none");
        assertThatThrownBy(() -> checkpoint.shards(LAYOUT, Optimizer.sgd(0.1f, 0.9f, false), 8, 2))
                .hasMessage("version-0 was trained with sgd:learning_rate=0.1 and cannot be continued with"
                        + " sgd:learning_rate=0.1,momentum=0.9; only the learning rate may differ");
        assertThatThrownBy(() -> checkpoint.shards(LAYOUT, optimizer, 9, 2))
                .hasMessage("version-0 counts 8 minibatches per epoch, this job 9;"
                        + " keep the data set and the minibatch size");
        assertThat(checkpoint.shards(LAYOUT, Optimizer.sgd(0.5f), 8, 2)).hasSize(2);
    }

    @Test
    void newest_complete_checkpoint_is_found_and_damaged_ones_named() throws Exception {
        Optimizer optimizer = Optimizer.sgd(0.1f);
        TestShards group = group(2, optimizer);
        CheckpointStore store = new CheckpointStore(directory, 0);
        List<Path> saved = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            train(group, i, i + 1);
            saved.add(store.save(group.cut(), LAYOUT, Map.of()));
        }
        Files.delete(saved.get(4).resolve("manifest"));
        byte[] bytes = Files.readAllBytes(saved.get(3).resolve("shard-1-of-2"));
        bytes[100] ^= 1;
        Files.write(saved.get(3).resolve("shard-1-of-2"), bytes);
        Files.copy(
                saved.get(0).resolve("shard-0-of-2"),
                saved.get(2).resolve("shard-0-of-2"),
                StandardCopyOption.REPLACE_EXISTING);
        List<String> skipped = new ArrayList<>();

        assertThat(store.latest(skipped::add).orElseThrow().name()).isEqualTo("version-2");
        assertThat(skipped.get(0)).isEqualTo("checkpoint version-5 is damaged: manifest is missing");
        assertThat(skipped.get(1))
                .matches("checkpoint version-4 is damaged: shard-1-of-2 has the checksum [0-9a-f]{8} at its end,"
                        + " its content has [0-9a-f]{8}");
        assertThat(skipped.get(2))
                .isEqualTo(
                        "checkpoint version-3 is damaged: shard-0-of-2 belongs to another checkpoint than its manifest");
        assertThat(skipped).hasSize(3);
    }

    @Test
    void an_interrupted_thread_saves_and_loads_a_whole_checkpoint_and_stays_interrupted() throws Exception {
        ShardCut cut = group(2, Optimizer.adam(0.1f)).cut();
        try {
            Thread.currentThread().interrupt();
            Path saved = new CheckpointStore(directory, 3).save(cut, LAYOUT, Map.of());
            assertThat(CheckpointStore.load(saved).weights()).isEqualTo(cut.weights());
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(names("")).containsExactly("version-0");
    }

    @Test
    void a_file_cut_off_anywhere_is_damaged() throws Exception {
        Path saved = new CheckpointStore(directory, 0)
                .save(group(1, Optimizer.adam(1f)).cut(), LAYOUT, Map.of());
        Path shard = saved.resolve("shard-0-of-1");
        byte[] bytes = Files.readAllBytes(shard);
        for (int length = 0; length < bytes.length; length += 211) {
            Files.write(shard, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> CheckpointStore.load(saved))
                    .as("%d bytes", length)
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageStartingWith("checkpoint version-0 is damaged: shard-0-of-1 ");
        }
    }

    @Test
    void an_empty_or_absent_directory_has_no_checkpoint() throws Exception {
        assertThat(new CheckpointStore(directory.resolve("none"), 0).latest(s -> {}))
                .isEmpty();
        assertThat(new CheckpointStore(directory, 0).latest(s -> {})).isEmpty();
        assertThatThrownBy(() -> CheckpointStore.load(directory.resolve("version-3")))
                .hasMessage("no checkpoint at " + directory.resolve("version-3"));
    }

    @Test
    void oldest_checkpoints_are_removed_above_the_limit_and_zero_keeps_all() throws Exception {
        TestShards group = group(2, Optimizer.sgd(0.1f));
        for (int i = 0; i < 4; i++) {
            train(group, i, i + 1);
            new CheckpointStore(directory.resolve("two"), 2).save(group.cut(), LAYOUT, Map.of());
            new CheckpointStore(directory.resolve("all"), 0).save(group.cut(), LAYOUT, Map.of());
        }
        new CheckpointStore(directory.resolve("two"), 2).save(group.cut(), LAYOUT, Map.of());

        assertThat(names("two")).containsExactly("version-4", "version-4-2");
        assertThat(names("all")).containsExactly("version-1", "version-2", "version-3", "version-4");
        assertThat(new CheckpointStore(directory, 2))
                .hasToString("checkpoints in " + directory + ", the newest 2 kept");
    }

    @Test
    void new_checkpoint_stays_beside_higher_versions() throws Exception {
        TestShards group = group(2, Optimizer.sgd(0.1f));
        ShardCut early = group.cut();
        train(group, 0, 2);
        CheckpointStore store = new CheckpointStore(directory, 1);
        store.save(group.cut(), LAYOUT, Map.of());
        store.save(early, LAYOUT, Map.of());

        assertThat(names("")).containsExactly("version-0");
    }

    private List<String> names(String child) throws IOException {
        try (Stream<Path> children = Files.list(directory.resolve(child))) {
            return children.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
