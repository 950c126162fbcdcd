package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.data.idx.IdxDataset;
import dev.edl.runtime.data.idx.IdxFile;
import dev.edl.runtime.data.idx.IdxType;
import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzReader;
import dev.edl.runtime.data.npy.NpzWriter;
import dev.edl.runtime.data.recordio.RecordIoCompression;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.data.recordio.SpooledDataset;
import dev.edl.runtime.data.tfrecord.TfRecordCompression;
import dev.edl.runtime.data.tfrecord.TfRecordDataset;
import dev.edl.runtime.data.tfrecord.TfRecordWriter;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every format is written and read in a file system that has no file channels. */
class AnyFileSystemDataTest {
    private static final LabelledPixels PIXELS = new LabelledPixels(2, 1);
    private static final byte[] RECORD = {1, 2, 7};

    private final FileSystem memory = Jimfs.newFileSystem(
            Configuration.unix().toBuilder().setSupportedFeatures(Feature.LINKS).build());
    private final Path folder = memory.getPath("/work");

    @AfterEach
    void close() throws IOException {
        memory.close();
    }

    private static void check(Dataset dataset) throws IOException {
        String shard = dataset.shards().get(0).name();
        Batch batch = new Batch(1, 2, dataset.labels());
        dataset.read(shard, 1, 2, batch);
        assertThat(batch.features()).containsExactly(1, 2);
    }

    @Test
    void record_io() throws IOException {
        for (RecordIoCompression compression : RecordIoCompression.values()) {
            Path file = folder.resolve(compression.name());
            try (RecordIoWriter writer = RecordIoWriter.create(file, compression, 100)) {
                writer.write(RECORD);
                writer.write(RECORD);
            }
            try (RecordIoDataset dataset = RecordIoDataset.open(file, PIXELS)) {
                check(dataset);
            }
        }
    }

    @Test
    void tf_record() throws IOException {
        for (TfRecordCompression compression : TfRecordCompression.values()) {
            Path file = folder.resolve(compression.name());
            try (TfRecordWriter writer = TfRecordWriter.create(file, compression)) {
                writer.write(RECORD);
                writer.write(RECORD);
            }
            try (TfRecordDataset dataset = TfRecordDataset.open(file, PIXELS)) {
                check(dataset);
            }
        }
    }

    @Test
    void idx() throws IOException {
        for (String name : List.of("plain", "packed.gz")) {
            Path file = folder.resolve(name);
            IdxFile.write(file, IdxType.UNSIGNED_BYTE, List.of(2, 2), 8, 9, 1, 2);
            try (IdxDataset dataset = IdxDataset.open(file, 1)) {
                check(dataset);
            }
        }
    }

    @Test
    void csv_tables() throws IOException {
        Path file = Files.writeString(folder.resolve("table.csv"), "a,b,class\n3,4,x\n1,2,y\n");
        assertThat(CsvTable.read(file).classNames()).containsExactly("x", "y");
    }

    @Test
    void npz() throws IOException {
        NpzArray array = NpzArray.of("w", new float[] {1, 2, 3}, 3);
        Path file = folder.resolve("model.npz");
        NpzWriter.write(file, List.of(array));
        assertThat(NpzReader.read(file)).isEqualTo(Map.of("w", array));
    }

    @Test
    void spools() throws IOException {
        Path directory = folder.resolve("spool");
        for (int i = 0; i < 2; i++) {
            SpooledDataset spool = SpooledDataset.create(directory, List.of(9, 1), 2, 0, 0, (item, into) -> {
                int row = into.row();
                into.features()[2 * row] = item;
                into.features()[2 * row + 1] = 2;
            });
            check(spool);
            spool.close();
        }
    }

    @Test
    void predictions() throws IOException {
        List<DataShard> shards = List.of(new DataShard("a", 1), new DataShard("b", 1));
        Path npy = folder.resolve("out/predictions.npy");
        Path csv = folder.resolve("out/predictions.csv");
        for (PredictionWriter writer : List.of(PredictionWriter.npy(npy), PredictionWriter.csv(csv))) {
            try (PredictionWriter.Sink sink = writer.open(shards, 2)) {
                sink.write("b", 0, 1, new float[] {3, 4});
                sink.write("a", 0, 1, new float[] {1, 2});
                sink.commit();
            }
        }
        assertThat(Files.readString(csv)).isEqualTo("shard,record,output_0,output_1\na,0,1.0,2.0\nb,0,3.0,4.0\n");
        byte[] bytes = Files.readAllBytes(npy);
        assertThat(bytes)
                .hasSize(128 + 16)
                .endsWith(0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40);
    }
}
