package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.csv.CsvColumns;
import dev.edl.runtime.data.csv.CsvDataset;
import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.data.tfrecord.TfRecordReader;
import dev.edl.runtime.nio.StepFileSystem;
import dev.edl.runtime.optimizers.Optimizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training on another file system writes the same bytes as on the default one. */
class AnyFileSystemTest {
    private static final long SEED = 11;
    private static final int ROWS = 120;

    @TempDir
    Path folder;

    private Map<String, String> expected;

    @BeforeEach
    void trainInTheDefaultFileSystem() throws Exception {
        expected = trained(folder);
        assertThat(expected.keySet())
                .containsExactly(
                        "checkpoints/version-180/shard-0-of-2",
                        "checkpoints/version-180/shard-1-of-2",
                        "checkpoints/version-90/shard-0-of-2",
                        "checkpoints/version-90/shard-1-of-2",
                        "metrics",
                        "model.npz");
    }

    @Test
    void a_file_system_in_memory() throws Exception {
        try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
            assertThat(trained(memory.getPath("/run"))).isEqualTo(expected);
        }
    }

    @Test
    void a_file_system_without_file_channels_and_locks() throws Exception {
        Configuration simple = Configuration.unix().toBuilder()
                .setSupportedFeatures(Feature.LINKS, Feature.SYMBOLIC_LINKS)
                .build();
        try (FileSystem memory = Jimfs.newFileSystem(simple)) {
            assertThat(trained(memory.getPath("/run"))).isEqualTo(expected);
        }
    }

    @Test
    void a_file_system_that_cannot_rename_in_one_step() throws Exception {
        try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
            Path root = StepFileSystem.path(memory.getPath("/run"), (step, path) -> {
                if (step == StepFileSystem.Step.ATOMIC_MOVE) {
                    throw new AtomicMoveNotSupportedException(path.toString(), null, "an object store");
                }
                if (step == StepFileSystem.Step.MOVE && Files.isDirectory(path)) {
                    throw new IOException(path + ": a directory is not moved");
                }
            });
            assertThat(trained(root)).isEqualTo(expected);
        }
    }

    /** Trains half of the epochs, resumes from the checkpoint, and returns the output without times. */
    private static Map<String, String> trained(Path root) throws Exception {
        Files.createDirectories(root);
        TrainingResult result;
        try (RecordIoDataset data = records(root.resolve("train.recordio"))) {
            CsvDataset validation = table(root.resolve("test.csv"));
            run(training(root, data, validation).epochs(3));
            result = run(training(root, data, validation)
                    .epochs(6)
                    .resumeFrom(root.resolve("checkpoints"))
                    .export(root.resolve("model.npz")));
        }
        assertThat(result.exactlyOnce()).isTrue();
        assertThat(result.resumed().orElseThrow().version()).isEqualTo(90);
        assertThat(TrainedModel.load(root.resolve("model.npz")).parameters())
                .isEqualTo(TrainedModel.load(root.resolve("checkpoints")).parameters());
        assertThat(Files.size(root.resolve("history.edl"))).isPositive();
        assertThat(scalars(root.resolve("events"))).isPositive();
        try (Stream<Path> left = Files.list(root.resolve("checkpoints"))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("run.lock", "version-90", "version-180");
        }
        Map<String, String> content = content(root);
        content.put("metrics", result.metrics().toString());
        return content;
    }

    private static long scalars(Path events) throws IOException {
        long records = 0;
        try (Stream<Path> files = Files.list(events)) {
            for (Path file : files.toList()) {
                try (TfRecordReader reader = TfRecordReader.open(file)) {
                    records += reader.records() - 1;
                }
            }
        }
        return records;
    }

    private static TrainingBuilder training(Path root, Dataset data, Dataset validation) {
        return Fixture.training(new LogisticModel(Fixture.FEATURES))
                .data(data)
                .validation(validation)
                .optimizer(Optimizer.adam(0.01f))
                .evaluationSteps(20)
                .checkpointDirectory(root.resolve("checkpoints"))
                .keepCheckpoints(2)
                .tensorboard(root.resolve("events"))
                .history(root.resolve("history.edl"));
    }

    private static TrainingResult run(TrainingBuilder training) throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(2, 1))) {
            return run.awaitResult(Fixture.LIMIT);
        }
    }

    private static RecordIoDataset records(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        try (RecordIoWriter writer = RecordIoWriter.create(file, RecordIoCompression.NONE, 1 << 10)) {
            for (int row = 0; row < ROWS; row++) {
                ByteBuffer record = ByteBuffer.allocate((Fixture.FEATURES + 1) * Float.BYTES);
                for (int f = 0; f < Fixture.FEATURES; f++) {
                    record.putFloat(random.nextFloat() - 0.5f);
                }
                writer.write(record.putFloat(record.getFloat(0) > 0 ? 1 : 0).array());
            }
        }
        return RecordIoDataset.open(file, RecordFormat.of(Fixture.FEATURES, 1, 0, (record, into) -> {
            int row = into.row();
            ByteBuffer bytes = ByteBuffer.wrap(record);
            for (int f = 0; f < Fixture.FEATURES; f++) {
                into.features()[row * Fixture.FEATURES + f] = bytes.getFloat();
            }
            into.labels()[row] = bytes.getFloat();
        }));
    }

    private static CsvDataset table(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        List<String> lines = new ArrayList<>(List.of("a,b,c,d,e,class"));
        for (int row = 0; row < ROWS; row++) {
            StringBuilder line = new StringBuilder();
            for (int f = 0; f < Fixture.FEATURES; f++) {
                line.append(random.nextFloat() - 0.5f).append(',');
            }
            lines.add(line.append(row % 2).toString());
        }
        Files.write(file, lines);
        return CsvDataset.open(file, CsvColumns.create().label("class"));
    }

    private static Map<String, String> content(Path root) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                String name = root.relativize(file).toString();
                if (name.endsWith(".npz") || name.contains("shard-")) {
                    content.put(name, HexFormat.of().formatHex(Files.readAllBytes(file)));
                }
            }
        }
        return content;
    }
}
