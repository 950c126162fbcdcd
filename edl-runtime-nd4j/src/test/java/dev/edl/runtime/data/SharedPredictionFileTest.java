package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two runs that predict to the same file, as a stalled master and its successor, or two jobs. */
class SharedPredictionFileTest {
    private static final List<DataShard> SHARDS = List.of(new DataShard("a", 2));

    @TempDir
    Path folder;

    /** The file must have all rows of a run, or the run must fail. */
    @Test
    void a_run_does_not_publish_the_unfinished_rows_of_another() throws Exception {
        Path file = folder.resolve("out.npy");
        PredictionWriter writer = PredictionWriter.npy(file);
        try (PredictionWriter.Sink first = writer.open(SHARDS, 1)) {
            first.write("a", 0, 1, new float[] {1});
            try (PredictionWriter.Sink second = writer.open(SHARDS, 1)) {
                first.write("a", 1, 2, new float[] {2});
                Throwable refused = catchThrowable(first::commit);
                if (refused == null) {
                    byte[] bytes = Files.readAllBytes(file);
                    assertThat(java.nio.ByteBuffer.wrap(bytes)
                                    .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                                    .getFloat(bytes.length - 4))
                            .isEqualTo(2);
                }
            }
        }
    }

    /** The first run ends without a commit; the second one's file must stay. */
    @Test
    void the_end_of_a_run_does_not_delete_the_rows_of_another() throws Exception {
        Path file = folder.resolve("out.npy");
        PredictionWriter writer = PredictionWriter.npy(file);
        PredictionWriter.Sink first = writer.open(SHARDS, 1);
        try (PredictionWriter.Sink second = writer.open(SHARDS, 1)) {
            second.write("a", 0, 2, new float[] {1, 2});
            first.close();
            second.commit();
        }
        assertThat(file).exists();
    }
}
