package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of one dataset whose columns differ. */
class CsvDatasetFilesTest {
    @TempDir
    Path folder;

    private CsvDataset open(CsvColumns columns, String... texts) throws IOException {
        for (int i = 0; i < texts.length; i++) {
            Files.writeString(folder.resolve("part-" + i + ".csv"), texts[i]);
        }
        return CsvDataset.open(folder, columns);
    }

    @Test
    void columns_that_are_selected_by_number_have_one_name_in_all_files() {
        CsvColumns numbers = CsvColumns.create().features("1", "2").label("3");
        assertThatThrownBy(() -> open(numbers, "a,b,y\n1,2,0\n", "b,a,y\n2,1,0\n"))
                .hasMessageContaining("part-1.csv: column 1 must be \"a\" as in")
                .hasMessageContaining("was \"b\"; select columns by their names; if line 1 is a row");
        assertThatThrownBy(() -> open(CsvColumns.create().features("a").label("3"), "a,b,y\n1,2,0\n", "a,y,b\n1,0,2\n"))
                .hasMessageContaining("column 3 must be \"y\"");
        assertThatThrownBy(() -> open(
                        CsvColumns.create().features("x").hashedIds(10, "2", "3"),
                        "x,job,city\n1,a,b\n",
                        "x,city,job\n1,b,a\n"))
                .hasMessageContaining("column 2 must be \"job\"");
    }

    @Test
    void columns_that_are_selected_by_name_may_have_another_order() throws Exception {
        CsvColumns names = CsvColumns.create().features("a", "b").label("y");

        assertThat(open(names, "a,b,y\n1,2,0\n", "y,b,a\n0,2,1\n").records()).isEqualTo(2);
    }

    @Test
    void files_with_headers_are_compared_also_behind_a_file_without_one() {
        CsvColumns numbers = CsvColumns.create().label("3");

        assertThatThrownBy(() -> open(numbers, "2,1,0\n", "a,b,y\n2,1,0\n", "b,a,y\n1,2,0\n"))
                .hasMessageContaining("part-2.csv: column 1 must be \"a\"");
    }

    @Test
    void a_file_without_a_header_has_the_columns_of_the_others() throws Exception {
        CsvColumns numbers = CsvColumns.create().features("1", "2").label("3");
        assertThat(open(numbers, "a,b,y\n1,2,0\n", "1,2,0\n").records()).isEqualTo(2);
        Files.delete(folder.resolve("part-1.csv"));

        assertThatThrownBy(() -> open(numbers, "a,b,y\n1,2,0\n", "0,1,2,0\n"))
                .hasMessageContaining("part-1.csv: without a header, it must have 3 columns as in")
                .hasMessageContaining("was 4");
        assertThatThrownBy(() -> open(numbers, "1,2,0\n", "1,2,0,9\n"))
                .hasMessage(folder.resolve("part-1.csv") + ": without a header, it must have 3 columns as in "
                        + folder.resolve("part-0.csv")
                        + ", was 4");
    }

    @Test
    void a_label_is_no_feature_and_no_id() {
        assertThatThrownBy(() -> open(CsvColumns.create().features("a", "y").label("y"), "a,y\n1,0\n"))
                .hasMessageContaining("column 2 is a label, so it can be no feature and no id");
        assertThatThrownBy(
                        () -> open(CsvColumns.create().features("a").label("y").ids("y"), "a,y\n1,0\n"))
                .hasMessageContaining("column 2 is a label");
    }
}
