package dev.edl.runtime.data.recordio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordIoReaderTest {
    private static final long SEED = 20_260_101;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(RecordIoCompression.class)
    void what_was_written_is_read_back_range_by_range(RecordIoCompression compression) throws IOException {
        List<byte[]> written = someRecords();
        Path file = write(compression, 5_000, written);
        RecordIoReader reader = RecordIoReader.open(file);
        assertThat(reader.records()).isEqualTo(200);
        Random random = new Random(SEED);
        for (int i = 0; i < 50; i++) {
            int start = random.nextInt(201);
            int end = start + random.nextInt(201 - start);
            assertThat(reader.read(start, end))
                    .as("seed %d, range [%d, %d)", SEED, start, end)
                    .usingElementComparator(java.util.Arrays::compare)
                    .containsExactlyElementsOf(written.subList(start, end));
        }
    }

    @ParameterizedTest
    @EnumSource(RecordIoCompression.class)
    void records_beyond_a_snappy_frame_and_empty_ones_are_read_back(RecordIoCompression compression)
            throws IOException {
        byte[] noise = new byte[200_000];
        new Random(SEED).nextBytes(noise);
        List<byte[]> written = List.of(new byte[0], new byte[200_000], noise, new byte[0]);
        RecordIoReader reader = RecordIoReader.open(write(compression, 1 << 20, written));
        assertThat(reader.read(0, 4))
                .usingElementComparator(java.util.Arrays::compare)
                .containsExactlyElementsOf(written);
    }

    @Test
    void an_interrupted_thread_writes_and_reads_as_any_other() throws IOException {
        try {
            Thread.currentThread().interrupt();
            Path file = write(RecordIoCompression.SNAPPY, 2, List.of(new byte[] {7}, new byte[] {8}));
            assertThat(RecordIoReader.open(file).read(1)).containsExactly(8);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void one_record_is_read_by_its_index() throws IOException {
        RecordIoReader reader = RecordIoReader.open(
                write(RecordIoCompression.SNAPPY, 2, List.of(new byte[] {7}, new byte[] {8}, new byte[] {9})));
        assertThat(reader.read(2)).containsExactly(9);
        assertThat(reader.read(0)).containsExactly(7);
    }

    @Test
    void an_empty_file_holds_no_records() throws IOException {
        RecordIoReader reader = RecordIoReader.open(Files.createFile(folder.resolve("empty")));
        assertThat(reader.records()).isZero();
        assertThat(reader.read(0, 0)).isEmpty();
    }

    @Test
    void a_range_beyond_the_file_is_refused() throws IOException {
        Path file = write(RecordIoCompression.NONE, 100, List.of(new byte[1], new byte[2]));
        RecordIoReader reader = RecordIoReader.open(file);
        assertThatThrownBy(() -> reader.read(1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(file + ": range [1, 3) is outside its 2 records");
        assertThatThrownBy(() -> reader.read(-1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(file + ": range [-1, 0) is outside its 2 records");
    }

    @Test
    void opening_reads_headers_only() throws IOException {
        Path file = write(RecordIoCompression.NONE, 5_000, someRecords());
        byte[] bytes = Files.readAllBytes(file);
        bytes[RecordIoChunk.HEADER_SIZE + 100] ^= 1;
        Files.write(file, bytes);
        RecordIoReader reader = RecordIoReader.open(file);
        assertThat(reader.read(199)).isEqualTo(someRecords().get(199));
        assertThatThrownBy(() -> reader.read(0)).isInstanceOf(CorruptFileException.class);
    }

    @Test
    void a_missing_file_is_named() {
        Path file = folder.resolve("nowhere");
        assertThatThrownBy(() -> RecordIoReader.open(file))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(file + ": there is no such RecordIO file");
    }

    @Test
    void a_directory_is_no_file() {
        assertThatThrownBy(() -> RecordIoReader.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + ": is a directory; name one RecordIO file in it");
    }

    private Path write(RecordIoCompression compression, int chunkBytes, List<byte[]> records) throws IOException {
        Path file = folder.resolve("records");
        try (RecordIoWriter writer = RecordIoWriter.create(file, compression, chunkBytes)) {
            for (byte[] record : records) {
                writer.write(record);
            }
        }
        return file;
    }

    /** 200 records of 0 to 299 bytes, every third one of repeated bytes so that it compresses. */
    private static List<byte[]> someRecords() {
        Random random = new Random(SEED);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] record = new byte[random.nextInt(300)];
            if (i % 3 != 0) {
                random.nextBytes(record);
            }
            records.add(record);
        }
        return records;
    }
}
