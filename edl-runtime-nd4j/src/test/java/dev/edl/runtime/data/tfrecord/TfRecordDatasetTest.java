package dev.edl.runtime.data.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TfRecordDatasetTest {
    private static final LabelledPixels IMAGES = new LabelledPixels(2, 0.5f);

    @TempDir
    Path folder;

    @Test
    void a_directory_gives_a_shard_for_each_file_in_the_order_of_names() throws IOException {
        write("train-1.tfrecord", 3, TfRecordCompression.ZLIB);
        write("train-0.tfrecord", 2, TfRecordCompression.NONE);
        try (TfRecordDataset dataset = TfRecordDataset.open(folder, IMAGES)) {
            assertThat(dataset.shards())
                    .containsExactly(new DataShard("train-0.tfrecord", 2), new DataShard("train-1.tfrecord", 3));
            assertThat(dataset).hasToString("TfRecordDataset[2 shards, 5 records of 2 features and 1 labels]");
        }
    }

    @ParameterizedTest
    @EnumSource(TfRecordCompression.class)
    void workers_may_read_at_once_and_any_range(TfRecordCompression compression) throws Exception {
        write("a", 200, compression);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        try (TfRecordDataset dataset = TfRecordDataset.open(folder, IMAGES)) {
            List<Future<float[]>> labels = new ArrayList<>();
            for (int w = 0; w < 4; w++) {
                boolean backwards = w % 2 == 1;
                Callable<float[]> all = () -> {
                    float[] read = new float[200];
                    Batch batch = new Batch(8, 2, 1);
                    for (int i = 0; i < 25; i++) {
                        int start = backwards ? 192 - 8 * i : 8 * i;
                        dataset.read("a", start, start + 8, batch.clear("a"));
                        System.arraycopy(batch.labels(), 0, read, start, 8);
                    }
                    return read;
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
    void a_rejected_record_is_reported_with_file_and_index() throws IOException {
        Path file = folder.resolve("a");
        try (TfRecordWriter writer = TfRecordWriter.create(file)) {
            writer.write(new byte[3]);
            writer.write(new byte[5]);
        }
        try (TfRecordDataset dataset = TfRecordDataset.open(file, IMAGES)) {
            assertThatThrownBy(() -> dataset.read("a", 0, 2, new Batch(2, 2, 1)))
                    .isInstanceOf(RecordDecodeException.class)
                    .hasMessage(file + ": record 1: expected 3 bytes (2 pixels and a label), found 5");
        }
    }

    @Test
    void an_unknown_shard_a_range_beyond_it_and_a_closed_dataset_are_refused() throws IOException {
        Path file = write("a", 2, TfRecordCompression.GZIP);
        TfRecordDataset dataset = TfRecordDataset.open(folder, IMAGES);
        Batch batch = new Batch(9, 2, 1);
        assertThatThrownBy(() -> dataset.read("b", 0, 1, batch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no shard \"b\" in TfRecordDataset[1 shards, 2 records of 2 features and 1"
                        + " labels]; shards() has the valid names");
        assertThatThrownBy(() -> dataset.read("a", 0, 3, batch))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(file + ": range [0, 3) is outside its 2 records");
        dataset.read("a", 0, 1, batch);
        dataset.close();
        assertThatThrownBy(() -> dataset.read("a", 0, 1, batch))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": the dataset is closed");
    }

    @Test
    void a_decoder_without_columns_is_refused() throws IOException {
        write("a", 2, TfRecordCompression.NONE);
        assertThatThrownBy(() -> TfRecordDataset.open(folder, ExampleDecoder.create()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a record needs features >= 0, labels >= 0, ids >= 0, and features or ids; was 0, 0, 0");
    }

    /** Records of the pixels i and 255 and the label i. */
    private Path write(String name, int records, TfRecordCompression compression) throws IOException {
        Path file = folder.resolve(name);
        try (TfRecordWriter writer = TfRecordWriter.create(file, compression)) {
            for (int i = 0; i < records; i++) {
                writer.write(IMAGES.encode(new int[] {i, 255}, i));
            }
        }
        return file;
    }
}
