package dev.edl.runtime.data.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.IdHash;
import dev.edl.runtime.model.Batch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvDatasetTest {
    private static final long SEED = 42;

    @TempDir
    Path folder;

    @Test
    void columns_are_found_by_name_and_by_number() throws IOException {
        Path file = write("a.csv", "age,job,income,city,hours\n33,nurse,high,Rome,40\n51, cook ,low,,35.5\n");
        CsvColumns columns = CsvColumns.create()
                .features("5", "age")
                .hashedIds(1_000, "job", "city")
                .label("income", "low", "high");
        CsvDataset dataset = CsvDataset.open(file, columns);
        assertThat(dataset.shards()).containsExactly(new DataShard("a.csv", 2));
        assertThat(dataset).hasToString("CsvDataset[1 shards, 2 records of 2 features, 1 labels and 2 ids]");
        Batch batch = read(dataset, "a.csv", 0, 2);
        assertThat(batch.features()).containsExactly(40, 33, 35.5f, 51);
        assertThat(batch.labels()).containsExactly(1, 0);
        // FNV-1a and fmix64 in Python over index and text; "cook" without its spaces, and no id for an empty city.
        assertThat(batch.ids()).containsExactly(638, 757, 990, -1);
        assertThat(columns).hasToString("CsvColumns[features [5, age], labels [income], ids [job, city]]");
    }

    @Test
    void unless_told_all_other_columns_are_features() throws IOException {
        Path file = write("a.csv", "1;2;3;4\n5;6;7;8\n");
        Batch batch = read(CsvDataset.open(file, CsvColumns.create().ids("2").labels("4")), "a.csv", 0, 2);
        assertThat(batch.features()).containsExactly(1, 3, 5, 7);
        assertThat(batch.ids()).containsExactly(2, 6);
        assertThat(batch.labels()).containsExactly(4, 8);
        assertThat(read(CsvDataset.open(file, CsvColumns.create().features().ids("1")), "a.csv", 1, 2)
                        .ids())
                .containsExactly(5);
    }

    @Test
    void a_directory_has_a_shard_per_file_and_any_column_order() throws IOException {
        write("b.csv", "y,x\n1,2\n");
        write("a.csv", "x,y\n3,4\n5,6\n");
        CsvDataset dataset =
                CsvDataset.open(folder, CsvColumns.create().features("x").label("y"));
        assertThat(dataset.shards()).containsExactly(new DataShard("a.csv", 2), new DataShard("b.csv", 1));
        assertThat(read(dataset, "b.csv", 0, 1).features()).containsExactly(2);
        assertThat(read(dataset, "a.csv", 1, 2).labels()).containsExactly(6);
    }

    @Test
    void default_features_follow_the_first_file() throws IOException {
        write("a.csv", "age,hours,y\n1,10,0\n");
        write("b.csv", "y,hours,age\n1,20,2\n");
        CsvDataset dataset = CsvDataset.open(folder, CsvColumns.create().label("y"));
        assertThat(read(dataset, "a.csv", 0, 1).features()).containsExactly(1, 10);
        assertThat(read(dataset, "b.csv", 0, 1).features()).containsExactly(2, 20);
        assertThat(read(dataset, "b.csv", 0, 1).labels()).containsExactly(1);
    }

    @Test
    void different_column_names_are_rejected_unless_unnamed() throws IOException {
        Path first = write("a.csv", "age,hours,y\n1,10,0\n");
        Path other = write("b.csv", "age,height,y\n2,20,1\n");
        CsvColumns columns = CsvColumns.create().label("3");
        assertThatThrownBy(() -> CsvDataset.open(List.of(first, other), columns))
                .isInstanceOf(IOException.class)
                .hasMessage(other + ": must have the features of " + first + ", which are age, hours; was age, height");
        Path part = write("c.csv", "3,30,1\n");
        Path twice = write("d.csv", "x,x,y\n4,40,1\n");
        assertThat(read(CsvDataset.open(List.of(first, part), columns), "c.csv", 0, 1)
                        .features())
                .containsExactly(3, 30);
        Path same = write("e.csv", "x,x,y\n5,50,1\n");
        assertThat(read(CsvDataset.open(List.of(twice, same), columns), "e.csv", 0, 1)
                        .features())
                .containsExactly(5, 50);
    }

    @Test
    void quotes_marks_blank_lines_and_line_ends_are_read() throws IOException {
        String text = "\ufeffname,x\r\n\r\n\"a\r\nb \"\"c\"\"\",1\r\n  \r\n \"d,e\" ,2\rf\"g,3\n\n\"\",4";
        CsvDataset dataset = CsvDataset.open(
                write("a.csv", text), CsvColumns.create().features("x").hashedIds(1L << 62, "name"));
        Batch batch = read(dataset, "a.csv", 0, 4);
        assertThat(batch.features()).containsExactly(1, 2, 3, 4);
        assertThat(batch.ids())
                .containsExactly(
                        IdHash.of(0, "a\r\nb \"c\"", 1L << 62),
                        IdHash.of(0, "d,e", 1L << 62),
                        IdHash.of(0, "f\"g", 1L << 62),
                        -1);
    }

    @Test
    void any_range_of_a_long_file_is_read_from_the_nearest_offset() throws IOException {
        StringBuilder text = new StringBuilder("x,text\n");
        for (int i = 0; i < 3_000; i++) {
            text.append(i).append(i % 7 == 0 ? ",\"two\nlines\"\n" : ",one\n").append(i % 100 == 0 ? "\n" : "");
        }
        CsvDataset dataset = CsvDataset.open(
                write("a.csv", text.toString()), CsvColumns.create().features("x"));
        assertThat(dataset.records()).isEqualTo(3_000);
        for (int start : new int[] {2_999, 0, 254, 255, 256, 511, 1_024, 2_047}) {
            int end = Math.min(3_000, start + 300);
            float[] read = read(dataset, "a.csv", start, end).features();
            for (int i = start; i < end; i++) {
                assertThat(read[i - start]).isEqualTo(i);
            }
        }
    }

    @Test
    void a_range_reads_its_own_part_of_the_file_only() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            text.append(i).append(",").append("9".repeat(20)).append('\n');
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        CsvIndex index = CsvIndex.of(Path.of("a.csv"), new ByteArrayInputStream(bytes), 0, ',');
        assertThat(index.records()).isEqualTo(100_000);
        // Line 76,801 is where record 76,800 = 300 * 256 starts; the lines before it have 21 bytes and their digits.
        assertThat(index.line(76_900)).isEqualTo(76_801);
        assertThat(index.offset(76_900)).isEqualTo(76_800L * 22 + 10 + 90 * 2 + 900 * 3 + 9_000 * 4 + 66_800 * 5);
    }

    @Test
    void the_index_agrees_with_the_parser_on_random_files() throws IOException {
        String[] parts = {"\"", "\"\"", ",", "\n", "\r\n", "\r", " ", "a", "é", "\t", "1", "\"b\"", "\"c\nd\""};
        Random random = new Random(SEED);
        int compared = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            List<String> expected = new ArrayList<>();
            try (CsvReader<CsvRecord> records = CsvReader.builder()
                    .skipEmptyLines(true)
                    .allowExtraFields(true)
                    .allowMissingFields(true)
                    .trimWhitespacesAroundQuotes(true)
                    .ofCsvRecord(text.toString())) {
                for (CsvRecord record : records) {
                    List<String> fields = record.getFields();
                    if (fields.size() > 1 || !fields.get(0).chars().allMatch(c -> c <= ' ')) {
                        expected.add("line " + record.getStartingLineNumber());
                    }
                }
            } catch (CsvParseException e) {
                continue;
            }
            try {
                byte[] bytes = text.toString().getBytes(UTF_8);
                CsvIndex index = CsvIndex.of(Path.of("a"), new ByteArrayInputStream(bytes), 0, ',');
                assertThat(index.records())
                        .as("seed %d, round %d: <%s>", SEED, round, text)
                        .isEqualTo(expected.size());
                if (!expected.isEmpty()) {
                    assertThat("line " + index.line(0))
                            .as("seed %d, round %d: <%s>", SEED, round, text)
                            .isEqualTo(expected.get(0));
                }
                compared++;
            } catch (IOException e) {
                // The parser lets the end of the file close a quote; the index is stricter.
                assertThat(e).hasMessageEndingWith(": a quote that this record opens is never closed");
            }
        }
        assertThat(compared).isGreaterThan(5_000);
    }

    @Test
    void a_missing_number_is_an_error_or_the_default() throws IOException {
        Path file = write("a.csv", "x,y\n1,\n ,4\n");
        CsvDataset strict = CsvDataset.open(file, CsvColumns.create());
        assertThatThrownBy(() -> read(strict, "a.csv", 0, 2))
                .isInstanceOf(BadRowsException.class)
                .hasMessage(file + ": 2 of 2 rows are bad:\n"
                        + "  line 2, column 2 (y): \"\" is empty; must be a number, for example 1.5\n"
                        + "  line 3, column 1 (x): \" \" is empty; must be a number, for example 1.5\n"
                        + "these are records 0 to 1 of the file");
        CsvDataset filled = CsvDataset.open(file, CsvColumns.create().missing(-7));
        assertThat(read(filled, "a.csv", 0, 2).features()).containsExactly(1, -7, -7, 4);
    }

    @Test
    void bad_cells_are_named_with_file_line_and_column() throws IOException {
        Path file = write("a.csv", "x,id,label\n1,2,yes\n\"2\n\",3,no\nabc,4.5,maybe\n1,2\n");
        CsvColumns columns = CsvColumns.create().ids("id").label("label", "no", "yes");
        CsvDataset dataset = CsvDataset.open(file, columns);
        assertThat(read(dataset, "a.csv", 0, 2).labels()).containsExactly(1, 0);
        assertThatThrownBy(() -> read(dataset, "a.csv", 1, 4))
                .isInstanceOf(BadRowsException.class)
                .hasMessage(file + ": 2 of 3 rows are bad:\n"
                        + "  line 5, column 1 (x): \"abc\" is not a number, for example 1.5 (and 2 more in this line)\n"
                        + "  line 6: expected 3 fields as in line 1, found 2\n"
                        + "these are records 1 to 3 of the file");
        assertThatThrownBy(() ->
                        read(CsvDataset.open(file, CsvColumns.create().ids("id").features()), "a.csv", 2, 3))
                .hasMessageContaining("line 5, column 2 (id): \"4.5\" is not a 64-bit whole number, for example 3;"
                        + " hashedIds accepts any text");
        assertThatThrownBy(() -> read(
                        CsvDataset.open(
                                file,
                                CsvColumns.create()
                                        .hashedIds(9, "id")
                                        .features()
                                        .label("3", "no", "yes")),
                        "a.csv",
                        2,
                        3))
                .hasMessageContaining("line 5, column 3 (label): \"maybe\" is not one of the classes [no, yes]");
    }

    @Test
    void columns_that_are_not_there_are_named() throws IOException {
        Path file = write("a.csv", "x,y,x\n1,2,3\n");
        assertThatThrownBy(() -> CsvDataset.open(file, CsvColumns.create().label("z")))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": there is no column \"z\"; valid are 1 to 3 and the names of the header: x, y, x");
        assertThatThrownBy(() -> CsvDataset.open(file, CsvColumns.create().label("x")))
                .hasMessage(file + ": column \"x\": the header names two of them, 1 and 3; give the number of one");
        assertThatThrownBy(() ->
                        CsvDataset.open(file, CsvColumns.create().header(false).features("4")))
                .hasMessage(file + ": there is no column \"4\"; valid are 1 to 3 (there is no header)");
        assertThatThrownBy(() ->
                        CsvDataset.open(file, CsvColumns.create().features().label("y")))
                .hasMessage(file + ": must have a column of features or ids beside the labels");
    }

    @Test
    void classes_do_not_merge_without_a_word() throws IOException {
        Path file = write("a.csv", "x,y\n1,16777215\n2,16777216\n3,16777217.0\n");
        CsvDataset numbers = CsvDataset.open(file, CsvColumns.create().labels("y"));
        assertThat(read(numbers, "a.csv", 0, 1).labels()).containsExactly(16_777_215);
        assertThat(read(numbers, "a.csv", 2, 3).labels()).containsExactly(16_777_216);
        assertThatThrownBy(() -> read(numbers, "a.csv", 1, 2))
                .hasMessageContaining(
                        "line 3, column 2 (y): \"16777216\" is too large; a class must be less than 16777216, which a"
                                + " 32-bit float holds exactly, and a value has a decimal point, for example 16777217.0");
        assertThatThrownBy(() -> CsvColumns.create().label("y", "low", "high", "low"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("label \"y\": each class must be given once, was [low, high, low]; for example \"low\","
                        + " \"high\"");
    }

    @Test
    void a_class_label_in_the_first_line_is_no_header() throws IOException {
        Path file = write("a.csv", "nurse,low\ncook,high\n");
        CsvColumns columns = CsvColumns.create().hashedIds(1_000, "1").features();
        assertThatThrownBy(() -> CsvDataset.open(file, columns.label("2", "low", "high")))
                .isInstanceOf(IOException.class)
                .hasMessage(file
                        + ": line 1: has no number, so it would name the columns, but column 2 is \"low\", one of the"
                        + " classes [low, high]; header(false) reads it as a row, header(true) as names");
        assertThat(CsvDataset.open(file, columns.label("2", "low", "high").header(false))
                        .records())
                .isEqualTo(2);
        assertThat(CsvDataset.open(file, columns.label("low", "low", "high")).records())
                .isEqualTo(1);
    }

    @Test
    void files_that_do_not_fit_together_are_refused() throws IOException {
        Path a = write("a.csv", "1,2\n");
        Path b = write("b.csv", "1,2,3\n");
        assertThatThrownBy(() -> CsvDataset.open(folder, CsvColumns.create()))
                .isInstanceOf(IOException.class)
                .hasMessage(b + ": without a header, it must have 2 columns as in " + a + ", was 3");
    }

    @Test
    void empty_gzip_and_badly_quoted_files_are_rejected() throws IOException {
        Path empty = write("empty.csv", "\n \n");
        assertThatThrownBy(() -> CsvDataset.open(empty, CsvColumns.create()))
                .hasMessage(empty + ": is empty; must have rows, for example 5.1,3.5,0");
        Path gzip = Files.write(folder.resolve("a.csv.gz"), new byte[] {0x1f, (byte) 0x8b, 8});
        assertThatThrownBy(() -> CsvDataset.open(gzip, CsvColumns.create()))
                .hasMessage(gzip + ": is a gzip file, which cannot be read from the middle; decompress it, read it"
                        + " into memory with CsvTable, or write it to RecordIO files with SpooledDataset");
        Path open = write("open.csv", "1,2\n3,\"4\n");
        assertThatThrownBy(() -> CsvDataset.open(open, CsvColumns.create()))
                .hasMessage(open + ": line 2: a quote that this record opens is never closed");
        Path after = write("after.csv", "1,2\n3,\"4\"5\n");
        assertThatThrownBy(() -> CsvDataset.open(after, CsvColumns.create()))
                .hasMessage(
                        after + ": line 2: a closing quote must be followed by the separator or the end of the line;"
                                + " a quote within a quoted field is written twice");
    }

    @Test
    void a_spark_output_folder_is_opened() throws IOException {
        write("_SUCCESS", "");
        write("._SUCCESS.crc", "crc");
        write(".part-00000.csv.crc", "crc");
        write("part-00000.csv", "");
        write("part-00001.csv", "\ufeff\n");
        write("part-00002.csv", "a,b,y\n1,2,0\n3,4,1\n");
        write("part-00003.csv", "a,b,y\n");
        CsvDataset dataset =
                CsvDataset.open(folder, CsvColumns.create().features("a", "b").label("y"));
        assertThat(dataset.shards())
                .containsExactly(
                        new DataShard("part-00000.csv", 0),
                        new DataShard("part-00001.csv", 0),
                        new DataShard("part-00002.csv", 2),
                        new DataShard("part-00003.csv", 0));
        assertThat(read(dataset, "part-00002.csv", 0, 2).features()).containsExactly(1, 2, 3, 4);
        dataset.read("part-00000.csv", 0, 0, new Batch(1, 2, 1));
        assertThatThrownBy(() -> dataset.read("part-00000.csv", 0, 1, new Batch(1, 2, 1)))
                .hasMessage(folder.resolve("part-00000.csv") + ": range [0, 1) is outside its 0 records");
    }

    @Test
    void a_folder_without_records_is_rejected() throws IOException {
        write("_SUCCESS", "");
        assertThatThrownBy(() -> CsvDataset.open(folder, CsvColumns.create()))
                .hasMessage(folder + ": there is no CSV file in this directory; names that start with a dot or _ are"
                        + " ignored: _SUCCESS");
        Path empty = write("part-00000", "");
        write("part-00001", "");
        assertThatThrownBy(() -> CsvDataset.open(folder, CsvColumns.create()))
                .hasMessage(empty + ": is empty; must have rows, for example 5.1,3.5,0");
    }

    @Test
    void text_of_another_encoding_is_refused() throws IOException {
        for (String text : List.of("M\u00fcller", "\u00fc\u00fc", "caf\u00e9")) {
            Path file = Files.write(folder.resolve("a.csv"), ("x\n" + text).getBytes(ISO_8859_1));
            assertThatThrownBy(() -> CsvDataset.open(file, CsvColumns.create().hashedIds(10, "x")))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(".*a.csv: line 2, at byte \\d: is not UTF-8 text; save it as UTF-8");
        }
    }

    @Test
    void what_is_utf_8_is_what_the_jdk_decodes() {
        Random random = new Random(SEED);
        byte[] edges = {
            0, 0x7f, -0x80, -0x71, -0x70, -0x61, -0x60, -0x41, -0x40, -0x3e, -0x21, -0x20, -0x13, -0x10, -0xc
        };
        for (int run = 0; run < 100_000; run++) {
            byte[] bytes = new byte[1 + random.nextInt(4)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = edges[random.nextInt(edges.length)];
            }
            Utf8Check check = new Utf8Check();
            boolean valid = true;
            for (byte b : bytes) {
                valid &= check.accepts(b);
            }
            assertThat(valid && !check.within())
                    .as("seed %s: %s", SEED, Arrays.toString(bytes))
                    .isEqualTo(Arrays.equals(new String(bytes, UTF_8).getBytes(UTF_8), bytes));
        }
    }

    @Test
    void a_file_that_changes_while_it_is_read_is_refused() throws IOException {
        Path file = write("a.csv", "1,2\n3,4\n");
        CsvDataset dataset = CsvDataset.open(file, CsvColumns.create());
        write("a.csv", "1,2\n");
        assertThatThrownBy(() -> read(dataset, "a.csv", 0, 1))
                .hasMessage(file + ": had 8 bytes when it was opened, has 4; a file must not change while it is read");
    }

    @Test
    void an_unknown_shard_and_a_range_beyond_the_end_are_refused() throws IOException {
        Path file = write("a.csv", "1,2\n3,4\n");
        CsvDataset dataset = CsvDataset.open(file, CsvColumns.create());
        assertThatThrownBy(() -> read(dataset, "b.csv", 0, 1))
                .hasMessage(
                        "there is no shard \"b.csv\" in CsvDataset[1 shards, 2 records of 2 features, 0 labels and 0"
                                + " ids]; shards() has the valid names");
        assertThatThrownBy(() -> read(dataset, "a.csv", 1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(file + ": range [1, 3) is outside its 2 records");
    }

    private static Batch read(CsvDataset dataset, String shard, long start, long end) throws IOException {
        Batch batch = new Batch((int) (end - start), dataset.features(), dataset.labels(), dataset.ids(), List.of());
        dataset.read(shard, start, end, batch);
        return batch;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
