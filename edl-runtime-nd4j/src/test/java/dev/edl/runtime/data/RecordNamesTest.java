package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordNamesTest {
    private static final RecordNames DATA =
            new RecordNames(List.of("length", "width"), List.of("setosa", "versicolor", "virginica"));
    private static final String ADVICE =
            "; CsvTable.reader().like(table) reads a file with the features and classes of another table";

    private static List<String> differences(List<String> features, List<String> classes) {
        return new RecordNames(features, classes).differences("validation", DATA, "data");
    }

    @Test
    void the_same_names_and_the_first_classes_agree() {
        assertThat(differences(DATA.features(), DATA.classes())).isEmpty();
        assertThat(differences(DATA.features(), List.of("setosa", "versicolor")))
                .isEmpty();
    }

    @Test
    void unknown_names_agree_with_all() {
        assertThat(differences(List.of(), List.of())).isEmpty();
        assertThat(DATA.differences("validation", RecordNames.UNKNOWN, "data")).isEmpty();
    }

    @Test
    void features_in_another_order_and_other_features_differ() {
        assertThat(differences(List.of("width", "length"), List.of()))
                .containsExactly("validation has the features of data in another order: feature 0 is \"width\" and not"
                        + " \"length\"" + ADVICE);
        assertThat(differences(List.of("length", "height"), List.of()))
                .containsExactly(
                        "validation has other features than data: feature 1 is \"height\" and not \"width\"" + ADVICE);
        assertThat(differences(List.of("length"), List.of()))
                .containsExactly(
                        "validation has other features than data: feature 1 is missing and not \"width\"" + ADVICE);
    }

    @Test
    void a_class_with_another_index_and_an_unseen_class_differ() {
        assertThat(differences(List.of(), List.of("setosa", "virginica")))
                .containsExactly("validation has other classes than data: class 1 is \"virginica\" and not"
                        + " \"versicolor\"" + ADVICE);
        assertThat(differences(List.of(), List.of("setosa", "versicolor", "virginica", "rose")))
                .containsExactly(
                        "validation has other classes than data: class 3 is \"rose\" and not missing" + ADVICE);
    }

    @Test
    void names_are_read_as_they_were_written() {
        RecordNames odd = new RecordNames(List.of("", "a,b", "\"c\"\n"), List.of("é"));

        assertThat(RecordNames.of(odd.metadata())).isEqualTo(odd);
        assertThat(RecordNames.UNKNOWN.metadata()).isEmpty();
        assertThat(RecordNames.of(Map.of())).isEqualTo(RecordNames.UNKNOWN);
    }

    @Test
    void a_table_keeps_its_names_in_every_part() {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, new int[] {0, 1, 0, 1})
                .named(List.of("length", "width"), List.of("no", "yes"));

        ArraySplit split = table.split(0.5, 7);
        RecordNames scaled = split.standardized().train().names();
        assertThat(scaled.features()).isEqualTo(table.names().features());
        assertThat(scaled.classes()).isEqualTo(table.names().classes());
        assertThat(split.train().names()).isEqualTo(table.names());
        assertThat(split.test().sharded(1).names()).isEqualTo(table.names());
        assertThat(Datasets.take(table, 2).names()).isEqualTo(table.names());
        assertThat(Datasets.split(table, 0.5).test().names()).isEqualTo(table.names());
    }

    @Test
    void a_table_needs_as_many_names_as_features_and_classes() {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1, 2}, {3, 4}}, new int[] {0, 1});

        assertThatThrownBy(() -> table.named(List.of("length"), List.of()))
                .hasMessage("ArrayDataset[table: 2 rows, 2 features, 2 classes] needs a name for each of its 2"
                        + " features, was [length]");
        assertThatThrownBy(() -> table.named(List.of(), List.of("no")))
                .hasMessage("ArrayDataset[table: 2 rows, 2 features, 2 classes] needs a name for each of its 2"
                        + " classes, was [no]");
    }

    @Test
    void tables_of_other_names_cannot_be_joined() {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1, 2}, {3, 4}}, new int[] {0, 1});

        assertThatThrownBy(() -> Datasets.concat(
                        table.named(List.of("length", "width"), List.of()),
                        table.named(List.of("width", "length"), List.of())))
                .hasMessageContaining("feature 0 is \"width\" and not \"length\"");
    }

    @Test
    void joined_tables_have_all_known_names() {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1, 2}, {3, 4}}, new int[] {0, 1});
        ArrayDataset features = table.named(List.of("a", "b"), List.of());
        ArrayDataset classes = table.named(List.of(), List.of("x", "y"));
        ArrayDataset more = table.named(List.of("a", "b"), List.of("x", "y", "z"));

        assertThat(Datasets.concat(table, features, classes, more).names())
                .isEqualTo(new RecordNames(List.of("a", "b"), List.of("x", "y", "z")));
        assertThatThrownBy(() -> Datasets.concat(table, features, table.named(List.of("b", "a"), List.of())))
                .hasMessageContaining("feature 0 is \"b\" and not \"a\"");
        assertThatThrownBy(() -> Datasets.concat(features, classes, table.named(List.of(), List.of("y", "x"))))
                .hasMessageContaining("class 0 is \"y\" and not \"x\"");
    }
}
