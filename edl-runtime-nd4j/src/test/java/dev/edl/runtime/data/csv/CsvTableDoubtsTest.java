package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data that a table loses although it is valid: numbers and classes that collapse, and a first line that may be a row.
 */
class CsvTableDoubtsTest {
    private static final long SEED = 42;

    @TempDir
    Path folder;

    @Test
    void numbers_that_collapse_to_one_float_are_reported() throws IOException {
        StringBuilder rows = new StringBuilder("id,temperature,time,kind\n");
        for (int i = 0; i < 60; i++) {
            rows.append("%d,%d.5,%d,%d\n".formatted(16_777_200 + i, i, 1_700_000_000_000L + 2_000L * i, i % 2));
        }
        Path file = file(rows.toString());
        // Floats are 2 apart from 2^24 on and 131072 apart at 1.7e12; 1700000038912 is 12969971 * 131072.
        assertThat(CsvTable.read(file).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 19, column 1 (id): \"16777217\" becomes the 32-bit float 16777216, as 16777216 of line"
                                + " 18 does; subtract a common offset from the numbers of this column",
                        "line 3, column 3 (time): \"1700000002000\" becomes the 32-bit float 1700000038912, as"
                                + " 1700000000000 of line 2 does; subtract a common offset from the numbers of this"
                                + " column");
        assertThat(CsvTable.read(file))
                .hasToString(
                        "CsvTable[" + file + ": 60 rows, 3 features, label \"kind\" with 2 classes, comma, header]");
    }

    @Test
    void rounding_and_chance_are_not_told() throws IOException {
        Random random = new Random(SEED);
        StringBuilder rows = new StringBuilder("0.1,0.3,0\n0.10,0.30000000000000004,1\n1e-1,0.3,1\n");
        for (int i = 0; i < 50_000; i++) {
            rows.append("%d,%s,%d\n".formatted(i, random.nextDouble(), i % 2));
        }
        assertThat(CsvTable.read(file(rows.toString())).problems())
                .as("seed %d", SEED)
                .isEmpty();
    }

    @Test
    void a_column_that_becomes_one_float_is_refused() throws IOException {
        Path file = file("1,1700000000001,0\n2,1700000000002,1\n3,1700000000003,1\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": line 2, column 2: \"1700000000002\" becomes the 32-bit float 1700000038912, as"
                        + " 1700000000001 of line 1 does; subtract a common offset from the numbers of this column;"
                        + " all 3 rows have this float, so the column distinguishes no rows");
        assertThat(CsvTable.read(file("1,7,0\n2,7.0,1\n")).problems()).isEmpty();
    }

    @Test
    void differently_written_equal_labels_are_reported() throws IOException {
        Path file = file("1,01\n2,1\n3,2\n4,1\n5,2.0\n");
        CsvTable table = CsvTable.read(file);
        assertThat(table.classes()).containsExactly(1L, 2L);
        assertThat(table.problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 2, column 2: \"1\" is one class with \"01\", since both are the number 1; textLabels()"
                                + " keeps them apart",
                        "line 5, column 2: \"2.0\" is one class with \"2\", since both are the number 2; textLabels()"
                                + " keeps them apart");
        assertThat(table.skipped()).isEmpty();
        assertThat(CsvTable.reader().textLabels().read(file).problems()).isEmpty();
        assertThat(CsvTable.read(file("1,K\ufffdln\n2,Bonn\n")).problems())
                .extracting(CsvProblem::toString)
                .containsExactly("line 1, column 2: \"K\ufffdln\" contains U+FFFD, because an earlier conversion lost a"
                        + " character; labels that differed in it are now one class");
    }

    @Test
    void a_header_that_may_be_a_row_is_reported() throws IOException {
        Path file = file("?,?,setosa\n5,3,setosa\n7,3,other\n");
        assertThat(CsvTable.read(file).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 1, column 3 (setosa): \"setosa\" names the column, but is also the label of rows;"
                                + " header(false) reads line 1 as a row, header(true) as names");
        assertThat(CsvTable.reader().header(true).read(file).problems()).isEmpty();
    }

    @Test
    void a_row_that_may_be_a_header_is_reported() throws IOException {
        Path file = file("2019,2020,trend\n5,3,up\n7,9,up\n6,2,down\n4,1,down\n");
        assertThat(CsvTable.read(file).problems())
                .extracting(CsvProblem::toString)
                .containsExactly("line 1, column 3: \"trend\" is read as the label of a row, but no other row has it;"
                        + " header(true) reads line 1 as names, header(false) as a row");
        assertThat(CsvTable.reader().header(false).read(file).problems()).isEmpty();
        assertThat(CsvTable.read(file("0,1,2\n5,3,2\n7,9,4\n6,2,4\n")).problems())
                .extracting(CsvProblem::toString)
                .containsExactly("line 1, column 3: \"2\" is read as the label of a row, but the line looks like"
                        + " column numbers; header(true) reads line 1 as names, header(false) as a row");
    }

    @Test
    void a_header_of_column_numbers_is_no_row() throws IOException {
        // pandas.DataFrame(rows).to_csv(index=False)
        Path file = file("0,1,2\n5,6,0\n7,8,1\n9,8,0\n1,2,1\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": line 1: 0, 1, 2 are column numbers and not a row, because no other row has this"
                        + " label; set header(true), or header(false) if it is a row");
        assertThat(CsvTable.reader().header(false).read(file).dataset().rows()).isEqualTo(5);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text);
    }
}
