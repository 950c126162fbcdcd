package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ArrayDatasetTest {
    @Test
    void rows_are_read_across_shards() throws IOException {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1, 2}, {3, 4}, {5, 6}}, new int[] {2, 0, 1})
                .sharded(2);
        assertThat(table.shards()).containsExactly(new DataShard("table-00000", 2), new DataShard("table-00001", 1));
        Batch batch = new Batch(2, 2, 1);
        table.read("table-00001", 0, 1, batch);
        table.read("table-00000", 1, 2, batch);
        assertThat(batch.features()).containsExactly(5, 6, 3, 4);
        assertThat(batch.labels()).containsExactly(1, 0);
        assertThat(table).hasToString("ArrayDataset[table: 3 rows, 2 features, 3 classes]");
    }

    @Test
    void a_copy_is_kept() {
        float[][] rows = {{1}, {2}};
        ArrayDataset table = ArrayDataset.of(rows, new int[] {0, 1});
        rows[0][0] = 9;
        assertThat(table.row(0)).containsExactly(1);
    }

    @Test
    void rows_that_make_no_table_are_refused() {
        assertThatThrownBy(() -> ArrayDataset.of(new float[0][], new int[0]))
                .hasMessage("table \"table\": must have at least one row and one feature");
        assertThatThrownBy(() -> ArrayDataset.of(new float[][] {{1}}, new int[2]))
                .hasMessage("table \"table\": must have one label for each row, was 2 labels and 1 rows");
        assertThatThrownBy(() -> ArrayDataset.of(new float[][] {{1}, {1, 2}}, new int[2]))
                .hasMessage("table \"table\": row 1 must have 1 features, was 2");
        assertThatThrownBy(() -> ArrayDataset.of(new float[][] {{1, Float.NaN}}, new int[1]))
                .hasMessage("table \"table\": row 0, column 1 must be finite, was NaN");
        assertThatThrownBy(() -> ArrayDataset.of(new float[][] {{1}}, new int[] {-1}))
                .hasMessage("table \"table\": row 0: the label must be a class index from 0 to 16777216, was -1");
    }

    @Test
    void a_range_beyond_a_shard_is_refused() {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1}}, new int[1]);
        Batch batch = new Batch(9, 1, 1);
        assertThatThrownBy(() -> table.read("table-00000", 0, 2, batch))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("shard \"table-00000\": range [0, 2) is outside its 1 records");
        assertThatThrownBy(() -> table.read("x", 0, 1, batch))
                .hasMessage("there is no shard \"x\" in ArrayDataset[table: 1 rows, 1 features, 1 classes]"
                        + "; shards() has the valid names");
        assertThatThrownBy(() -> table.sharded(0))
                .hasMessage("a shard must have at least 1 row, for example 256, was 0");
    }

    @Test
    void a_split_keeps_every_row_once_and_each_class_in_both_parts() {
        // 50 rows of class 0, 10 of class 1, 2 of class 2, 1 of class 3; the feature is the row's number.
        float[][] rows = new float[63][];
        int[] labels = new int[63];
        for (int i = 0; i < 63; i++) {
            rows[i] = new float[] {i};
            labels[i] = i < 50 ? 0 : i < 60 ? 1 : i < 62 ? 2 : 3;
        }
        ArraySplit split = ArrayDataset.of(rows, labels).split(0.2, 42);
        // 20 % of each class, but at least one row in each part; the only row of a class is in the training part.
        assertThat(counts(split.test())).containsExactly(10, 2, 1, 0);
        assertThat(counts(split.train())).containsExactly(40, 8, 1, 1);
        TreeSet<Float> seen = new TreeSet<>();
        for (ArrayDataset part : new ArrayDataset[] {split.train(), split.test()}) {
            for (int row = 0; row < part.rows(); row++) {
                float number = part.row(row)[0];
                assertThat(part.label(row)).isEqualTo(labels[(int) number]);
                assertThat(seen.add(number)).isTrue();
            }
        }
        assertThat(seen).hasSize(63);
        assertThat(split.test().shards()).containsExactly(new DataShard("table-test-00000", 13));
    }

    @Test
    void split_depends_on_the_seed_only() {
        ArrayDataset table = numbered(100);
        assertThat(values(table.split(0.3, 7).test()))
                .isEqualTo(values(table.split(0.3, 7).test()));
        assertThat(values(table.split(0.3, 7).test()))
                .isNotEqualTo(values(table.split(0.3, 8).test()));
    }

    @Test
    void a_split_that_leaves_nothing_is_refused() {
        ArrayDataset table = ArrayDataset.of(new float[][] {{1}, {2}}, new int[] {0, 1});
        assertThatThrownBy(() -> table.split(0.2, 1))
                .hasMessage(
                        "ArrayDataset[table: 2 rows, 1 features, 2 classes] cannot be split: no class has two rows");
        assertThatThrownBy(() -> table.split(1, 1))
                .hasMessage("the test fraction must be between 0 and 1, for example 0.2, was 1.0");
        assertThatThrownBy(() -> table.split(Double.NaN, 1))
                .hasMessage("the test fraction must be between 0 and 1, for example 0.2, was NaN");
    }

    @Test
    void means_and_deviations_come_from_the_training_part_alone() {
        ArrayDataset train = ArrayDataset.of(new float[][] {{1, 0.1f}, {1, 0.1f}, {5, 0.1f}, {5, 0.1f}}, new int[4]);
        ArrayDataset test = ArrayDataset.of(new float[][] {{9, 5.1f}}, new int[1]);
        ArraySplit split = new ArraySplit(train, test);
        // By hand: mean 3, population variance 4; the second column never changes.
        assertThat(split.standardization()).isEqualTo(Standardization.of(new float[] {3, 0.1f}, new float[] {2, 1}));
        assertThat(split.standardized().train().row(0)).containsExactly(-1, 0);
        assertThat(split.standardized().test().row(0)).containsExactly(3, 5);
        assertThat(split.standardization().apply(new float[] {4, 0.1f})).containsExactly(0.5f, 0);
    }

    @Test
    void standardization_of_large_close_numbers_uses_doubles() {
        // Neighbouring floats: 131072 apart at 1.7e12. By hand: mean the middle of two, deviation half their distance.
        float low = (float) 1.7e12;
        float high = Math.nextUp(low);
        ArrayDataset table = ArrayDataset.of(new float[][] {{low}, {high}, {low}, {high}}, new int[4]);
        Standardization standardization = Standardization.of(table);
        assertThat(standardization.means()).containsExactly(low + 65_536.0);
        assertThat(standardization.deviations()).containsExactly(65_536.0);
        assertThat(values(standardization.apply(table))).containsExactly(-1, 1, -1, 1);
        assertThat(Standardization.of(standardization.means(), standardization.deviations()))
                .isEqualTo(standardization);
    }

    @Test
    void a_standardization_of_other_widths_or_values_is_refused() {
        assertThatThrownBy(() -> Standardization.of(new float[1], new float[2]))
                .hasMessage("means and deviations must have one value for each feature, was 1 and 2");
        assertThatThrownBy(() -> Standardization.of(new float[1], new float[1]))
                .hasMessage("feature 0: the mean must be finite and the deviation finite and above 0, was 0.0 and 0.0");
        Standardization one = Standardization.of(new float[1], new float[] {2});
        assertThatThrownBy(() -> one.apply(new float[2])).hasMessage("the row must have 1 features, was 2");
        assertThatThrownBy(() -> one.apply(ArrayDataset.of(new float[][] {{1, 2}}, new int[1])))
                .hasMessage("the row must have 1 features, was 2");
        assertThat(one).hasToString("Standardization[means [0.0], deviations [2.0]]");
    }

    private static ArrayDataset numbered(int count) {
        float[][] rows = new float[count][];
        for (int i = 0; i < count; i++) {
            rows[i] = new float[] {i};
        }
        return ArrayDataset.of(rows, new int[count]);
    }

    private static float[] values(ArrayDataset table) {
        float[] values = new float[table.rows()];
        for (int row = 0; row < values.length; row++) {
            values[row] = table.row(row)[0];
        }
        return values;
    }

    private static int[] counts(ArrayDataset table) {
        int[] counts = new int[4];
        for (int row = 0; row < table.rows(); row++) {
            counts[table.label(row)]++;
        }
        return counts;
    }
}
