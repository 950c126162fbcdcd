package dev.edl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.IdHash;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of all types and uses, and those that a use does not allow. */
class ColumnDecoderTest {
    private static final String LISTS = "optional group v (LIST) { repeated group list { optional double element; } }";

    @TempDir
    Path folder;

    @Test
    void numbers_of_all_types_become_features() throws IOException {
        Path file = file(
                "required boolean b; required int32 i; required int32 u (INTEGER(32,false));"
                        + " required int64 l; required int64 w (INTEGER(64,false)); required float f; required double d;"
                        + " required int32 p (DECIMAL(9,2)); required int64 q (DECIMAL(18,2));"
                        + " required fixed_len_byte_array(4) r (DECIMAL(9,1)); required int32 t (INTEGER(8,true));",
                1,
                (row, i) -> row.append("b", true)
                        .append("i", -3)
                        .append("u", -1)
                        .append("l", -4L)
                        .append("w", 7L)
                        .append("f", 0.5f)
                        .append("d", 2.5)
                        .append("p", -150)
                        .append("q", 275L)
                        .append("r", Binary.fromConstantByteArray(new byte[] {-1, -1, -1, -5}))
                        .append("t", 9));
        Batch batch =
                read(file, 1, ParquetColumns.create().features("b", "i", "u", "l", "w", "f", "d", "p", "q", "r", "t"));
        assertThat(batch.features()).containsExactly(1, -3, 4.2949673E+9f, -4, 7, 0.5f, 2.5f, -1.5f, 2.75f, -0.5f, 9);
    }

    @Test
    void ids_are_whole_numbers_or_hashed_and_missing_ones_are_minus_1() throws IOException {
        Path file = file(
                "optional int64 a; optional double b; optional binary c (STRING); optional int32 d;", 3, (row, i) -> {
                    if (i == 0) {
                        row.append("a", 1L << 60)
                                .append("b", 3.0)
                                .append("c", " NA ")
                                .append("d", 12);
                    } else if (i == 1) {
                        row.append("b", Double.NaN).append("c", " ");
                    }
                });
        Batch batch = read(file, 3, ParquetColumns.create().ids("a", "b").hashedIds(1L << 62, "c", "d"));
        assertThat(batch.ids())
                .containsExactly(
                        1L << 60,
                        3,
                        IdHash.of(2, "NA", 1L << 62),
                        IdHash.of(3, "12", 1L << 62),
                        -1,
                        -1,
                        -1,
                        -1,
                        -1,
                        -1,
                        -1,
                        -1);
    }

    @Test
    void a_missing_feature_gets_the_value_that_is_set_and_is_an_error_otherwise() throws IOException {
        Path file = file("optional float x; optional double y;", 3, (row, i) -> {
            if (i == 0) {
                row.append("x", 1f).append("y", 2.0);
            } else if (i == 1) {
                row.append("x", Float.NaN);
            }
        });
        ParquetColumns columns = ParquetColumns.create().features("x", "y");
        assertThat(read(file, 3, columns.missing(-9)).features()).containsExactly(1, 2, -9, -9, -9, -9);
        refused(file, 3, columns, 1, "column \"x\" is missing; missing(0) gives missing features a value");
    }

    @Test
    void labels_are_classes_or_numbers_and_never_missing() throws IOException {
        Path file = file("required float x; optional binary y (STRING); optional int64 z;", 3, (row, i) -> {
            row.append("x", 0f);
            if (i < 2) {
                row.append("y", i == 0 ? "high" : "low").append("z", (1L << 24) - i);
            }
        });
        ParquetColumns columns = ParquetColumns.create().features("x");
        ParquetColumns classes = columns.label("y", "low", "high");
        refused(file, 3, classes, 2, "column \"y\" is missing");
        refused(file, 3, columns.label("y", "low"), 0, "column \"y\" is \"high\", not one of the classes [low]");
        refused(
                file,
                3,
                columns.labels("z"),
                0,
                "column \"z\" is 16777216, but whole numbers from 16,777,216 on are no labels, because a float would"
                        + " change them");
        Path two = file(
                "required float x; required binary y (STRING); required int64 z;",
                2,
                (row, i) ->
                        row.append("x", 0f).append("y", i == 0 ? "high" : "low").append("z", (1L << 24) - 1 - i));
        assertThat(read(two, 2, classes).labels()).containsExactly(1, 0);
        assertThat(read(two, 2, columns.labels("z")).labels()).containsExactly(16777215, 16777214);
    }

    @Test
    void lists_of_one_width_become_features() throws IOException {
        Path file = file(LISTS + " required float x; repeated int32 old;", 3, (row, i) -> {
            row.append("x", 9f).append("old", i).append("old", -i);
            if (i < 2) {
                row.addGroup("v").addGroup("list").append("element", i + 0.5);
                Group second = row.getGroup("v", 0).addGroup("list");
                if (i == 0) {
                    second.append("element", 7.0);
                }
            }
        });
        ParquetColumns columns =
                ParquetColumns.create().list("v", 2).features("x").list("old", 2);
        assertThat(read(file, 3, columns.missing(-1)).features())
                .containsExactly(0.5f, 7, 9, 0, 0, 1.5f, -1, 9, 1, -1, -1, -1, 9, 2, -2);
        assertThat(columns.recordNames().features()).containsExactly("v[0]", "v[1]", "x", "old[0]", "old[1]");
        refused(file, 3, columns, 1, "column \"v\" is missing; missing(0) gives missing features a value");
        refused(
                file,
                3,
                ParquetColumns.create().list("old", 3),
                0,
                "column \"old\" must have 3 values in its list, found 2");
        refused(
                file,
                3,
                ParquetColumns.create().list("old", 1),
                0,
                "column \"old\" must have 1 values in its list, found 2");
    }

