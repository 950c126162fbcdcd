package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.ArraySplit;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.Standardization;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.data.tfrecord.TfRecordDataset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparison of datasets of several readers by the meaning of their numbers. */
class RecordMeaningTest {
    private static final String ROWS = "length,y\n1,1\n2,2\n3,3\n4,1\n";
    private static final String SHIFTED = "has numbers as labels, which are class indexes from 0, but in %s class 0 is"
            + " \"1\"; CsvColumns.label(column, \"1\", \"2\", \"3\") reads them as these classes, or store class indexes";

    @TempDir
    Path folder;

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("data.csv"), text);
    }

    private static List<String> differences(Dataset data, Dataset trained) {
        return data.names().differences("data", trained.names(), "training");
    }

    @Test
    void numbers_as_labels_differ_from_classes_that_are_other_numbers() throws Exception {
        CsvTable table = CsvTable.read(file(ROWS));
        Dataset numbers = CsvDataset.open(
                table.file(), CsvColumns.create().features("length").label("y"));

        assertThat(differences(numbers, table.dataset())).containsExactly("data " + SHIFTED.formatted("training"));
        assertThat(differences(table.dataset(), numbers)).containsExactly("training " + SHIFTED.formatted("data"));
        assertThatThrownBy(() -> Datasets.concat(table.dataset(), numbers))
                .hasMessageContaining("has numbers as labels, which are class indexes from 0");
        assertThat(RecordNames.of(numbers.names().metadata())
                        .differences("a", table.dataset().names(), "b"))
                .hasSize(1);
    }

    @Test
    void numbers_as_labels_agree_with_classes_that_are_their_indexes_or_texts() throws Exception {
        CsvTable table = CsvTable.read(file("length,y\n1,0\n2,1\n3,2\n"));
        Dataset numbers = CsvDataset.open(
                table.file(), CsvColumns.create().features("length").label("y"));
        Dataset named = CsvDataset.open(
                file(ROWS), CsvColumns.create().features("length").label("y", "1", "2", "3"));
        Dataset texts = CsvTable.read(file("length,y\n1,setosa\n2,virginica\n")).dataset();

        assertThat(differences(numbers, table.dataset())).isEmpty();
        assertThat(differences(numbers, texts)).isEmpty();
        assertThat(differences(named, CsvTable.read(file(ROWS)).dataset())).isEmpty();
    }

    @Test
    void labels_of_a_tfrecord_file_are_numbers() throws Exception {
        CsvTable table = CsvTable.read(file(ROWS));
        Path empty = Files.write(folder.resolve("data.tfrecord"), new byte[0]);
        ExampleDecoder decoder = ExampleDecoder.create().floats("length").label("y");

        try (TfRecordDataset numbers = TfRecordDataset.open(empty, decoder)) {
            assertThat(differences(numbers, table.dataset())).containsExactly("data " + SHIFTED.formatted("training"));
        }
    }

    @Test
    void another_label_column_differs() throws Exception {
        CsvTable table = CsvTable.read(file("length,left,right\n1,0,1\n2,1,0\n"));
        CsvColumns columns = CsvColumns.create().features("length");

        assertThat(differences(
                        CsvDataset.open(table.file(), columns.label("left")),
                        CsvTable.reader().without("left").read(table.file()).dataset()))
                .containsExactly("data has other labels than training: label 0 is \"left\" and not \"right\"");
        assertThat(differences(
                        CsvDataset.open(table.file(), columns),
                        CsvTable.reader().without("left").read(table.file()).dataset()))
                .isEmpty();
    }

    @Test
    void other_ids_and_another_number_of_buckets_differ() throws Exception {
        Path file = file("job,city,y\n1,2,0\n");
        CsvColumns columns = CsvColumns.create().features().label("y");
        Dataset plain = CsvDataset.open(file, columns.ids("job", "city"));

        assertThat(differences(CsvDataset.open(file, columns.ids("city", "job")), plain))
                .containsExactly("data has the ids of training in another order: id 0 is \"city\" and not \"job\"");
        assertThat(differences(CsvDataset.open(file, columns.ids("job").hashedIds(9, "city")), plain))
                .containsExactly("data has other ids than training: id 1 is \"city hashed to 9\" and not \"city\"");
    }

    @Test
    void features_as_read_differ_from_standardized_ones() throws Exception {
        CsvTable table = CsvTable.read(file("length,y\n1,0\n2,1\n3,0\n5,1\n"));
        ArraySplit raw = table.dataset().split(0.5, 7);
        ArraySplit split = raw.standardized();
        Standardization other = Standardization.of(new double[] {3}, new double[] {2});
        Dataset stream = CsvDataset.open(
                table.file(), CsvColumns.create().features("length").label("y"));

        assertThat(differences(split.test(), split.train())).isEmpty();
        assertThat(differences(raw.standardization().apply(table.dataset()), split.train()))
                .isEmpty();
        assertThat(differences(raw.test(), stream)).isEmpty();
        assertThat(differences(stream, split.train()))
                .singleElement()
                .asString()
                .matches("data has features as read, but those of training are standardized [0-9a-f]{8};"
                        + " split\\.standardization\\(\\)\\.apply\\(table\\) standardizes a table as"
                        + " the parts of split");
        assertThat(differences(other.apply(raw.test()), split.train())).hasSize(1);
        assertThat(differences(other.apply(split.test()), split.train())).hasSize(1);
        assertThat(differences(
                        RecordNames.of(split.train().names().metadata()),
                        raw.test().names()))
                .hasSize(1);
    }

    private static List<String> differences(RecordNames data, RecordNames trained) {
        return data.differences("data", trained, "training");
    }

    @Test
    void a_standardization_that_was_stored_as_floats_is_the_same() throws Exception {
        ArraySplit split = CsvTable.read(file("length,y\n0.1,0\n0.2,1\n0.4,0\n0.7,1\n"))
                .dataset()
                .split(0.5, 7);
        Standardization exact = split.standardization();
        Standardization stored = Standardization.of(floats(exact.means()), floats(exact.deviations()));

        assertThat(differences(stored.apply(split.test()), exact.apply(split.train())))
                .isEmpty();
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    @Test
    void a_checkpoint_without_the_new_words_agrees_with_all() throws Exception {
        CsvTable table = CsvTable.read(file(ROWS));
        RecordNames old = new RecordNames(List.of("length"), List.of("1", "2", "3"));

        RecordNames names = table.dataset().split(0.5, 7).standardized().train().names();
        assertThat(differences(names, RecordNames.of(old.metadata()))).isEmpty();
    }
}
