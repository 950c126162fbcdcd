package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.IdHash;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Words for a missing value. */
class CsvMissingValuesTest {
    // pandas.read_csv: "By default the following values are interpreted as NaN", without the empty one; and Weka's.
    private static final List<String> WORDS = List.of(
            "#N/A",
            "#N/A N/A",
            "#NA",
            "-1.#IND",
            "-1.#QNAN",
            "-NaN",
            "-nan",
            "1.#IND",
            "1.#QNAN",
            "<NA>",
            "N/A",
            "NA",
            "NULL",
            "NaN",
            "None",
            "n/a",
            "nan",
            "null",
            "?",
            " NA ",
            "\"NA\"",
            "NAN");

    @TempDir
    Path folder;

    @Test
    void a_label_of_a_missing_word_is_no_class() throws IOException {
        for (String word : WORDS) {
            Path file = file("x,y\n1," + word + "\n2,low\n3,high\n4,low\n");
            CsvTable table = CsvTable.reader().skipBadRows().read(file);
            assertThat(table.classNames()).as(word).containsExactly("high", "low");
            assertThat(table.skipped())
                    .extracting(CsvProblem::problem)
                    .as(word)
                    .containsExactly("is a missing value; a label must name a class");
            Path numbers = file("x,y\n1,0\n2," + word + "\n3,1\n");
            assertThat(CsvTable.reader().skipBadRows().read(numbers).skipped())
                    .extracting(CsvProblem::problem)
                    .as(word)
                    .containsExactly("is a missing value; a label must be a whole number, for example 3");
            assertThatThrownBy(() ->
                            read(CsvDataset.open(numbers, CsvColumns.create().label("y"))))
                    .as(word)
                    .isInstanceOf(BadRowsException.class);
        }
    }

    @Test
    void a_missing_first_label_does_not_make_numbers_texts() throws IOException {
        Path file = file("1,NA\n2,0\n3,1\n");
        assertThat(CsvTable.reader().skipBadRows().read(file).classes()).containsExactly(0L, 1L);
        assertThatThrownBy(() -> CsvTable.read(file))
                .hasMessage(file + ": 1 of 3 rows are bad:\n"
                        + "  line 1, column 2: \"NA\" is a missing value; a label must name a class\n"
                        + "correct them, or read the rest with skipBadRows(); if line 1 names the columns, set"
                        + " header(true)");
    }

    @Test
    void a_class_may_have_such_a_name_when_it_is_asked_for() throws IOException {
        Path file = file("x,y\n1,None\n2,null\n3,None\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(BadRowsException.class)
                .message()
                .endsWith("\nno row is left to read; notMissing(\"None\") reads this label as a class name");
        CsvTableReader reader = CsvTable.reader().notMissing("None", "null");
        assertThat(reader.read(file).classNames()).containsExactly("None", "null");
        assertThat(reader).hasToString("CsvTableReader[label last, not missing [None, null]]");
        CsvDataset dataset = CsvDataset.open(file, CsvColumns.create().label("y", "null", "None"));
        assertThat(read(dataset).labels()).containsExactly(1, 0, 1);
        assertThatThrownBy(() -> CsvTable.reader().notMissing("none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("notMissing: \"none\" is never a missing value; valid are NaN, #N/A, #N/A N/A, #NA,"
                        + " -1.#IND, -1.#QNAN, 1.#IND, 1.#QNAN, <NA>, ?, N/A, NA, NULL, None, n/a, null");
    }

    @Test
    void a_number_of_a_missing_word_is_a_missing_feature() throws IOException {
        for (String word : WORDS) {
            assertThat(CsvTable.reader()
                            .skipBadRows()
                            .read(file("x,y\n" + word + ",3\n1,2\n2,3\n"))
                            .skipped())
                    .extracting(CsvProblem::problem)
                    .as(word)
                    .first()
                    .isIn(
                            "is a missing value; must be a number, for example 1.5",
                            "is not finite; must be a finite number, for example 1.5");
            Path file = file("x,y\n1,2\n" + word + ",3\n");
            CsvColumns columns = CsvColumns.create().label("y").missing(-7);
            assertThat(read(CsvDataset.open(file, columns)).features()).as(word).containsExactly(1, -7);
        }
        Path infinite = file("x,y\n1,2\ninf,3\n");
        assertThatThrownBy(
                        () -> read(CsvDataset.open(infinite, CsvColumns.create().missing(0))))
                .hasMessageContaining("\"inf\" is not finite");
    }

    @Test
    void an_id_of_a_missing_word_is_no_id() throws IOException {
        for (String word : WORDS) {
            Path file = file("x,a,b\n1,2,3\n1," + word + "," + word + "\n");
            CsvColumns columns = CsvColumns.create().ids("a").hashedIds(9, "b");
            assertThat(read(CsvDataset.open(file, columns)).ids()).as(word).endsWith(-1, -1);
        }
        Path countries = file("x,country\n1,NA\n2,DE\n");
        CsvColumns columns = CsvColumns.create().hashedIds(1L << 62, "country").notMissing("NA");
        assertThat(read(CsvDataset.open(countries, columns)).ids())
                .containsExactly(IdHash.of(0, "NA", 1L << 62), IdHash.of(0, "DE", 1L << 62));
    }

    @Test
    void an_id_that_a_missing_one_beside_it_made_a_decimal_is_whole() throws IOException {
        Path file = file("user,y\n2.0,0\nNaN,1\nnan,0\n,1\n9007199254740993.0,0\n");
        CsvDataset dataset =
                CsvDataset.open(file, CsvColumns.create().features().ids("user").label("y"));

        assertThat(read(dataset).ids()).containsExactly(2, -1, -1, -1, 9007199254740993L);
    }

    @Test
    void a_header_of_a_missing_word_may_be_a_row() throws IOException {
        Path file = file("NA,?,low\n5,3,up\n7,3,down\n");
        assertThat(CsvTable.read(file).problems())
                .extracting(CsvProblem::toString)
                .containsExactly("line 1, column 1 (NA): \"NA\" names the column, but usually stands for a missing"
                        + " value; header(true) reads line 1 as names, header(false) as a row");
        assertThat(CsvTable.reader().header(true).read(file).problems()).isEmpty();
    }

    private static Batch read(CsvDataset dataset) throws IOException {
        int records = (int) dataset.records();
        Batch batch = new Batch(records, dataset.features(), dataset.labels(), dataset.ids(), List.of());
        dataset.read("data.csv", 0, records, batch);
        return batch;
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text);
    }
}
