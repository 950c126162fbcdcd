package dev.edl.runtime.data.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.nio.StepFileSystem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileViewTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_slice_is_little_endian_and_may_be_empty(boolean mapped) throws IOException {
        Path file = Files.write(folder.resolve("a"), new byte[] {9, 1, 2, 3, 4, 9});
        FileView view = new FileView(file, 6, mapped);
        assertThat(view.slice(1, 4).getInt()).isEqualTo(0x04030201);
        assertThat(view.slice(6, 0).hasRemaining()).isFalse();
        assertThat(view).hasToString("FileView[" + file + ": 6 bytes, " + (mapped ? "mapped]" : "read]"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void slices_around_a_gibibyte_are_correct(boolean mapped) throws IOException {
        Path file = folder.resolve("sparse");
        long gibibyte = 1L << 30;
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(gibibyte - 2);
            bytes.write(new byte[] {1, 2, 3, 4});
        }
        FileView view = new FileView(file, gibibyte + 2, mapped);
        assertThat(view.slice(gibibyte - 2, 4).getInt()).isEqualTo(0x04030201);
        assertThat(view.slice(gibibyte, 2).getShort()).isEqualTo((short) 0x0403);
    }

    @Test
    void unmapped_slices_are_correct_across_blocks() throws IOException {
        byte[] content = new byte[(1 << 20) + 12_345];
        new Random(3).nextBytes(content);
        Path file = Files.write(folder.resolve("a"), content);
        FileView view = new FileView(file, content.length, false);
        Random random = new Random(4);
        for (int i = 0; i < 2000; i++) {
            int length = 1 + random.nextInt(i % 10 == 0 ? 600_000 : 400);
            int offset = i % 7 == 0 ? content.length - length : random.nextInt(content.length - length);
            byte[] slice = new byte[length];
            view.slice(offset, length).get(slice);
            assertThat(slice).as("seed 4, slice %d", i).isEqualTo(Arrays.copyOfRange(content, offset, offset + length));
        }
    }

    @Test
    void small_slices_open_the_file_once_per_block() throws IOException {
        AtomicInteger opened = new AtomicInteger();
        Path file = StepFileSystem.path(
                Files.write(folder.resolve("a"), new byte[1 << 20]), (step, path) -> opened.incrementAndGet());
        FileView view = new FileView(file, 1 << 20);
        assertThat(view).hasToString("FileView[" + file + ": 1048576 bytes, read]");
        for (int at = 0; at < 1 << 20; at += 64) {
            view.slice(at, 64);
        }
        assertThat(opened).hasValue(4);
    }

    @Test
    void a_file_that_has_become_shorter_is_refused() throws IOException {
        Path file = Files.write(folder.resolve("a"), new byte[6]);
        FileView view = new FileView(file, 6);
        view.slice(0, 6);
        Files.write(file, new byte[4]);
        assertThatThrownBy(view::checkSize)
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(
                        file + ": at byte 4: expected a file of 6 bytes, its size when it was opened, found 4 bytes");
    }

    @Test
    void an_interrupted_thread_reads_and_stays_interrupted() throws IOException {
        Path file = Files.write(folder.resolve("a"), new byte[] {7});
        try {
            Thread.currentThread().interrupt();
            assertThat(new FileView(file, 1, true).slice(0, 1).get()).isEqualTo((byte) 7);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void records_without_compression_are_decoded_where_they_lie() throws IOException {
        Path file = folder.resolve("a");
        try (RecordIoWriter writer = RecordIoWriter.create(file, RecordIoCompression.NONE, 100)) {
            writer.write(new byte[] {5, 6});
        }
        RecordFormat format = new RecordFormat() {
            @Override
            public int features() {
                return 0;
            }

            @Override
            public int labels() {
                return 0;
            }

            @Override
            public int ids() {
                return 1;
            }

            @Override
            public void decode(byte[] record, Batch into) {
                throw new AssertionError("a copy of " + record.length + " bytes");
            }

            @Override
            public void decode(ByteBuffer record, Batch into) {
                into.ids()[into.row()] = record.getShort();
            }
        };
        try (RecordIoDataset dataset = RecordIoDataset.open(file, format)) {
            Batch batch = new Batch(1, 0, 0, 1, List.of());
            dataset.read("a", 0, 1, batch);
            assertThat(batch.ids()).containsExactly(0x0605);
            assertThat(dataset)
                    .hasToString("RecordIoDataset[1 shards, 1 records of 0 features and 0 labels and 1 ids]");
            assertThatThrownBy(() -> dataset.read("a", 0, 1, new Batch(1, 1, 0)))
                    .hasMessage("shard \"a\": the batch must have 0 features, 0 labels and 1 ids, was 1, 0 and 0");
        }
    }

    @Test
    void a_record_without_anything_in_it_has_no_format() {
        assertThatThrownBy(() -> RecordFormat.of(0, 1, 0, (record, into) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a record needs features >= 0, labels >= 0, ids >= 0, and features or ids; was 0, 1, 0");
    }
}
