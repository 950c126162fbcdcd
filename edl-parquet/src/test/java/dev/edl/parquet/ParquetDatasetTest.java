package dev.edl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParquetDatasetTest {
    private static final ParquetColumns X_AND_Y =
            ParquetColumns.create().features("x").labels("y");

    @TempDir
    Path folder;

    @Test
    void each_row_group_of_each_file_is_a_shard_in_the_order_of_names() throws IOException {
        numbers("b.parquet", 3, 2, CompressionCodecName.UNCOMPRESSED);
        numbers("a.parquet", 2, 2, CompressionCodecName.UNCOMPRESSED);
        Files.createFile(folder.resolve("_SUCCESS"));
        ParquetDataset dataset = ParquetDataset.open(folder, X_AND_Y);
        assertThat(dataset.shards())
                .containsExactly(
                        new DataShard("a.parquet#0", 2),
                        new DataShard("b.parquet#0", 2),
                        new DataShard("b.parquet#1", 1));
        assertThat(dataset).hasToString("ParquetDataset[3 shards, 5 records of 1 features, 1 labels and 0 ids]");
        assertThat(dataset.names())
                .isEqualTo(
                        new RecordNames(List.of("x"), List.of(), List.of("y"), List.of(), RecordNames.AS_READ, true));
    }

    @ParameterizedTest
    @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void any_range_of_each_compression_is_read(CompressionCodecName codec) throws IOException {
        numbers("a.parquet", 2500, 1000, codec);
        Batch batch = new Batch(3, 1, 1);
        ParquetDataset dataset = ParquetDataset.open(folder, X_AND_Y);
        dataset.read("a.parquet#1", 998, 1000, batch);
        dataset.read("a.parquet#0", 1, 2, batch);
        assertThat(batch.features()).containsExactly(1998, 1999, 1);
        assertThat(batch.labels()).containsExactly(6, 7, 1);
    }

    @Test
    void workers_read_at_once_and_few_row_groups_stay_in_memory() throws Exception {
        Path file = numbers("a.parquet", 400, 100, CompressionCodecName.SNAPPY);
        ParquetDataset dataset = ParquetDataset.open(List.of(file), X_AND_Y, 2 * 100 * 24);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        try {
            List<Future<float[]>> all = new ArrayList<>();
            for (int w = 0; w < 4; w++) {
                boolean backwards = w % 2 == 1;
                Callable<float[]> read = () -> {
                    float[] seen = new float[400];
                    Batch batch = new Batch(10, 1, 1);
                    for (int i = 0; i < 40; i++) {
                        int start = backwards ? 390 - 10 * i : 10 * i;
                        dataset.read(
                                "a.parquet#" + start / 100, start % 100, start % 100 + 10, batch.clear("a.parquet"));
                        System.arraycopy(batch.features(), 0, seen, start, 10);
                    }
                    return seen;
                };
                all.add(workers.submit(read));
            }
            for (Future<float[]> each : all) {
                float[] seen = each.get(30, TimeUnit.SECONDS);
                for (int i = 0; i < 400; i++) {
                    assertThat(seen[i]).isEqualTo(i);
                }
            }
        } finally {
            workers.shutdownNow();
        }
        assertThat(dataset.inMemory()).isEqualTo(2);
    }

    @Test
    void a_wrong_shard_range_or_batch_is_refused() throws IOException {
        Path file = numbers("a.parquet", 2, 2, CompressionCodecName.UNCOMPRESSED);
        ParquetDataset dataset = ParquetDataset.open(file, X_AND_Y);
        assertThatThrownBy(() -> dataset.read("b", 0, 1, new Batch(1, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no shard \"b\" in " + dataset);
        assertThatThrownBy(() -> dataset.read("a.parquet#0", 1, 3, new Batch(2, 1, 1)))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(file + ": range [1, 3) is outside the 2 records of row group 0");
        assertThatThrownBy(() -> dataset.read("a.parquet#0", 0, 1, new Batch(1, 2, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shard \"a.parquet#0\": the batch must have 1 features and 1 labels, was 2 and 1");
    }

    @Test
    void a_path_without_a_file_is_refused() {
        assertThatThrownBy(() -> ParquetDataset.open(folder, X_AND_Y))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + ": there is no Parquet file in this directory");
        assertThatThrownBy(() -> ParquetDataset.open(folder.resolve("x"), X_AND_Y))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> ParquetDataset.open(folder, ParquetColumns.create()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_selection_without_features_and_ids_is_refused() throws IOException {
        Path file = numbers("a.parquet", 2, 2, CompressionCodecName.UNCOMPRESSED);
        assertThatThrownBy(
                        () -> ParquetDataset.open(file, ParquetColumns.create().labels("y")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a record needs features >= 0, labels >= 0, ids >= 0, and features or ids; was 0, 1, 0");
    }

    @Test
    void a_file_that_changes_after_it_was_opened_is_refused() throws IOException {
        Path file = numbers("a.parquet", 4, 2, CompressionCodecName.UNCOMPRESSED);
        ParquetDataset dataset = ParquetDataset.open(file, X_AND_Y);
        FileTime time = Files.getLastModifiedTime(file);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
        Files.setLastModifiedTime(file, time);
        assertThatThrownBy(() -> dataset.read("a.parquet#1", 0, 1, new Batch(1, 1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": row group 1 cannot be read: the file has changed since it was opened, from "
                        + bytes.length + " bytes of " + time + " to " + (bytes.length + 1) + " bytes of " + time
                        + "; open it again, and leave it unchanged during a training");

        Files.write(file, bytes);
        FileTime later = FileTime.from(time.toInstant().plusSeconds(2));
        Files.setLastModifiedTime(file, later);
        assertThatThrownBy(() -> dataset.read("a.parquet#1", 0, 1, new Batch(1, 1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(" to " + bytes.length + " bytes of " + later);

        Files.delete(file);
        assertThatThrownBy(() -> dataset.read("a.parquet#1", 0, 1, new Batch(1, 1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": row group 1 cannot be read: the file was removed after it was opened");
    }

    @Test
    void a_long_text_is_quoted_in_part() throws IOException {
        Path file = ParquetFiles.write(
                folder.resolve("a.parquet"),
                "required float x; required binary s (STRING);",
                1,
                (row, i) -> row.append("x", 1f).append("s", "a".repeat(5000)));
        ParquetDataset dataset =
                ParquetDataset.open(file, ParquetColumns.create().features("x").label("s", "low", "high"));
        assertThatThrownBy(() -> dataset.read("a.parquet#0", 0, 1, new Batch(1, 1, 1)))
                .hasMessage(file + ": record 0: column \"s\" is \"" + "a".repeat(100)
                        + "…\", not one of the classes [low, high]");
    }

    /** Writes rows of the number i, the label i modulo 8, and a struct that no test selects. */
    private Path numbers(String name, int rows, int rowGroup, CompressionCodecName codec) throws IOException {
        return ParquetFiles.write(
                folder.resolve(name),
                "required float x; required int32 y; optional group z { required binary deep; }",
                rows,
                rowGroup,
                codec,
                (row, i) -> row.append("x", (float) i).append("y", i % 8));
    }
}
