package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Doubts about valid data: numbers and classes that collapse, a first line that may be a row, and columns that are no
 * measurement.
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
        Path file = file("?,NA,setosa\n5,3,setosa\n7,3,other\n");
        assertThat(CsvTable.read(file).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 1, column 3 (setosa): \"setosa\" names the column, but is also the label of rows;"
                                + " header(true) reads line 1 as names, header(false) as a row");
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
    void a_header_with_numbers_is_reported() throws IOException {
        String both = "; header(true) reads line 1 as names, header(false) as a row";
        // The class "down" has only one row, too.
        assertThat(problems("2019,2020,trend\n5,3,up\n7,9,up\n6,2,down\n"))
                .containsExactly("is read as the label of a row, but no other row has it" + both);
        assertThat(problems("2019,2020,2021\n5,3,1\n7,9,1\n6,2,0\n4,1,0\n3,3,0\n"))
                .containsExactly("is read as the label of a row, but no other row has it" + both);
        Path years = file("2019,2020,trend\n5,3,1\n7,9,0\n");
        String text = "line 1, column 3: \"trend\" is read as a cell of a %srow, but the rows below have numbers in its"
                + " column" + both;
        assertThat(CsvTable.reader().skipBadRows().read(years).problems())
                .extracting(CsvProblem::toString)
                .last()
                .isEqualTo(text.formatted("bad "));
        assertThat(CsvTable.reader().textLabels().read(years).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(text.formatted(""));
        assertThat(CsvTable.reader().label("1").without("3").read(years).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(text.formatted(""));
        assertThat(CsvTable.reader()
                        .label("1")
                        .without("3")
                        .header(false)
                        .read(years)
                        .problems())
                .isEmpty();
        CsvColumns hashed = CsvColumns.create().hashedIds(9, "3");
        assertThat(CsvDataset.open(years, hashed).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(text.formatted(""));
        assertThat(CsvDataset.open(years, hashed.header(false)).problems()).isEmpty();
        assertThat(CsvDataset.open(years, hashed.header(true)).problems()).isEmpty();
    }

    @Test
    void a_row_of_texts_and_numbers_is_no_header() throws IOException {
        CsvColumns hashed = CsvColumns.create().hashedIds(9, "2");
        // A hash of hexadecimal digits may have no letter, but not in each row.
        Path hashes = file("1,68fd1e64\n2,12345678\n3,05db9164\n");
        assertThat(CsvDataset.open(hashes, hashed).problems()).isEmpty();
        Path empty = file("1,NA\n2,5\n3,6\n");
        assertThat(CsvDataset.open(empty, hashed).problems()).isEmpty();
        assertThat(problems("1,5,a\n2,6,b\n3,7,a\n4,8,b\n")).isEmpty();
        assertThat(problems("1,5,0\n2,6,1\n3,5,1\n")).isEmpty();
        CsvTable train = CsvTable.read(file("1,5,a\n2,6,b\n3,7,a\n4,8,b\n"));
        assertThat(CsvTable.reader()
                        .like(train)
                        .read(file("1,5,a\n2,6,b\n3,7,b\n"))
                        .problems())
                .isEmpty();
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

    @Test
    void a_column_without_a_name_is_reported() throws IOException {
        // R: write.csv(table, "data.csv"); pandas: table.to_csv("data.csv")
        for (String name : new String[] {"\"\"", ""}) {
            Path file = file(name + ",length,kind\n\"1\",5.1,b\n\"2\",4.9,a\n\"3\",4.7,b\n");
            assertThat(CsvTable.read(file).problems())
                    .extracting(CsvProblem::toString)
                    .containsExactly("line 1, column 1: \"\" is no name of a measurement; R's write.csv and pandas'"
                            + " to_csv write row numbers without a name; without(\"1\") leaves this column out");
            for (CsvTableReader reader : List.of(
                    CsvTable.reader().without("1"),
                    CsvTable.reader().without(""),
                    CsvTable.reader().features("length"))) {
                CsvTable table = reader.read(file);
                assertThat(table.features()).containsExactly("length");
                assertThat(table.dataset().row(1)).containsExactly(4.9f);
                assertThat(table.problems()).isEmpty();
            }
        }
        // pandas.DataFrame(rows).to_csv("data.csv"): the name "1" is that of the third column.
        Path numbered = file(",0,1,2\n0,5,7,0\n1,6,9,1\n2,6,8,0\n");
        CsvTableReader reader = CsvTable.reader().header(true);
        assertThat(reader.read(numbered).problems())
                .extracting(CsvProblem::problem)
                .first()
                .asString()
                .endsWith("; without(\"\") leaves this column out");
        assertThat(reader.without("").read(numbered).features()).containsExactly("0", "1");
    }

    @Test
    void columns_of_ids_constants_and_labels_are_reported() throws IOException {
        StringBuilder rows = new StringBuilder("seq,PassengerId,length,zero,one,code,kind\n");
        int[] shuffled = {3, 1, 6, 2, 5, 4};
        for (int i = 0; i < 6; i++) {
            rows.append("%d,%d,%d.5,0,1.0,%d,%s\n"
                    .formatted(100 + shuffled[i], 7 * i * i, i * i, 3 + i % 2, i % 2 == 0 ? "a" : "b"));
        }
        Path file = file(rows.toString());
        assertThat(CsvTable.read(file).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 2, column 4 (zero): \"0\" is the value of all rows, so the column distinguishes no rows;"
                                + " without(\"zero\", \"one\") leaves these 2 columns out",
                        "line 2, column 6 (code): \"3\" occurs with one class only, as each value of the column does,"
                                + " so the column may be the label itself; without(\"code\") leaves this column out",
                        "line 2, column 1 (seq): \"103\" is a row number or an id, because the column has consecutive"
                                + " whole numbers, each once; without(\"seq\") leaves this column out",
                        "line 1, column 2 (PassengerId): \"PassengerId\" is the name of a row number or an id, which is"
                                + " no measurement; without(\"PassengerId\") leaves this column out");
        CsvTable table = CsvTable.reader()
                .without("zero", "one", "code", "seq", "PassengerId")
                .read(file);
        assertThat(table.features()).containsExactly("length");
        assertThat(table.problems()).isEmpty();
        assertThat(CsvTable.reader().features("code", "seq").read(file).problems())
                .isEmpty();
    }

    @Test
    void near_copies_of_the_label_are_reported() throws IOException {
        StringBuilder classes = new StringBuilder("x,setosa,virginica,third,code,kind\n");
        String[] kinds = {"setosa", "virginica", "versicolor"};
        for (int i = 0; i < 9; i++) {
            int kind = i % 3;
            classes.append("%d,%d,%s,%d,%d,%s\n"
                    .formatted(
                            i * i, kind == 0 ? 1 : 0, kind == 1 ? "2.5" : "-1", kind / 2, 7 - 3 * kind, kinds[kind]));
        }
        assertThat(CsvTable.read(file(classes.toString())).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 2, column 5 (code): \"7\" occurs with one class only, as each value of the column does, so"
                                + " the column may be the label itself; without(\"code\") leaves this column out",
                        "line 2, column 2 (setosa): \"1\" is one of two values that separate a class from the others;"
                                + " these columns separate all classes, so they may be the label itself;"
                                + " without(\"setosa\", \"virginica\", \"third\") leaves these 3 columns out");
        // Celsius, rounded, beside Fahrenheit: no class has two rows on average.
        StringBuilder values = new StringBuilder("humid,celsius,near,fahrenheit\n");
        for (int i = 0; i < 30; i++) {
            int fahrenheit = 10 + i * i;
            values.append("%d,%.3f,%d,%d\n".formatted(i % 4, (fahrenheit - 32) / 1.8, fahrenheit + i % 2, fahrenheit));
        }
        assertThat(CsvTable.read(file(values.toString())).problems())
                .extracting(CsvProblem::toString)
                .element(1)
                .isEqualTo(
                        "line 2, column 2 (celsius): \"-12.222\" is the label times a number plus a number, as in all"
                                + " rows, so the column may be the label itself; without(\"celsius\") leaves this column out");
    }

    @Test
    void columns_that_separate_some_classes_are_no_copy_of_the_label() throws IOException {
        // As in a table of animals: only birds have feathers, but no column separates fish from reptiles.
        assertThat(problems("""
                feathers,eggs,kind
                1,1,bird
                0,0,mammal
                0,1,fish
                0,1,reptile
                1,1,bird
                0,0,mammal
                0,1,fish
                0,1,reptile
                """)).isEmpty();
    }

    @Test
    void measurements_are_not_reported() throws IOException {
        Path file = file("""
            width,humid,acid,valid,months,kind
            1,1,3,2,1,0
            2,0,3,1,2,1
            3,1,3,1,3,0
            4,0,3.5,2,4,1
            5,1,3,1,5,0
            7,0,3,2,5,1
            8,0,3,2,6,0
            """);
        assertThat(CsvTable.read(file).problems()).isEmpty();
    }

    @Test
    void columns_that_are_left_out_may_have_any_text() throws IOException {
        Path file = file("name,b,a,kind\nAnn,1,5,x\n,2,6,y\nBob,3,7,x\n");
        CsvTable table = CsvTable.reader().features("a", "2").read(file);
        assertThat(table.features()).containsExactly("a", "b");
        assertThat(table.dataset().row(1)).containsExactly(6, 2);
        assertThat(CsvTable.reader().features("a", "b").without("a").read(file).features())
                .containsExactly("b");
        assertThat(CsvTable.reader().without("name").features("b"))
                .hasToString("CsvTableReader[label last, features [b] without [name]]");
    }

    @Test
    void a_selection_that_cannot_be_is_refused() throws IOException {
        Path file = file("a,b,kind\n1,2,x\n3,4,y\n");
        assertThatThrownBy(() -> CsvTable.reader().without("c").read(file))
                .hasMessage(
                        file + ": there is no column \"c\"; valid are 1 to 3 and the names of the header: a, b, kind");
        assertThatThrownBy(() -> CsvTable.reader().without("kind").read(file))
                .hasMessage(
                        file + ": without(\"kind\"): this column is selected as a label or an id, and only a feature"
                                + " can be left out");
        assertThatThrownBy(() -> CsvTable.reader().features("a", "kind").read(file))
                .hasMessage(
                        file + ": features(...): column 3 is the label \"kind\"; label(...) selects another column");
        assertThatThrownBy(() -> CsvTable.reader().without("a", "b").read(file))
                .hasMessage(file
                        + ": must have at least one feature beside the label \"kind\", but all columns are left out");
        assertThatThrownBy(() -> CsvTable.reader().features())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("features must name at least one column, for example features(\"length\")");
    }

    @Test
    void a_dataset_has_the_doubts_of_the_header() throws IOException {
        Path file = file(",id,length,kind\n1,7,5.1,0\n2,9,4.9,1\n");
        CsvColumns columns = CsvColumns.create().label("kind");
        assertThat(CsvDataset.open(file, columns).problems())
                .extracting(CsvProblem::toString)
                .containsExactly(
                        "line 1, column 1: \"\" is no name of a measurement; R's write.csv and pandas' to_csv write row"
                                + " numbers without a name; without(\"1\") leaves this column out",
                        "line 1, column 2 (id): \"id\" is the name of a row number or an id, which is no measurement;"
                                + " without(\"id\") leaves this column out");
        CsvDataset dataset = CsvDataset.open(file, columns.without("1", "id"));
        assertThat(dataset.features()).isEqualTo(1);
        assertThat(dataset.problems()).isEmpty();
        assertThat(CsvDataset.open(file, columns.features("1")).problems()).isEmpty();
        assertThat(CsvDataset.open(file, columns.ids("id").without("1")).problems())
                .isEmpty();
        assertThat(columns.without("1"))
                .hasToString("CsvColumns[features all others without [1], labels [kind], ids []]");
        Path numbers = file("0,1,2\n5,6,0\n7,8,1\n");
        assertThat(CsvDataset.open(numbers, CsvColumns.create()).problems())
                .extracting(CsvProblem::toString)
                .containsExactly("line 1, column 1: \"0\" is read as a cell of a row, but the line looks like column"
                        + " numbers; header(true) reads line 1 as names, header(false) as a row");
        assertThat(CsvDataset.open(numbers, CsvColumns.create().header(false)).problems())
                .isEmpty();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text);
    }

    private List<String> problems(String text) throws IOException {
        return CsvTable.read(file(text)).problems().stream()
                .map(CsvProblem::problem)
                .toList();
    }

    @Test
    void labels_that_differ_only_in_case_or_space_are_reported() throws IOException {
        assertThat(problems("a,b,y\n1,2,Yes\n1,3,no\n2,2,yes\n2,3,no\u00a0\n"))
                .containsExactly(
                        "is another class than \"Yes\", from which it differs only in case or space",
                        "is another class than \"no\", from which it differs only in case or space");
    }

    @Test
    void a_label_with_a_line_end_is_reported() throws IOException {
        assertThat(problems("a,b,y\n1,3,\"q\n1,4,p\n1,4,q\"\n2,4,p\n"))
                .containsExactly("contains a line end, as rows between two stray quotes do");
    }

    @Test
    void numeric_labels_that_differ_in_most_rows_are_reported() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,price\n");
        for (int i = 0; i < 30; i++) {
            rows.append("%d,%d,%d\n".formatted(i % 3, i % 4, 1000 + i));
        }
        assertThat(problems(rows.toString()))
                .containsExactly(
                        "is one of 30 different numbers in 30 rows, so the label may be a value or an id and no"
                                + " class; label(...) selects another column, and CsvDataset reads values");
    }

    @Test
    void row_numbers_with_gaps_are_known_by_their_names() throws IOException {
        for (String name : List.of("Unnamed: 0.1", "...1", "level_0", "S.No", "SNo", "No.", "#", "_c0", "id_student")) {
            assertThat(problems("a," + name + ",y\n1,4,p\n1,9,q\n2,7,p\n2,1,q\n"))
                    .as(name)
                    .singleElement()
                    .asString()
                    .contains("without(\"" + name + "\")");
        }
    }

    @Test
    void a_decimal_comma_is_named() {
        assertThatThrownBy(() -> CsvTable.read(file("a;b;y\n1,5;2,5;x\n1;2;z\n")))
                .hasMessageContaining("is not a number; its decimal comma must be a point, for example 1.5");
    }
}
