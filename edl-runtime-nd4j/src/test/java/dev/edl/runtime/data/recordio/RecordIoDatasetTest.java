package dev.edl.runtime.data.recordio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordDecoder;
import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIoDatasetTest {
    private static final LabelledPixels IMAGES = new LabelledPixels(2, 0.5f);

    @TempDir
    Path folder;

    @Test
    void a_directory_gives_a_shard_for_each_file_in_the_order_of_names() throws IOException {
        write("train-00001", 3, 100);
        write("train-00000", 2, 100);
        Files.createFile(folder.resolve(".hidden"));
        Files.createDirectory(folder.resolve("more"));
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, IMAGES)) {
            assertThat(dataset.shards())
                    .containsExactly(new DataShard("train-00000", 2), new DataShard("train-00001", 3));
            assertThat(dataset).hasToString("RecordIoDataset[2 shards, 5 records of 2 features and 1 labels]");
        }
    }

    @Test
    void a_range_is_appended_to_the_batch() throws IOException {
        write("a", 10, 9);
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, IMAGES)) {
            Batch batch = new Batch(4, 2, 1);
            dataset.read("a", 7, 9, batch);
            dataset.read("a", 0, 2, batch);
            // Record i of write() has the pixels i and 255 and the label i, and a pixel counts half.
            assertThat(batch.features()).containsExactly(3.5f, 127.5f, 4, 127.5f, 0, 127.5f, 0.5f, 127.5f);
            assertThat(batch.labels()).containsExactly(7, 8, 0, 1);
        }
    }

    @Test
    void workers_may_read_at_once() throws Exception {
        write("a", 200, 30);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, IMAGES)) {
            List<Future<float[]>> labels = new ArrayList<>();
            for (int w = 0; w < 4; w++) {
                Callable<float[]> all = () -> {
                    Batch batch = new Batch(200, 2, 1);
                    for (int start = 0; start < 200; start += 8) {
                        dataset.read("a", start, start + 8, batch);
                    }
                    return batch.labels();
                };
                labels.add(workers.submit(all));
            }
            for (Future<float[]> future : labels) {
                float[] read = future.get(30, TimeUnit.SECONDS);
                for (int i = 0; i < 200; i++) {
                    assertThat(read[i]).isEqualTo(i);
                }
            }
        } finally {
            workers.shutdownNow();
        }
    }

    @Test
    void a_record_of_wrong_length_is_reported_with_file_and_index() throws IOException {
        Path file = folder.resolve("a");
        try (RecordIoWriter writer = RecordIoWriter.create(file)) {
            writer.write(new byte[3]);
            writer.write(new byte[5]);
        }
        try (RecordIoDataset dataset = RecordIoDataset.open(file, IMAGES)) {
            assertThatThrownBy(() -> dataset.read("a", 0, 2, new Batch(2, 2, 1)))
                    .isInstanceOfSatisfying(
                            RecordDecodeException.class,
                            e -> assertThat(e.record()).isEqualTo(1))
                    .hasMessage(file + ": record 1: expected 3 bytes (2 pixels and a label), found 5");
        }
    }

    @Test
    void a_failing_decoder_is_reported_with_file_and_index() throws IOException {
        Path file = write("a", 2, 100);
        RecordDecoder broken = (record, into) -> into.features()[99] = 1;
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, 2, 0, broken)) {
            assertThatThrownBy(() -> dataset.read("a", 1, 2, new Batch(2, 2, 0)))
                    .isInstanceOf(RecordDecodeException.class)
                    .hasMessage(file + ": record 1: java.lang.ArrayIndexOutOfBoundsException:"
                            + " Index 99 out of bounds for length 4");
        }
    }

    @Test
    void a_decoder_that_adds_no_row_is_refused() throws IOException {
        Path file = write("a", 2, 100);
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, 2, 0, (record, into) -> {})) {
            assertThatThrownBy(() -> dataset.read("a", 0, 1, new Batch(2, 2, 0)))
                    .isInstanceOf(RecordDecodeException.class)
                    .hasMessage(file + ": record 0: the decoder must add 1 row to the batch, added 0");
        }
    }

    @Test
    void a_batch_of_other_widths_or_without_capacity_is_rejected() throws IOException {
        write("a", 2, 100);
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, IMAGES)) {
            assertThatThrownBy(() -> dataset.read("a", 0, 1, new Batch(2, 3, 1)))
                    .hasMessage("shard \"a\": the batch must have 2 features and 1 labels, was 3 and 1");
            assertThatThrownBy(() -> dataset.read("a", 0, 2, new Batch(1, 2, 1)))
                    .hasMessage("shard \"a\": 2 records do not fit into Batch[0 of 1 records, ], it has room for 1");
        }
    }

    @Test
    void an_unknown_shard_and_a_range_beyond_it_are_refused() throws IOException {
        Path file = write("a", 2, 100);
        try (RecordIoDataset dataset = RecordIoDataset.open(folder, IMAGES)) {
            Batch batch = new Batch(9, 2, 1);
            assertThatThrownBy(() -> dataset.read("b", 0, 1, batch))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no shard \"b\" in RecordIoDataset[1 shards, 2 records of 2 features and 1"
                            + " labels]; shards() has the valid names");
            assertThatThrownBy(() -> dataset.read("a", 0, 3, batch))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage(file + ": range [0, 3) is outside its 2 records");
        }
    }

    @Test
    void a_closed_dataset_refuses_to_read() throws IOException {
        Path file = write("a", 2, 100);
        RecordIoDataset dataset = RecordIoDataset.open(folder, IMAGES);
        dataset.close();
        assertThatThrownBy(() -> dataset.read("a", 0, 1, new Batch(1, 2, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": the dataset is closed");
    }

    @Test
    void a_missing_directory_is_named() {
        Path missing = folder.resolve("nowhere");
        assertThatThrownBy(() -> RecordIoDataset.open(missing, IMAGES))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(missing + ": there is no such RecordIO file or directory");
    }

    @Test
    void an_empty_directory_is_named() {
        assertThatThrownBy(() -> RecordIoDataset.open(folder, IMAGES))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + ": there is no RecordIO file in this directory");
    }

    @Test
    void a_directory_of_directories_lists_them() throws IOException {
        Files.createDirectory(folder.resolve("train"));
        Files.createDirectory(folder.resolve("test"));
        assertThatThrownBy(() -> RecordIoDataset.open(folder, IMAGES))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + ": there is no RecordIO file in this directory, only directories: test, train");
    }

    @Test
    void two_files_of_one_name_are_refused() throws IOException {
        Path a = write("a", 1, 100);
        assertThatThrownBy(() -> RecordIoDataset.open(List.of(a, a), 2, 1, IMAGES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two files of one dataset must not have the same name, was " + a + " and " + a);
    }

    @Test
    void a_corrupt_file_among_others_is_named_when_opening() throws IOException {
        write("a", 1, 100);
        Path readme = Files.writeString(folder.resolve("b.txt"), "not a RecordIO file at all");
        assertThatThrownBy(() -> RecordIoDataset.open(folder, IMAGES))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(readme + ": at byte 0: expected the chunk magic 04 03 02 01, found 6e 6f 74 20");
    }

    @Test
    void the_cache_drops_the_oldest_chunk_first_and_keeps_the_newest() throws IOException {
        Path file = write("a", 10, 4);
        RecordIoReader reader = RecordIoReader.open(file);
        RecordIoCache cache = new RecordIoCache(30);
        RecordIoPayload first = cache.get(reader, reader.chunkOf(0));
        assertThat(first.weight()).isEqualTo(7 + 4);
        cache.get(reader, reader.chunkOf(1));
        assertThat(cache.get(reader, reader.chunkOf(0))).isSameAs(first);
        cache.get(reader, reader.chunkOf(2));
        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.get(reader, reader.chunkOf(0))).isSameAs(first);
    }

    @Test
    void opening_reads_the_chunk_headers_only() throws IOException {
        Path file = folder.resolve("large");
        try (RecordIoWriter writer = RecordIoWriter.create(file, RecordIoCompression.NONE, 1 << 20)) {
            for (int i = 0; i < 64; i++) {
                writer.write(new byte[1 << 17]);
            }
        }
        try (CountingChannel channel = new CountingChannel(new UninterruptibleFileChannel(file))) {
            // Eight records of 128 KiB fill a chunk of 1 MiB, and a header has 20 bytes.
            assertThat(RecordIoIndex.of(file, channel)).hasSize(8);
            assertThat(channel.size()).isGreaterThan(8 << 20);
            assertThat(channel.bytes()).isEqualTo(8 * 20);
        }
    }

    @Test
    void a_chunk_larger_than_the_cache_is_still_kept() throws IOException {
        RecordIoReader reader = RecordIoReader.open(write("a", 10, 4));
        RecordIoCache cache = new RecordIoCache(1);
        RecordIoPayload second = cache.get(reader, reader.chunkOf(1));
        assertThat(cache.get(reader, reader.chunkOf(1))).isSameAs(second);
    }

    /** Records of the pixels i and 255 and the label i. */
    private Path write(String name, int records, int chunkBytes) throws IOException {
        Path file = folder.resolve(name);
        try (RecordIoWriter writer = RecordIoWriter.create(file, RecordIoCompression.SNAPPY, chunkBytes)) {
            for (int i = 0; i < records; i++) {
                writer.write(IMAGES.encode(new int[] {i, 255}, i));
            }
        }
        return file;
    }
}
