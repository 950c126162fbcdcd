package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors that a wrong detection of separator or header may cause: each names the detection and its setting. */
class DetectedCsvFormatTest {
    private static final String COMMA = "; the separator ';' was detected in line 1, separator(',') sets another";
    private static final String HEADER = "; if line 1 names the columns, set header(true)";

    @TempDir
    Path folder;

    @Test
    void bad_rows_name_the_detected_separator() throws IOException {
        Path file = write("a.csv", "a;b,c\n1,0\n2,1\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .message()
                .endsWith("line 3: expected 2 fields as in line 1, found 1\nno row is left to read" + COMMA);
        assertThat(CsvTable.reader().separator(',').read(file).problems()).isEmpty();
        assertThatThrownBy(() -> read(CsvDataset.open(file, CsvColumns.create())))
                .message()
                .endsWith("\nthese are records 0 to 1 of the file" + COMMA);
        Path tabs = write("b.csv", "a\tb;c;y\n1;2;0\n");
        String semicolon = "; the separator '\\t' was detected in line 1, separator(';') sets another";
        assertThatThrownBy(() -> CsvTable.read(tabs)).message().endsWith(semicolon);
        assertThatThrownBy(() -> CsvTable.reader().separator('\t').read(tabs))
                .message()
                .endsWith("no row is left to read");
        assertThatThrownBy(() -> read(CsvDataset.open(tabs, CsvColumns.create().separator('\t'))))
                .message()
                .endsWith("records 0 to 0 of the file");
    }

    @Test
    void an_unknown_column_names_the_detected_separator_and_header() throws IOException {
        Path file = write("a.csv", "a;b,c\n1,0\n2,1\n");
        String valid = "valid are \"last\", 1 to 2 and the names of the header: a, b,c" + COMMA;
        assertThatThrownBy(() -> CsvTable.reader().label("c").read(file))
                .message()
                .endsWith(valid);
        assertThatThrownBy(() -> CsvTable.reader().without("c").read(file))
                .message()
                .endsWith(COMMA);
        assertThatThrownBy(() -> CsvDataset.open(file, CsvColumns.create().label("c")))
                .message()
                .endsWith(COMMA);
        Path years = write("b.csv", "2019,2020,trend\n5,3,1\n7,9,0\n");
        assertThatThrownBy(() -> CsvTable.reader().label("trend").read(years))
                .hasMessage(
                        years + ": label \"trend\": there is no such column; valid are \"last\", 1 to 3 (there is no"
                                + " header)" + HEADER);
        assertThatThrownBy(() -> CsvTable.reader().without("2019 a").read(years))
                .message()
                .endsWith(HEADER);
        assertThatThrownBy(() -> CsvDataset.open(years, CsvColumns.create().label("trend")))
                .hasMessage(years + ": there is no column \"trend\"; valid are 1 to 3 (there is no header)" + HEADER);
        assertThatThrownBy(() -> CsvDataset.open(
                        years, CsvColumns.create().label("trend").header(false)))
                .message()
                .endsWith("(there is no header)");
    }

    @Test
    void a_bad_first_row_of_a_dataset_may_be_a_header() throws IOException {
        Path file = write("a.csv", "2019,2020,trend\n5,3,1\n7,9,0\n");
        assertThatThrownBy(() -> read(CsvDataset.open(file, CsvColumns.create())))
                .message()
                .endsWith("\nthese are records 0 to 2 of the file" + HEADER);
        assertThatThrownBy(() -> read(CsvDataset.open(file, CsvColumns.create().header(false))))
                .message()
                .endsWith("\nthese are records 0 to 2 of the file");
        assertThat(CsvDataset.open(file, CsvColumns.create().header(true)).records())
                .isEqualTo(2);
    }

    @Test
    void a_header_of_a_later_file_may_be_a_row() throws IOException {
        Path first = write("a.csv", "job,city\nnurse,Rome\n");
        Path other = write("b.csv", "cook,Oslo\nnurse,Rome\n");
        assertThatThrownBy(() -> CsvDataset.open(folder, CsvColumns.create()))
                .hasMessage(other + ": must have the features of " + first
                        + ", which are job, city; was cook, Oslo; if line 1 is a row, set header(false)");
    }

    @Test
    void a_separator_of_another_file_is_named() throws IOException {
        Path first = write("a.csv", "1,2,0\n");
        Path other = write("b.csv", "1;5,2;5\n");
        write("c.csv", "1,2,0\n");
        assertThatThrownBy(() -> CsvDataset.open(List.of(first, write("d.csv", "1;2\n")), CsvColumns.create()))
                .message()
                .endsWith("must have 3 columns as in " + first
                        + ", was 2; the separator ';' was detected here and ',' there,"
                        + " separator(...) sets one for all files");
        assertThatThrownBy(() -> read(CsvDataset.open(other, CsvColumns.create())))
                .message()
                .endsWith("these are records 0 to 0 of the file" + COMMA + HEADER);
    }

    @Test
    void fields_of_no_known_separator_are_one_column() throws IOException {
        String one = "; line 1 has no comma, semicolon or tab, so the file has one column";
        Path file = write("a.csv", "a|b|y\n1|2|0\n");
        assertThatThrownBy(() -> CsvDataset.open(file, CsvColumns.create().label("y")))
                .hasMessage(
                        file + ": there is no column \"y\"; valid are 1 to 1 and the names of the header: a|b|y" + one);
        Path spaces = write("b.csv", "1 2 0\n3 4 1\n");
        assertThatThrownBy(() -> read(CsvDataset.open(spaces, CsvColumns.create())))
                .message()
                .endsWith("these are records 0 to 0 of the file" + one);
    }

    @Test
    void a_separator_at_the_end_of_each_line_gives_no_label() throws IOException {
        for (String names : new String[] {"", "a,b,y,\n"}) {
            Path file = write("a.csv", names + "1,2,0,\n3,4,1,\n");
            String end = file + ": column 4 has no name and no value, as a separator at the end of each line gives; ";
            String without = "without(\"4\") leaves this column out";
            for (CsvTableReader reader :
                    List.of(CsvTable.reader(), CsvTable.reader().skipBadRows())) {
                assertThatThrownBy(() -> reader.read(file))
                        .isInstanceOf(IOException.class)
                        .hasMessage(end + "label(...) selects the label, " + without);
            }
            assertThatThrownBy(() -> CsvTable.reader().label("3").read(file)).hasMessage(end + without);
            assertThat(CsvTable.reader().label("3").without("4").read(file).problems())
                    .isEmpty();
        }
        assertThat(CsvTable.read(write("b.csv", "a,b,\n1,2,0\n3,4,1\n")).problems())
                .isEmpty();
        assertThatThrownBy(() -> CsvTable.read(write("d.csv", "a,b,\n1,0\n2,1\n")))
                .hasMessageContaining("line 2: expected 3 fields as in line 1, found 2");
        assertThatThrownBy(() -> CsvTable.read(write("c.csv", "a,b,y\n1,2,\n3,4,\n")))
                .hasMessageContaining("line 2, column 3 (y): \"\" is empty");
    }

    @Test
    void a_separator_at_the_end_of_each_line_gives_no_feature_of_a_dataset() throws IOException {
        String end = "; a separator at the end of each line gives such a column, ";
        for (String names : new String[] {"", "a,b,y,\n"}) {
            Path file = write("a.csv", names + "1,2,0,\n3,4,1,\n");
            CsvColumns columns = CsvColumns.create().label("3");
            assertThatThrownBy(() -> read(CsvDataset.open(file, columns)))
                    .message()
                    .endsWith("records 0 to 1 of the file" + end + "without(\"4\") leaves this column out");
            assertThatThrownBy(() -> read(CsvDataset.open(file, columns.label("4"))))
                    .message()
                    .endsWith("records 0 to 1 of the file" + end + "label(...) selects another column");
            assertThat(CsvDataset.open(file, columns.missing(0)).problems())
                    .extracting(CsvProblem::toString)
                    .containsExactly("line 1, column 4: \"\" "
                            + (names.isEmpty()
                                    ? "is empty, as the last column is if each line ends with a separator; "
                                    : "is the name of the last column, as a separator at the end of each line gives; ")
                            + "without(\"4\") leaves this column out");
            assertThat(CsvDataset.open(file, columns.without("4")).problems()).isEmpty();
        }
        CsvDataset other =
                CsvDataset.open(write("b.csv", "1,,0\n"), CsvColumns.create().label("3"));
        assertThatThrownBy(() -> read(other)).hasMessageNotContaining("separator");
    }

    private static Batch read(CsvDataset dataset) throws IOException {
        int records = (int) dataset.records();
        Batch batch = new Batch(records, dataset.features(), dataset.labels(), dataset.ids(), List.of());
        dataset.read(dataset.shards().get(0).name(), 0, records, batch);
        return batch;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
