package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.nio.PowerLoss;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.ps.CheckpointStore;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.files.CheckpointException;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine loses power at any step of a write; each file that remains is whole, or is refused. */
class PowerLossTest {
    private static final LogisticModel MODEL = new LogisticModel(Fixture.FEATURES);
    private static final int SIZE = MODEL.layout().size();
    private static final int SHARDS = 2;
    private static final String CHECKPOINTS = "job/checkpoints";

    private static TrainingBuilder training(Path directory, int keep) {
        return Fixture.training(MODEL).checkpointDirectory(directory).keepCheckpoints(keep);
    }

    private static TestShards shards(TrainingStore store) {
        return new TestShards(
                IntStream.range(0, SHARDS).mapToObj(store::newShard).toList(), Duration.ofSeconds(1));
    }

    private static void push(TestShards shards, int id, float gradient) throws InterruptedException {
        float[] gradients = new float[SIZE];
        Arrays.fill(gradients, gradient);
        long[] versions = new long[SHARDS];
        Workers.of(shards).pull(new float[SIZE], versions);
        Workers.of(shards).push("w", id, versions, gradients);
    }

    /** Writes checkpoints of the versions 0, 1 and 2; returns the weights of each version. */
    private static List<float[]> threeCheckpoints(TrainingStore store, PowerLoss power) throws Exception {
        List<float[]> written = new ArrayList<>();
        TestShards shards = shards(store);
        for (int version = 0; version < 3; version++) {
            ShardCut cut = shards.cut();
            written.add(cut.weights());
            store.checkpoint(cut, Map.of("word", "of " + version));
            power.done();
            push(shards, version, 1 + version);
        }
        return written;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_newest_checkpoint_is_whole_and_no_older_than_the_last_one_that_was_saved(boolean atomic) throws Exception {
        try (PowerLoss power = new PowerLoss(atomic)) {
            Training training = training(power.disk().resolve(CHECKPOINTS), 1).build();
            OutputFiles.of(training).check();
            List<float[]> written;
            try (TrainingStore store = TrainingStore.open(training, SHARDS, "run-1", Retries.NONE)) {
                written = threeCheckpoints(store, power);
            }
            Set<Integer> losses = new HashSet<>();
            int disks = power.check((disk, saved) -> {
                Path directory = disk.resolve(CHECKPOINTS);
                Optional<Checkpoint> newest = newest(directory);
                newest.ifPresent(checkpoint -> isWhole(checkpoint, written));
                int version = newest.map(Checkpoint::version).orElse(-1L).intValue();
                assertThat(version).isBetween(saved - 1, saved);
                eachIsWholeOrRefused(directory, written);
                exported(directory, version, written);
                resumed(disk, directory, version, written);
                continued(directory, version);
                losses.add(version - saved);
            });
            assertThat(losses).as("a save is lost, and another one kept").containsExactlyInAnyOrder(-1, 0);
            assertThat(disks).isGreaterThan(100);
        }
    }

    private static Optional<Checkpoint> newest(Path directory) throws IOException {
        return new CheckpointStore(directory, 0)
                .latest(skipped -> assertThat(skipped).matches("checkpoint version-\\d is damaged: .+"));
    }

    private static void isWhole(Checkpoint checkpoint, List<float[]> written) {
        int version = (int) checkpoint.version();
        assertThat(checkpoint.weights()).isEqualTo(written.get(version));
        assertThat(checkpoint.metadata()).containsEntry("word", "of " + version);
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList();
        }
    }

    private static void eachIsWholeOrRefused(Path directory, List<float[]> written) throws IOException {
        for (Path child : children(directory)) {
            if (CheckpointStore.isCheckpoint(child)) {
                try {
                    isWhole(CheckpointStore.load(child), written);
                } catch (CheckpointException e) {
                    assertThat(e).hasMessageMatching("checkpoint version-\\d is damaged: .+");
                }
            }
        }
    }

    private static void exported(Path directory, int version, List<float[]> written) throws IOException {
        try {
            assertThat(TrainedModel.load(directory).parameters()).isEqualTo(written.get(version));
        } catch (FileNotFoundException e) {
            assertThat(version).isEqualTo(-1);
            assertThat(e)
                    .hasMessageMatching(
                            "(no valid checkpoint of a model in|there is no trained model at) " + directory + ".*");
        }
    }

    /** Resumes into another directory. */
    private static void resumed(Path disk, Path directory, int version, List<float[]> written) throws IOException {
        Training next = training(disk.resolve("next"), 1).resumeFrom(directory).build();
        try (TrainingStore store = TrainingStore.open(next, SHARDS)) {
            assertThat(store.resumption().orElseThrow().version()).isEqualTo(version);
            assertThat(new ShardCut(List.of(
                                    store.saved(0).orElseThrow().read(),
                                    store.saved(1).orElseThrow().read()))
                            .weights())
                    .isEqualTo(written.get(version));
        } catch (FileNotFoundException | InvalidTrainingException e) {
            assertThat(version).as(e.getMessage()).isEqualTo(-1);
            assertThat(e)
                    .hasMessageMatching("(?s).*(no valid checkpoint to resume from in " + directory + "|" + directory
                            + ", which does not exist).*");
        }
    }