    @Test
    void an_empty_list_is_not_a_missing_one() throws IOException {
        Path file = file(LISTS, 1, (row, i) -> row.addGroup("v"));
        refused(
                file,
                1,
                ParquetColumns.create().list("v", 2).missing(0),
                0,
                "column \"v\" must have 2 values in its list, found 0");
    }

    @Test
    void values_that_no_float_or_id_can_hold_are_refused() throws IOException {
        Path file = file(
                "required double x; required int64 w (INTEGER(64,false));",
                1,
                (row, i) -> row.append("x", 1e300).append("w", -1L));
        refused(
                file,
                1,
                ParquetColumns.create().features("x"),
                0,
                "column \"x\" is 1.0E300, which is not a finite 32-bit float");
        refused(
                file,
                1,
                ParquetColumns.create().ids("x"),
                0,
                "column \"x\" is 1.0E300, which is not a whole number, for example 3");
        refused(
                file,
                1,
                ParquetColumns.create().ids("w"),
                0,
                "column \"w\" is 18446744073709551615, above the largest 64-bit number 9223372036854775807");
    }

    @Test
    void a_column_that_lacks_or_has_another_type_is_refused_when_the_file_is_opened() throws IOException {
        Path file = file(
                LISTS + " required binary s (STRING); required int64 t (TIMESTAMP(MILLIS,true));"
                        + " required group g { required float x; }",
                0,
                (row, i) -> {});
        ParquetColumns none = ParquetColumns.create();
        notOpened(file, none.features("age"), "has no column \"age\"; has \"v\", \"s\", \"t\", \"g\"");
        notOpened(
                file,
                none.features("s"),
                "column \"s\" has the type required binary s (STRING); must have numbers or booleans; hashedIds and"
                        + " label with classes read texts");
        notOpened(
                file,
                none.features("t"),
                "column \"t\" has the type required int64 t (TIMESTAMP(MILLIS,true)); must have numbers or booleans;"
                        + " hashedIds and label with classes read texts");
        notOpened(
                file,
                none.hashedIds(9, "t"),
                "column \"t\" has the type required int64 t (TIMESTAMP(MILLIS,true)); must have texts, whole numbers or"
                        + " booleans");
        notOpened(
                file,
                none.features("g"),
                "column \"g\" has the nested type required group g { ... }; must have numbers or texts, or lists of"
                        + " numbers");
        notOpened(file, none.features("v"), "column \"v\" has lists; list(\"v\", 64) reads lists of 64 numbers");
        notOpened(file, none.ids("v"), "column \"v\" has lists; only features can be lists");
        notOpened(
                file,
                none.list("s", 3),
                "column \"s\" has the type required binary s (STRING), not lists; features(\"s\") reads it");
    }

    @Test
    void settings_that_contradict_are_refused() {
        ParquetColumns none = ParquetColumns.create();
        assertThatThrownBy(() -> none.list("v", 0))
                .hasMessage("list \"v\" needs a width of at least 1, for example 64, was 0");
        assertThatThrownBy(() -> none.hashedIds(0, "v"))
                .hasMessage("ids need at least 1 bucket, for example 1000000, was 0");
        assertThatThrownBy(() -> none.missing(Float.NaN))
                .hasMessage("the value of a missing feature must be finite, for example 0, was NaN");
        assertThatThrownBy(() -> none.label("y", "a", "a"))
                .hasMessage("label \"y\": each class must be given once, was [a, a]; for example \"low\", \"high\"");
        assertThatThrownBy(() -> none.label("y", "a").labels("z"))
                .hasMessage("labels [z]: label(...) with classes must be the only label");
        assertThatThrownBy(() -> none.labels("z").label("y", "a"))
                .hasMessage("label \"y\" must be the only label; labels(...) adds several of numbers");
    }

    private Path file(String fields, int rows, BiConsumer<Group, Integer> fill) throws IOException {
        return ParquetFiles.write(folder.resolve("f.parquet"), fields, rows, fill);
    }

    private static Batch read(Path file, int rows, ParquetColumns columns) throws IOException {
        ParquetDataset dataset = ParquetDataset.open(List.of(file), columns);
        Batch batch = new Batch(rows, dataset.features(), dataset.labels(), dataset.ids(), List.of());
        dataset.read("f.parquet#0", 0, rows, batch);
        return batch;
    }

    private static void refused(Path file, int rows, ParquetColumns columns, long record, String problem) {
        assertThatThrownBy(() -> read(file, rows, columns))
                .isInstanceOf(RecordDecodeException.class)
                .hasMessage(file + ": record " + record + ": " + problem);
    }

    private static void notOpened(Path file, ParquetColumns columns, String problem) {
        assertThatThrownBy(() -> ParquetDataset.open(file, columns))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": " + problem);
    }
}
