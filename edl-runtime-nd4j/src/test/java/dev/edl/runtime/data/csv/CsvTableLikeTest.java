package dev.edl.runtime.data.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableLikeTest {
    @TempDir
    Path folder;

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private CsvTable train() throws Exception {
        return CsvTable.read(
                file("train.csv", "length,width,species\n1,2,setosa\n3,4,versicolor\n5,6,virginica\n7,8,setosa\n"));
    }

    @Test
    void a_file_that_lacks_a_class_and_has_another_order_of_columns_has_the_same_indexes() throws Exception {
        CsvTable test = CsvTable.reader()
                .like(train())
                .read(file("test.csv", "species,width,id,length\nvirginica,2,9,1\nsetosa,4,8,3\n"));

        assertThat(test.classNames()).containsExactly("setosa", "versicolor", "virginica");
        assertThat(test.features()).containsExactly("length", "width");
        assertThat(test.dataset().label(0)).isEqualTo(2);
        assertThat(test.dataset().row(0)).containsExactly(1, 2);
        assertThat(test.dataset().names()).isEqualTo(train().dataset().names());
    }

    @Test
    void numeric_classes_are_those_of_the_other_table() throws Exception {
        CsvTable train = CsvTable.read(file("train.csv", "1,10\n2,20\n3,30\n"));
        CsvTable test = CsvTable.reader().like(train).read(file("test.csv", "5,30\n6,10.0\n"));

        assertThat(test.classes()).containsExactly(10L, 20L, 30L);
        assertThat(List.of(test.dataset().label(0), test.dataset().label(1))).containsExactly(2, 0);
    }

    @Test
    void a_file_of_one_class_is_read() throws Exception {
        CsvTable test = CsvTable.reader().like(train()).read(file("test.csv", "length,width,species\n1,2,virginica\n"));

        assertThat(test.dataset().label(0)).isEqualTo(2);
    }

    @Test
    void a_label_that_the_other_table_lacks_makes_its_row_bad() throws Exception {
        Path file = file("test.csv", "length,width,species\n1,2,rose\n1,2,setosa\n");

        assertThatThrownBy(() -> CsvTable.reader().like(train()).read(file))
                .isInstanceOf(BadRowsException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("is none of the classes of like(...): setosa, versicolor, virginica");
        assertThat(CsvTable.reader()
                        .like(train())
                        .skipBadRows()
                        .read(file)
                        .dataset()
                        .rows())
                .isEqualTo(1);
        Path numbers = file("numbers.csv", "1,10\n2,40\n");
        CsvTable train = CsvTable.read(file("train.csv", "1,10\n2,20\n3,30\n"));
        assertThatThrownBy(() -> CsvTable.reader().like(train).read(numbers))
                .hasMessageContaining("is none of the classes of like(...): 10, 20, 30");
    }

    @Test
    void a_file_without_a_feature_is_refused() throws Exception {
        Path file = file("test.csv", "length,species\n1,setosa\n");

        assertThatThrownBy(() -> CsvTable.reader().like(train()).read(file)).hasMessageContaining("\"width\"");
    }

    @Test
    void a_class_with_the_name_of_a_missing_value_stays_a_class() throws Exception {
        CsvTable train =
                CsvTable.reader().notMissing("None").read(file("train.csv", "x,stain\n1,None\n2,old\n3,None\n4,old\n"));
        CsvTable test = CsvTable.reader().like(train).read(file("test.csv", "x,stain\n1,old\n2,None\n"));

        assertThat(test.dataset().label(1)).isEqualTo(train.classNames().indexOf("None"));
    }

    @Test
    void a_header_that_is_not_there_leaves_features_without_names() throws Exception {
        CsvTable train = CsvTable.read(file("train.csv", "1,10\n2,20\n3,30\n"));

        assertThat(train.dataset().names().features()).isEmpty();
        assertThat(train.dataset().names().classes()).containsExactly("10", "20", "30");
    }

    @Test
    void a_header_of_numbers_is_one_in_the_other_file_too() throws Exception {
        CsvTable train = CsvTable.reader().header(true).read(file("train.csv", "0,1,2\n5,6,1\n7,8,3\n"));
        CsvTable test = CsvTable.reader().like(train).read(file("test.csv", "1,0,2\n6,5,3\n"));

        assertThat(test.dataset().row(0)).containsExactly(5, 6);
        assertThat(test.dataset().label(0)).isEqualTo(1);
    }

    @Test
    void no_advice_contradicts_the_classes_of_the_other_table() throws Exception {
        CsvTable numbers = CsvTable.read(file("train.csv", "1,10\n2,20\n3,30\n"));
        Path text = file("text.csv", "1,10\n2,rose\n");
        Path missing = file("missing.csv", "length,width,species\n1,2,?\n");

        assertThatThrownBy(() -> CsvTable.reader().like(numbers).read(text)).hasMessageNotContaining("textLabels");
        assertThatThrownBy(() -> CsvTable.reader().like(train()).read(missing)).hasMessageNotContaining("notMissing");
    }

    @Test
    void a_file_of_another_number_of_columns_is_refused_without_names() throws Exception {
        CsvTable train = CsvTable.reader().without("1").read(file("train.csv", "9,1,2,10\n9,3,4,20\n"));
        Path more = file("more.csv", "9,1,2,10,7\n");
        Path other = file("other.csv", "a;b,c,d,y\n9,1,2,10\n");

        assertThatThrownBy(() -> CsvTable.reader().like(train).read(more))
                .hasMessage(more + ": line 1: has 5 columns, but 4 are needed as in " + train.file()
                        + ", which has no header");
        assertThatThrownBy(() -> CsvTable.reader().like(train).read(other))
                .hasMessageContaining("has 2 columns, but 4 are needed")
                .hasMessageEndingWith("; the separator ';' was detected in line 1, separator(',') sets another");
        assertThat(train.columns()).isEqualTo(4);
    }

    @Test
    void a_name_of_digits_is_not_taken_for_a_number() throws Exception {
        CsvTable train = CsvTable.reader().header(true).read(file("train.csv", "1,2,3\n5,6,1\n7,8,3\n"));
        Path features = file("features.csv", "2,0,3\n6,5,3\n");
        Path label = file("label.csv", "2,1,0\n6,5,3\n");

        assertThatThrownBy(() -> CsvTable.reader().like(train).read(features))
                .hasMessage(features + ": there is no column \"1\"; valid are 1 to 3 and the names of the header: 2, 0,"
                        + " 3");
        assertThatThrownBy(() -> CsvTable.reader().like(train).read(label))
                .hasMessageContaining("there is no column \"3\"");
        assertThat(CsvTable.reader()
                        .like(train)
                        .features("1")
                        .label("3")
                        .read(file("test.csv", "3,1,0\n1,5,3\n"))
                        .dataset()
                        .row(0))
                .containsExactly(5);
    }
}