    /** Lets the next master of the run write a checkpoint. */
    private static void continued(Path directory, int version) throws Exception {
        Training same = training(directory, 1).build();
        try (TrainingStore store = TrainingStore.open(same, SHARDS, "run-1", Retries.NONE)) {
            TestShards shards = shards(store);
            assertThat(shards.cut().version()).isEqualTo(Math.max(0, version));
            push(shards, 100, 1);
            Path next = store.checkpoint(shards.cut(), Map.of());
            assertThat(newest(directory).orElseThrow().name()).isEqualTo(next.getFileName() + "");
        }
    }

    @Test
    void a_checkpoint_that_was_moved_aside_is_whole_and_never_the_newest_one_again() throws Exception {
        try (PowerLoss power = new PowerLoss(true)) {
            Path here = power.disk().resolve(CHECKPOINTS);
            List<float[]> written;
            try (TrainingStore store = TrainingStore.open(training(here, 0).build(), SHARDS)) {
                written = threeCheckpoints(store, power);
            }
            float[] second;
            Training again =
                    training(here, 0).resumeFrom(here.resolve("version-0")).build();
            try (TrainingStore store = TrainingStore.open(again, SHARDS)) {
                TestShards shards = shards(store);
                push(shards, 50, -7);
                second = shards.cut().weights();
                store.checkpoint(shards.cut(), Map.of());
                power.done();
            }
            int disks = power.check((disk, saved) -> {
                Path directory = disk.resolve(CHECKPOINTS);
                if (saved < 3) {
                    return;
                }
                float[] newest = newest(directory).orElseThrow().weights();
                if (saved > 3) {
                    assertThat(newest).isEqualTo(second);
                }
                List<float[]> found = new ArrayList<>(List.of(newest));
                for (Path folder : List.of(directory, directory.resolve("abandoned"))) {
                    for (Path child : children(folder)) {
                        if (CheckpointStore.isCheckpoint(child)) {
                            found.add(CheckpointStore.load(child).weights());
                        }
                    }
                }
                assertThat(found).contains(written.toArray(float[][]::new));
            });
            assertThat(disks).isGreaterThan(20);
        }
    }

    @Test
    void the_id_of_a_run_is_the_old_or_the_new_one() throws Exception {
        try (PowerLoss power = new PowerLoss(true)) {
            Training training = training(power.disk().resolve(CHECKPOINTS), 1).build();
            for (String run : List.of("run-1", "run-2")) {
                TrainingStore.open(training, SHARDS, run, Retries.NONE).close();
                power.done();
            }
            power.check((disk, written) -> {
                Path directory = disk.resolve(CHECKPOINTS);
                assertThat(text(directory.resolve("run.id")))
                        .isIn(List.of(List.of("none", "run-1"), List.of("run-1", "run-2"), List.of("run-2"))
                                .get(written));
                Training next = training(directory, 1).build();
                TrainingStore.open(next, SHARDS, "run-1", Retries.NONE).close();
            });
        }
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "none";
    }

    @Test
    void the_result_of_a_run_is_the_old_or_the_new_one() throws Exception {
        try (PowerLoss power = new PowerLoss(true)) {
            Path here = power.disk().resolve(CHECKPOINTS);
            RunLock.take(here).close();
            for (String result : List.of("first", "second")) {
                new RunResultFile(here, "run-1", "training").write(result);
                power.done();
            }
            power.check((disk, written) -> {
                Path directory = disk.resolve(CHECKPOINTS);
                assertThat(new RunResultFile(directory, "run-1", "training")
                                .read()
                                .orElse("none"))
                        .isIn(List.of(List.of("none", "first"), List.of("first", "second"), List.of("second"))
                                .get(written));
                assertThat(text(directory.resolve("run.result"))).matches("none|(?s)run-1 [0-9a-f]{64}\n.*");
            });
        }
    }

    @Test
    void an_export_is_the_old_or_the_new_model() throws Exception {
        ParameterLayout layout = ParameterLayout.builder().add("w", 40, 3).build();
        List<float[]> models = new ArrayList<>();
        try (PowerLoss power = new PowerLoss(true)) {
            Path file = power.disk().resolve("out/models/model.npz");
            for (int i = 0; i < 2; i++) {
                float[] values = new float[layout.size()];
                Arrays.fill(values, i + 0.5f);
                models.add(values);
                ModelExport.write(TrainedModel.of(layout, values, 7), file);
                power.done();
            }
            power.check((disk, written) -> {
                Path found = disk.resolve("out/models/model.npz");
                try {
                    TrainedModel model = TrainedModel.load(found);
                    assertThat(model.layout()).isEqualTo(layout);
                    assertThat(model.parameters())
                            .isIn(models.subList(Math.max(0, written - 1), Math.min(2, written + 1)));
                } catch (FileNotFoundException e) {
                    assertThat(written).isZero();
                    assertThat(e).hasMessageStartingWith("there is no trained model at " + found);
                }
            });
        }
    }

    @Test
    void a_file_that_is_not_synced_is_found_lost_cut_and_whole() throws Exception {
        Set<String> found = new HashSet<>();
        try (PowerLoss power = new PowerLoss(true)) {
            Files.writeString(power.disk().resolve("new"), "text");
            Files.move(power.disk().resolve("new"), power.disk().resolve("file"));
            power.done();
            power.check((disk, done) -> found.add(text(disk.resolve("file"))));
        }
        assertThat(found).containsExactlyInAnyOrder("none", "", "te", "text", "\0\0\0\0");
    }
}
