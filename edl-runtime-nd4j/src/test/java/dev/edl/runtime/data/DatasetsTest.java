package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DatasetsTest {
    private static final RowEncoder<Integer> DOUBLED = (item, into) -> {
        int row = into.row();
        into.features()[row] = 2 * item;
        into.labels()[row] = item;
    };

    @Test
    void a_list_is_encoded_when_it_is_read() throws IOException {
        Dataset dataset = Datasets.of(List.of(3, 4, 5), 1, 1, DOUBLED);
        assertThat(dataset.shards()).containsExactly(new DataShard("list", 3));
        assertThat(dataset).hasToString("ListDataset[3 records of 1 features, 1 labels and 0 ids]");
        assertThat(labels(dataset)).containsExactly(3, 4, 5);
        Batch batch = new Batch(2, 1, 1);
        dataset.read("list", 1, 3, batch);
        assertThat(batch.features()).containsExactly(8, 10);
    }

    @Test
    void records_of_ids_alone_are_encoded() throws IOException {
        RowEncoder<Long> encoder = (item, into) -> into.ids()[into.row()] = item;
        Dataset dataset = Datasets.of(List.of(1L << 40), 0, 0, 1, encoder);
        Batch batch = new Batch(1, 0, 0, 1, List.of());
        dataset.read("list", 0, 1, batch);
        assertThat(batch.ids()).containsExactly(1L << 40);
    }

    @Test
    void an_encoder_that_fails_is_told_with_the_item() {
        RowEncoder<Integer> failing = (item, into) -> {
            throw new IllegalStateException("no " + item);
        };
        assertThatThrownBy(() -> labels(Datasets.of(List.of(3), 1, 1, failing)))
                .isInstanceOf(IOException.class)
                .hasMessage("item 0 cannot be encoded: java.lang.IllegalStateException: no 3");
        assertThatThrownBy(() -> labels(Datasets.of(List.of(3), 1, 1, (item, into) -> {})))
                .isInstanceOf(IOException.class)
                .hasMessage("item 0: the encoder must add 1 row to the batch, added 0");
    }

    @Test
    void the_first_records_are_taken_across_shards() throws IOException {
        Dataset dataset = Datasets.take(sharded(), 5);
        assertThat(dataset.shards()).containsExactly(new DataShard("table-00000", 4), new DataShard("table-00001", 1));
        assertThat(labels(dataset)).containsExactly(0, 1, 2, 3, 4);
        assertThat(Datasets.take(sharded(), 4).shards()).containsExactly(new DataShard("table-00000", 4));
        assertThat(labels(Datasets.take(sharded(), 99))).hasSize(10);
        assertThat(dataset).hasToString("take(5) of ArrayDataset[table: 10 rows, 1 features, 10 classes]");
    }

    @Test
    void split_tests_on_the_end_of_each_shard() throws IOException {
        DatasetSplit split = Datasets.split(sharded(), 0.25);
        // Shards of 4, 4 and 2 records: 1, 1 and, since half a record is rounded up, 1 to test on.
        assertThat(labels(split.train())).containsExactly(0, 1, 2, 4, 5, 6, 8);
        assertThat(labels(split.test())).containsExactly(3, 7, 9);
        assertThatThrownBy(() -> Datasets.split(sharded(), 0.01))
                .hasMessage("ArrayDataset[table: 10 rows, 1 features, 10 classes] cannot be split by 0.01: that leaves"
                        + " 10 records to train and 0 to test on");
        assertThatThrownBy(() -> Datasets.split(sharded(), 1))
                .hasMessage("the test fraction must be between 0 and 1, for example 0.2, was 1.0");
    }

    @Test
    void concat_numbers_equal_shard_names() throws IOException {
        Dataset other = Datasets.of(List.of(20, 21), 1, 1, DOUBLED);
        Dataset dataset = Datasets.concat(Datasets.take(sharded(), 1), other, other);
        assertThat(dataset.shards())
                .containsExactly(new DataShard("table-00000", 1), new DataShard("list", 2), new DataShard("list#3", 2));
        assertThat(labels(dataset)).containsExactly(0, 20, 21, 20, 21);
        Dataset wider = Datasets.of(List.of(1), 2, 1, DOUBLED);
        assertThatThrownBy(() -> Datasets.concat(Datasets.take(other, 1), wider))
                .hasMessage(
                        "datasets must have the same numbers of features, labels and ids, was 1, 1 and 0 of take(1) of"
                                + " ListDataset[2 records of 1 features, 1 labels and 0 ids] and 2, 1 and 0 of"
                                + " ListDataset[1 records of 2 features, 1 labels and 0 ids]");
    }

    @Test
    void invalid_ranges_and_settings_are_rejected() {
        Dataset list = Datasets.of(List.of(3), 1, 1, DOUBLED);
        Batch batch = new Batch(9, 1, 1);
        assertThatThrownBy(() -> list.read("list", 0, 2, batch))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("range [0, 2) is outside the 1 records of ListDataset[1 records of 1 features, 1 labels and"
                        + " 0 ids]");
        assertThatThrownBy(() -> Datasets.take(sharded(), 5).read("table-00001", 0, 2, batch))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("shard \"table-00001\": range [0, 2) is outside its 1 records");
        assertThatThrownBy(() -> Datasets.take(list, 0)).hasMessage("at least 1 record must be taken, was 0");
        assertThatThrownBy(() -> Datasets.of(List.<Integer>of(), 1, 1, DOUBLED))
                .hasMessage("a dataset needs at least one item, features >= 0, labels >= 0, ids >= 0, and features or"
                        + " ids; was 0 items, 1, 1, 0");
    }

    /** Ten records of the labels 0 to 9 in shards of 4, 4 and 2. */
    private static Dataset sharded() {
        int[] labels = IntStream.range(0, 10).toArray();
        float[][] rows =
                IntStream.range(0, 10).mapToObj(i -> new float[] {2 * i}).toArray(float[][]::new);
        return ArrayDataset.of(rows, labels).sharded(4);
    }

    private static float[] labels(Dataset dataset) throws IOException {
        Batch batch = new Batch((int) dataset.records(), dataset.features(), dataset.labels());
        for (DataShard shard : dataset.shards()) {
            dataset.read(shard.name(), 0, shard.records(), batch);
        }
        return batch.labels();
    }
}
