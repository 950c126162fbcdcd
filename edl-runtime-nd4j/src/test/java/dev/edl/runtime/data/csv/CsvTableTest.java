package dev.edl.runtime.data.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableTest {
    private static final long SEED = 42;

    @TempDir
    Path folder;

    @Test
    void a_table_without_a_header_has_its_label_last() throws IOException {
        CsvTable table = CsvTable.read(file("5.1,3.5,0\n7,-.5e1,1\n"));
        assertThat(table.header()).isFalse();
        assertThat(table.features()).containsExactly("column 1", "column 2");
        assertThat(table.label()).isEqualTo("column 3");
        assertThat(table.dataset().row(0)).containsExactly(5.1f, 3.5f);
        assertThat(table.dataset().row(1)).containsExactly(7, -5);
        assertThat(labels(table)).containsExactly(0, 1);
    }

    @Test
    void a_first_line_without_numbers_is_the_header() throws IOException {
        Path file = file("length,width,species\n5.1,3.5,0\n7,3,1\n");
        assertThat(CsvTable.read(file))
                .hasToString(
                        "CsvTable[" + file + ": 2 rows, 2 features, label \"species\" with 2 classes, comma, header]");
    }

    @Test
    void labels_become_classes_in_ascending_order() throws IOException {
        CsvTable table = CsvTable.read(file("1,30\n2,-5\n3,7\n4,30\n"));
        assertThat(table.classes()).containsExactly(-5L, 7L, 30L);
        assertThat(labels(table)).containsExactly(2, 0, 1, 2);
    }

    @Test
    void labels_that_are_texts_become_classes_in_ascending_order() throws IOException {
        CsvTable table = CsvTable.read(file("""
            sepal_length,petal_length,species
            5.1,1.4,setosa
            7.0,4.7, versicolor
            6.3,6.0,"virginica"
            4.9,1.4,setosa
            """));
        assertThat(table.classNames()).containsExactly("setosa", "versicolor", "virginica");
        assertThat(table.classes()).containsExactly(0L, 1L, 2L);
        assertThat(labels(table)).containsExactly(0, 1, 2, 0);
        assertThat(labels(CsvTable.read(file("1,b\n2,B\n3,a\n")))).containsExactly(2, 0, 1);
    }

    @Test
    void numbers_have_names_too() throws IOException {
        assertThat(CsvTable.read(file("1,30\n2,-5.0\n")).classNames()).containsExactly("-5", "30");
    }

    @Test
    void a_number_among_texts_needs_text_labels() throws IOException {
        Path file = file("1,low\n2,high\n3,7\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(BadRowsException.class)
                .hasMessage(file + ": 2 of 3 rows are bad:\n"
                        + "  line 1, column 2: \"low\" is not a whole number; a label must be one, for"
                        + " example 3\n"
                        + "  line 2, column 2: \"high\" is not a whole number; a label must be one, for"
                        + " example 3\n"
                        + "correct them, or read the rest with skipBadRows(); textLabels() reads each label as a"
                        + " class name; if line 1 names the columns, set header(true)");
        assertThat(CsvTable.reader().textLabels().read(file).classNames()).containsExactly("7", "high", "low");
    }

    @Test
    void text_labels_keep_numbers_as_texts() throws IOException {
        CsvTable table = CsvTable.reader().textLabels().read(file("1,01\n2,1\n3,1.5\n"));
        assertThat(table.classNames()).containsExactly("01", "1", "1.5");
    }

    @Test
    void an_empty_or_missing_text_is_a_bad_row() throws IOException {
        Path file = file("1,low\n2,\n3,NaN\n4,high\n");
        assertThat(CsvTable.reader().skipBadRows().read(file).problems())
                .containsExactly(
                        new CsvProblem(2, 2, "", "", "is empty; a label must name a class"),
                        new CsvProblem(3, 2, "", "NaN", "is a missing value; a label must name a class"));
    }

    @Test
    void texts_that_differ_in_most_rows_are_no_classes() throws IOException {
        StringBuilder rows = new StringBuilder("height,name\n");
        for (int i = 10; i < 40; i++) {
            rows.append(i).append(",person ").append(i).append('\n');
        }
        Path file = file(rows.toString());
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        file + ": the label \"name\" has 30 different texts in 30 rows (person 10, person 11, person"
                                + " 12, …), so they are not class names; label(...) selects another column");
    }

    @Test
    void a_label_may_be_written_as_a_decimal_when_it_is_whole() throws IOException {
        CsvTable table = CsvTable.read(file("1,1.000e+00\n2,2.\n3,0e99\n4,0.0\n"));
        assertThat(table.classes()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void the_label_is_chosen_by_name() throws IOException {
        CsvTable table = CsvTable.reader().label("kind").read(file("kind,a,b\n1,2,3\n0,5,6\n"));
        assertThat(table.features()).containsExactly("a", "b");
        assertThat(table.dataset().row(1)).containsExactly(5, 6);
        assertThat(table.classes()).containsExactly(0L, 1L);
    }

    @Test
    void the_label_is_chosen_by_number_from_1() throws IOException {
        CsvTable table = CsvTable.reader().label("2").read(file("1.5,1,3\n2.5,0,6\n"));
        assertThat(table.dataset().row(0)).containsExactly(1.5f, 3);
    }

    @Test
    void an_unknown_label_lists_the_columns() throws IOException {
        Path named = file("a,b,c\n1,2,3\n");
        assertThatThrownBy(() -> CsvTable.reader().label("d").read(named))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        named + ": label \"d\": there is no such column; valid are \"last\", 1 to 3 and the names of"
                                + " the header: a, b, c");
        Path unnamed = file("1,2,3\n");
        assertThatThrownBy(() -> CsvTable.reader().label("4").read(unnamed))
                .hasMessage(unnamed + ": label \"4\": there is no such column; valid are \"last\", 1 to 3 (there is no"
                        + " header)");
    }

    @Test
    void a_selected_column_has_a_name_of_its_own() throws IOException {
        Path file = file("a,b,a\n1,2,3\n4,5,6\n");
        String twice =
                file + ": line 1: columns 1 and 3 have the name \"a\"; give each column its own name, for example"
                        + " \"a.3\"";
        for (CsvTableReader reader : List.of(
                CsvTable.reader(),
                CsvTable.reader().label("a"),
                CsvTable.reader().label("b").features("a"),
                CsvTable.reader().label("b").without("1"))) {
            assertThatThrownBy(() -> reader.read(file))
                    .as("%s", reader)
                    .isInstanceOf(IOException.class)
                    .hasMessage(twice + "; if line 1 is a row, set header(false)");
        }
        assertThatThrownBy(() -> CsvTable.reader().header(true).read(file)).hasMessage(twice);
        Path unused = file("a,a,b,y\n1,2,3,0\n4,5,6,1\n");
        CsvTable table = CsvTable.reader().without("1", "2").read(unused);
        assertThat(CsvTable.reader().like(table).read(unused).features()).containsExactly("b");
    }

    @Test
    void semicolons_and_tabs_are_found() throws IOException {
        assertThat(CsvTable.read(file("1;2;0\n3;4;1\n")).separator()).isEqualTo(';');
        assertThat(CsvTable.read(file("\"a;b\"\tc\td\n1\t2\t0\n3\t4\t1\n")).separator())
                .isEqualTo('\t');
        assertThat(CsvTable.read(file("\"a;b\",c,d\n1,2,0\n3,4,1\n")).separator())
                .isEqualTo(',');
    }

    @Test
    void a_separator_that_is_given_is_not_searched_for() throws IOException {
        Path file = file("a;b,c\n1,0\n2,1\n");
        assertThat(CsvTable.reader().separator(',').read(file).features()).containsExactly("a;b");
    }

    @Test
    void marks_line_ends_blank_lines_and_quotes_are_accepted() throws IOException {
        CsvTable table = CsvTable.read(
                file("\uFEFF\"first, of two\",second,y\r\n\r\n\"1.5\", 2 ,\"0\"\r\n   \r\n3, \"4\",1\r\n\r\n"));
        assertThat(table.features()).containsExactly("first, of two", "second");
        assertThat(table.dataset().row(0)).containsExactly(1.5f, 2);
        assertThat(table.dataset().row(1)).containsExactly(3, 4);
    }

    @Test
    void a_gzip_file_is_read_as_what_it_holds() throws IOException {
        Path file = folder.resolve("digits.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("1,0\n2,1\n".getBytes(UTF_8));
        }
        assertThat(CsvTable.read(file).dataset()).hasToString("ArrayDataset[digits: 2 rows, 1 features, 2 classes]");
    }

    @Test
    void a_gzip_file_that_is_cut_off_is_named() throws IOException {
        Path file = file("1,0\n2,1\n3,0\n");
        Path zipped = folder.resolve("cut.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            Files.copy(file, out);
        }
        Files.write(zipped, Arrays.copyOf(Files.readAllBytes(zipped), 16));
        assertThatThrownBy(() -> CsvTable.read(zipped))
                .isInstanceOf(IOException.class)
                .hasMessage(zipped + ": cannot be read as a gzip file: Unexpected end of ZLIB input stream");
    }

    @Test
    void a_gzip_file_without_content_is_named() throws IOException {
        Path zipped = folder.resolve("cut.csv.gz");
        Files.write(zipped, new byte[] {0x1f, (byte) 0x8b, 8});
        assertThatThrownBy(() -> CsvTable.read(zipped))
                .isInstanceOf(IOException.class)
                .hasMessage(zipped + ": cannot be read as a gzip file: it ends in the middle");
    }

    @Test
    void every_bad_value_is_reported_with_line_column_and_rule() throws IOException {
        Path file = file("a,b,kind\n1,2,0\n\nx,NaN,1.5\n3,,1\n4,5\n1e39,0x10,9223372036854775808\n6,7,1\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOfSatisfying(
                        BadRowsException.class,
                        e -> assertThat(e.problems())
                                .extracting(CsvProblem::toString)
                                .containsExactly(
                                        "line 4, column 1 (a): \"x\" is not a number, for example 1.5",
                                        "line 4, column 2 (b): \"NaN\" is not finite; must be a finite number, for"
                                                + " example 1.5",
                                        "line 4, column 3 (kind): \"1.5\" is not a whole number; a label must be one,"
                                                + " for example 3",
                                        "line 5, column 2 (b): \"\" is empty; must be a number, for example 1.5",
                                        "line 6: expected 3 fields as in line 1, found 2",
                                        "line 7, column 1 (a): \"1e39\" is too large; at most 3.4028235e38 fits a"
                                                + " 32-bit float",
                                        "line 7, column 2 (b): \"0x10\" is not a number, for example 1.5",
                                        "line 7, column 3 (kind): \"9223372036854775808\" is too large; a label must"
                                                + " fit 64 bits, for example 3"))
                .hasMessage(file + ": 4 of 6 rows are bad:\n"
                        + "  line 4, column 1 (a): \"x\" is not a number, for example 1.5 (and 2 more in this line)\n"
                        + "  line 5, column 2 (b): \"\" is empty; must be a number, for example 1.5\n"
                        + "  line 6: expected 3 fields as in line 1, found 2\n"
                        + "  line 7, column 1 (a): \"1e39\" is too large; at most 3.4028235e38 fits a 32-bit float (and"
                        + " 2 more in this line)\n"
                        + "correct them, or read the rest with skipBadRows()");
    }

    @Test
    void at_most_20_bad_rows_are_listed_and_all_are_counted() throws IOException {
        Path file = file("1,0\n2,1\n" + "x,1\n".repeat(25));
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOfSatisfying(
                        BadRowsException.class, e -> assertThat(e.problems()).hasSize(25))
                .message()
                .startsWith(file + ": 25 of 27 rows are bad:\n  line 3, column 1: \"x\" is not a number")
                .contains("\n  line 22, ")
                .doesNotContain("line 23")
                .endsWith("\n  and 5 more rows\ncorrect them, or read the rest with skipBadRows()");
    }

    @Test
    void skip_bad_rows_lists_skipped_rows() throws IOException {
        Path file = file("1,0\nx,1\n2,1\n3\n");
        CsvTable table = CsvTable.reader().skipBadRows().read(file);
        assertThat(table.dataset().rows()).isEqualTo(2);
        assertThat(table.problems())
                .containsExactly(
                        new CsvProblem(2, 1, "", "x", "is not a number, for example 1.5"),
                        CsvProblem.ofRow(4, "expected 2 fields as in line 1, found 1"));
        assertThat(table.toString()).endsWith("no header, 2 bad rows skipped]");
    }

    @Test
    void a_file_of_bad_rows_only_is_rejected() throws IOException {
        Path file = file("a,b\nx,1\n");
        assertThatThrownBy(() -> CsvTable.reader().skipBadRows().read(file))
                .isInstanceOf(BadRowsException.class)
                .hasMessage(file + ": 1 of 1 row is bad:\n"
                        + "  line 2, column 1 (a): \"x\" is not a number, for example 1.5\n"
                        + "no row is left to read");
    }

    @Test
    void a_mixed_first_line_is_a_row_by_default() throws IOException {
        // The iris.csv that scikit-learn ships starts with counts and class names.
        Path file = file("150,4,setosa,versicolor\n1,2,3,0\n4,5,6,1\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(BadRowsException.class)
                .message()
                .endsWith("correct them, or read the rest with skipBadRows(); if line 1 names the columns, set"
                        + " header(true)");
        assertThat(CsvTable.reader().header(true).read(file).dataset().rows()).isEqualTo(2);
    }

    @Test
    void a_numeric_header_is_skipped_with_header_true() throws IOException {
        CsvTable table = CsvTable.reader().header(true).read(file("0,1,2\n5,6,0\n7,8,1\n"));
        assertThat(table.features()).containsExactly("0", "1");
        assertThat(table.dataset().rows()).isEqualTo(2);
    }

    @Test
    void an_empty_file_is_named() throws IOException {
        for (String nothing : new String[] {"", "\n", " \n\n", "\uFEFF"}) {
            Path file = file(nothing);
            assertThatThrownBy(() -> CsvTable.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + ": is empty; must have rows of numbers, for example 5.1,3.5,0");
        }
    }

    @Test
    void other_encodings_are_rejected_like_in_the_dataset() throws IOException {
        for (String text : new String[] {"1,M\u00fcller\n", "1,\u00fc\u00fc\n", "1,caf\u00e9"}) {
            Path file = Files.write(folder.resolve("data.csv"), ("x,y\r\n2,a\r\n" + text).getBytes(ISO_8859_1));
            assertThatThrownBy(() -> CsvTable.read(file))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .message()
                    .matches(".*data.csv: line 3, at byte 1\\d: is not UTF-8 text; save it as UTF-8")
                    .isEqualTo(catchThrowable(() ->
                                    CsvDataset.open(file, CsvColumns.create().hashedIds(10, "y")))
                            .getMessage());
        }
    }

    @Test
    void invalid_utf_8_is_located_anywhere() throws IOException {
        byte[] bytes = "1,0\n2,1\n".repeat(10_000).getBytes(UTF_8);
        bytes[79_998] = (byte) 0xe9;
        Path zipped = folder.resolve("long.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(bytes);
        }
        assertThatThrownBy(() -> CsvTable.read(zipped))
                .isInstanceOf(IOException.class)
                .hasMessage(zipped + ": line 20000, at byte 79999: is not UTF-8 text; save it as UTF-8");
    }

    @Test
    void a_truncated_gzip_file_is_reported() throws IOException {
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append(random.nextInt()).append(',').append(i % 2).append('\n');
        }
        Path zipped = folder.resolve("cut.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(text.toString().getBytes(UTF_8));
        }
        Files.write(zipped, Arrays.copyOf(Files.readAllBytes(zipped), 50_000));
        assertThatThrownBy(() -> CsvTable.read(zipped))
                .isInstanceOf(IOException.class)
                .hasMessage(zipped + ": cannot be read as a gzip file: Unexpected end of ZLIB input stream");
    }

    @Test
    void utf_16_is_named() throws IOException {
        Path file = Files.writeString(folder.resolve("data.csv"), "\uFEFF1,0\n", UTF_16LE);
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": is UTF-16 text; save it as UTF-8");
    }

    @Test
    void a_header_alone_is_named() throws IOException {
        Path file = file("a,b\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": has a header but no row");
    }

    @Test
    void one_column_is_not_enough() throws IOException {
        Path file = file("5|1\n6|0\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": line 1: must have at least one feature and a label, separated by comma,"
                        + " semicolon or tab; found one column: \"5|1\"");
    }

    @Test
    void one_class_is_not_enough() throws IOException {
        Path named = file("a,kind\n1,3\n2,3\n");
        assertThatThrownBy(() -> CsvTable.read(named))
                .isInstanceOf(IOException.class)
                .hasMessage(named + ": must have at least two classes, but the label \"kind\" is 3 in every row");
        Path unnamed = file("1,3\n");
        assertThatThrownBy(() -> CsvTable.read(unnamed))
                .hasMessage(unnamed + ": must have at least two classes, but the label in column 2 is 3 in every row");
    }

    @Test
    void a_misplaced_quote_is_reported_with_its_line() throws IOException {
        Path file = file("1,0\n\"2\"x,1\n");
        assertThatThrownBy(() -> CsvTable.read(file))
                .isInstanceOf(IOException.class)
                .message()
                .startsWith(file + ": cannot be read as CSV: ")
                .contains("line 2");
    }

    @Test
    void a_quote_that_is_never_closed_is_refused_as_in_the_dataset() throws IOException {
        for (String text : new String[] {
            "x,y\n1,a\n2,\"b\n3,a\n4,b\n",
            "x,y\n1,0\n2,1\n3,\"0\n4,1\n",
            "x,y\r\n1,a\r\n2,b\r\n\"3,a",
            "\"x,y\n1,a\n2,b\n",
            "x,y\n1,a\n2,\"b\"\"\n3,a\n",
            "x,y\n1,a\n2,b\n\"",
            "x,y\n1,a\nc\n2,b\n3,\""
        }) {
            Path file = file(text);
            String told = catchThrowable(
                            () -> CsvDataset.open(file, CsvColumns.create().hashedIds(10, "1")))
                    .getMessage();
            assertThat(told).as(text).matches("(?s).*: line \\d: a quote that this record opens is never closed");
            assertThatThrownBy(() -> CsvTable.read(file))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessage(told);
            assertThatThrownBy(() -> CsvTable.reader().skipBadRows().read(file))
                    .as(text)
                    .hasMessage(told);
        }
    }

    @Test
    void a_blank_line_is_blank_in_both_readers() throws IOException {
        Path file = file("x,y\n1,0\n\u0001 \n2,1\n");
        assertThat(CsvTable.read(file).dataset().rows()).isEqualTo(2);
        assertThat(CsvDataset.open(file, CsvColumns.create()).records()).isEqualTo(2);
        Path wide = file("x,y\n1,0\n\u3000\n2,1\n");
        assertThatThrownBy(() -> CsvTable.read(wide))
                .hasMessageContaining("line 3: expected 2 fields as in line 1, found 1");
        assertThat(CsvDataset.open(wide, CsvColumns.create()).records()).isEqualTo(3);
    }

    @Test
    void the_separator_line_of_excel_is_refused_in_both_readers() throws IOException {
        for (String line : new String[] {"sep=;", "\"sep=;\"", "SEP=;", "sep=,", "sep=\t", "sep=|"}) {
            Path file = file("\ufeff" + line + "\r\nx;y\r\n1;0\r\n2;1\r\n");
            String sign = line.contains(";") ? ";" : line.contains(",") ? "," : "\\t";
            String text = line.replace("\"", "").strip();
            String told =
                    file + ": line 1: \"" + text + "\" sets the separator for Excel and is not a row; delete this line"
                            + " and "
                            + (line.contains("|")
                                    ? "separate the fields by comma, semicolon or tab"
                                    : "set separator('" + sign + "')");
            assertThatThrownBy(() -> CsvTable.read(file)).hasMessage(told);
            assertThatThrownBy(() -> CsvDataset.open(file, CsvColumns.create())).hasMessage(told);
        }
    }

    @Test
    void a_missing_file_and_a_directory_are_named() {
        Path missing = folder.resolve("none.csv");
        assertThatThrownBy(() -> CsvTable.read(missing))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(missing + ": there is no such CSV file");
        assertThatThrownBy(() -> CsvTable.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + ": is a directory; name one CSV file");
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> CsvTable.reader().separator('|'))
                .hasMessage("the separator must be a comma, a semicolon or a tab, was \"|\"");
        assertThatThrownBy(() -> CsvTable.reader().label(" "))
                .hasMessage("the label column must not be blank, for example \"last\", \"species\" or \"5\"");
        assertThat(CsvTable.reader().label("y").separator(';').header(false).skipBadRows())
                .hasToString("CsvTableReader[label y, separator \";\", no header, bad rows skipped]");
    }

    private static int[] labels(CsvTable table) {
        int[] labels = new int[table.dataset().rows()];
        Arrays.setAll(labels, table.dataset()::label);
        return labels;
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text);
    }
}
