package dev.edl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorruptParquetTest {
    private static final long SEED = 3;
    private static final int ROWS = 300;
    private static final ParquetColumns COLUMNS =
            ParquetColumns.create().features("x").labels("y");

    @TempDir
    Path folder;

    private Path file;
    private byte[] intact;

    @BeforeEach
    void write() throws IOException {
        file = ParquetFiles.write(
                folder.resolve("f.parquet"),
                "required float x; required int32 y;",
                ROWS,
                100,
                CompressionCodecName.SNAPPY,
                (row, i) -> row.append("x", i * 0.37f).append("y", i % 7));
        intact = Files.readAllBytes(file);
    }

    @Test
    void a_file_that_is_empty_short_or_text_is_refused_by_its_name() throws IOException {
        for (byte[] content : new byte[][] {
            {}, bytes("PAR1"), bytes("x,y\n1,2\n3,4\n5,6\n7,8\n"), Arrays.copyOf(intact, intact.length - 1)
        }) {
            Files.write(file, content);
            assertThatThrownBy(() -> ParquetDataset.open(file, COLUMNS))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file + ": cannot be read as a Parquet file: ");
        }
    }

    @Test
    void an_encrypted_footer_is_named() throws IOException {
        byte[] encrypted = intact.clone();
        System.arraycopy(bytes("PARE"), 0, encrypted, encrypted.length - 4, 4);
        Files.write(file, encrypted);
        assertThatThrownBy(() -> ParquetDataset.open(file, COLUMNS))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": cannot be read as a Parquet file: ")
                .hasMessageContaining("encrypted footer");
    }

    @Test
    void a_damaged_page_is_an_error_with_file_row_group_and_column() throws IOException {
        byte[] damaged = intact.clone();
        // The first page of the first column follows the magic number and a header of some 60 bytes.
        damaged[200] ^= 1;
        Files.write(file, damaged);
        ParquetDataset dataset = ParquetDataset.open(file, COLUMNS);
        assertThatThrownBy(() -> dataset.read("f.parquet#0", 0, 1, new Batch(1, 1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": row group 0, column \"x\" cannot be read: ")
                .hasMessageContaining("CRC");
        dataset.read("f.parquet#1", 0, 1, new Batch(1, 1, 1));
    }

    @Test
    void a_file_that_is_cut_after_it_was_opened_is_an_error_with_file_row_group_and_column() throws IOException {
        ParquetDataset dataset = ParquetDataset.open(file, COLUMNS);
        Files.write(file, Arrays.copyOf(intact, 300));
        assertThatThrownBy(() -> dataset.read("f.parquet#2", 0, 1, new Batch(1, 1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": row group 2, column \"x\" cannot be read: ");
    }

    @Test
    void a_changed_byte_anywhere_gives_rows_or_an_error_with_the_file() throws IOException {
        Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < 100; round++) {
            byte[] damaged = intact.clone();
            int at = random.nextInt(damaged.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            try {
                ParquetDataset dataset = ParquetDataset.open(file, COLUMNS);
                for (DataShard shard : dataset.shards()) {
                    int rows = (int) Math.min(ROWS, shard.records());
                    dataset.read(shard.name(), 0, rows, new Batch(ROWS, 1, 1));
                }
            } catch (IOException e) {
                assertThat(e).as("seed %d, round %d, byte %d", SEED, round, at).hasMessageStartingWith(file.toString());
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
