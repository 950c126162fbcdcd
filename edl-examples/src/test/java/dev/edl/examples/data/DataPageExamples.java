package dev.edl.examples.data;

import dev.edl.parquet.ParquetColumns;
import dev.edl.parquet.ParquetDataset;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSplit;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.data.ListDataset;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.RowEncoder;
import dev.edl.runtime.data.csv.CsvColumns;
import dev.edl.runtime.data.csv.CsvDataset;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.data.idx.IdxDataset;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.SpooledDataset;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.data.tfrecord.TfExample;
import dev.edl.runtime.data.tfrecord.TfRecordDataset;
import dev.edl.runtime.data.tfrecord.TfRecordWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The Java of docs/data.md, in its order. */
final class DataPageExamples {
    record House(float rooms, float area, float price) {}

    private DataPageExamples() {}

    static List<Dataset> examples() throws IOException {
        // region: examples
        ExampleDecoder mnist =
                ExampleDecoder.create().floats("image", 784, 1f / 255).label("label");
        RecordIoDataset train = RecordIoDataset.open(Path.of("mnist/train"), mnist);

        ExampleDecoder clicks = ExampleDecoder.create()
                .floats("age")
                .orElse(0) // 0 where an example has no age
                .ids("feature_ids", 10) // exactly ten
                .idsUpTo("genres", 5) // up to five, then -1, which stands for none
                .label("clicked");
        TfRecordDataset test = TfRecordDataset.open(Path.of("clicks/test"), clicks);
        // end
        return List.of(train, test);
    }

    static RecordFormat format() {
        // region: format
        RecordFormat oneFloat = RecordFormat.of(1, 0, 0, (record, into) -> {
            int row = into.row();
            into.features()[row] = ByteBuffer.wrap(record).getFloat();
        });
        // end
        return oneFloat;
    }

    static void write(float[] pixels) throws IOException {
        // region: write
        try (TfRecordWriter writer = TfRecordWriter.create(Path.of("train.tfrecord"))) {
            writer.write(TfExample.builder()
                    .floats("image", pixels)
                    .int64s("label", 7)
                    .build()
                    .toBytes());
        }
        // end
    }

    static Dataset idx() throws IOException {
        // region: idx
        IdxDataset train =
                IdxDataset.open(Path.of("train-images-idx3-ubyte.gz"), Path.of("train-labels-idx1-ubyte.gz"), 1f / 255);
        // end
        return train;
    }

    static Dataset csv() throws IOException {
        // region: csv
        CsvColumns columns = CsvColumns.create()
                .features("age", "hours") // all that are no label and no id, unless named
                .hashedIds(100_000, "job", "city") // any text; .ids("user") for whole numbers
                .label("income", "low", "high") // texts become 0 and 1; .label("price") for numbers
                .missing(0); // a missing feature; an error unless set
        CsvDataset census = CsvDataset.open(Path.of("census"), columns);
        // end
        return census;
    }

    static Dataset parquet() throws IOException {
        // region: parquet
        ParquetColumns columns = ParquetColumns.create()
                .features("age", "hours") // numbers and booleans
                .list("embedding", 64) // lists of exactly 64 numbers
                .hashedIds(100_000, "job", "city") // any text; .ids("user") for whole numbers
                .label("income", "low", "high") // texts become 0 and 1; .labels("price") for numbers
                .missing(0); // a missing feature; an error unless set
        ParquetDataset census = ParquetDataset.open(Path.of("census.parquet"), columns);
        // end
        return census;
    }

    static List<CsvTable> like() throws IOException {
        // region: like
        CsvTable train = CsvTable.read(Path.of("train.csv"));
        CsvTable test = CsvTable.reader().like(train).read(Path.of("test.csv"));
        // end
        return List.of(train, test);
    }

    static List<Dataset> objects(List<House> houses, Iterable<House> iterable, RowEncoder<House> encoder)
            throws IOException {
        // region: objects
        ListDataset<House> few = Datasets.of(houses, 2, 1, (house, into) -> {
            int row = into.row();
            into.features()[2 * row] = house.rooms();
            into.features()[2 * row + 1] = house.area();
            into.labels()[row] = house.price();
        });

        SpooledDataset many = SpooledDataset.create(Path.of("spool/houses"), iterable, 2, 1, 0, encoder);
        // end
        return List.of(few, many);
    }

    static List<Dataset> parts(Dataset dataset, Dataset january, Dataset february) {
        // region: parts
        DatasetSplit split = Datasets.split(dataset, 0.1); // the last tenth of each shard to test on
        Dataset some = Datasets.take(split.train(), 10_000);
        Dataset both = Datasets.concat(january, february);
        // end
        return List.of(some, both);
    }
}
