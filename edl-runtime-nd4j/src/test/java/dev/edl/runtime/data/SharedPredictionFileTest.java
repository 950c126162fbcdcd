package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two runs predict to the same file, such as two jobs, or a stalled master and its successor. */
class SharedPredictionFileTest {
    private static final List<DataShard> SHARDS = List.of(new DataShard("a", 2));

    @TempDir
    Path folder;

    private PredictionWriter writer(String name) {
        Path file = folder.resolve(name);
        return name.endsWith("csv") ? PredictionWriter.csv(file) : PredictionWriter.npy(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.npy", "out.csv"})
    void only_one_run_writes_the_file(String name) throws Exception {
        PredictionWriter writer = writer(name);
        try (PredictionWriter.Sink first = writer.open(SHARDS, 1)) {
            first.write("a", 0, 1, new float[] {1});

            assertThatThrownBy(() -> writer.open(SHARDS, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("predictions to " + folder.resolve(name)
                            + " are being written by another run; give each run a file of its own");
            first.write("a", 1, 2, new float[] {2});
            first.commit();
        }
        byte[] bytes = Files.readAllBytes(folder.resolve(name));
        if (name.endsWith("npy")) {
            ByteBuffer rows = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(rows.getFloat(bytes.length - 8)).isEqualTo(1);
            assertThat(rows.getFloat(bytes.length - 4)).isEqualTo(2);
        }
        assertThat(folder.toFile().list()).containsExactly(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.npy", "out.csv"})
    void a_run_replaces_the_rows_that_a_killed_run_left(String name) throws Exception {
        Path left = folder.resolve(name + (name.endsWith("npy") ? ".tmp" : ".rows.tmp"));
        Files.write(left, new byte[10_000]);

        try (PredictionWriter.Sink sink = writer(name).open(SHARDS, 1)) {
            sink.write("a", 0, 2, new float[] {1, 2});
            sink.commit();
        }
        assertThat(Files.size(folder.resolve(name))).isLessThan(1_000);
        assertThat(folder.toFile().list()).containsExactly(name);
    }
}
