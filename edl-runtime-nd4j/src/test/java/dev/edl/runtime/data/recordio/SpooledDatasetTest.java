package dev.edl.runtime.data.recordio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.RowEncoder;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpooledDatasetTest {
    private static final RowEncoder<Integer> ENCODER = (item, into) -> {
        int row = into.row();
        into.features()[2 * row] = item;
        into.features()[2 * row + 1] = item / 2f;
        into.labels()[row] = -item;
        into.ids()[row] = 1L << item % 60;
    };

    @TempDir
    Path folder;

    @Test
    void items_are_written_once_and_read_in_any_order() throws IOException {
        try (SpooledDataset dataset = spool(IntStream.range(0, 100).boxed().toList())) {
            // A record has 8 + 2 * 4 + 4 bytes, and a file of the test 800.
            assertThat(dataset.shards())
                    .containsExactly(
                            new DataShard("part-00000", 40),
                            new DataShard("part-00001", 40),
                            new DataShard("part-00002", 20));
            assertThat(dataset).hasToString("SpooledDataset[" + folder.resolve("spool") + ": 3 shards, 100 records]");
            Batch batch = new Batch(2, 2, 1, 1, List.of());
            dataset.read("part-00002", 19, 20, batch);
            dataset.read("part-00001", 3, 4, batch);
            assertThat(batch.features()).containsExactly(99, 49.5f, 43, 21.5f);
            assertThat(batch.labels()).containsExactly(-99, -43);
            assertThat(batch.ids()).containsExactly(1L << 39, 1L << 43);
        }
    }

    @Test
    void a_complete_spool_is_reused_without_iterating_items() throws IOException {
        spool(List.of(1, 2, 3)).close();
        Iterable<Integer> untouched = () -> {
            throw new AssertionError("the items were asked for");
        };
        try (SpooledDataset dataset = spool(untouched)) {
            assertThat(dataset.records()).isEqualTo(3);
        }
    }

    @Test
    void a_spool_that_was_interrupted_is_begun_anew() throws IOException {
        Iterable<Integer> failing = () -> Stream.<Integer>iterate(0, i -> {
                    if (i == 70) {
                        throw new NoSuchElementException("the connection is lost");
                    }
                    return i + 1;
                })
                .iterator();
        assertThatThrownBy(() -> spool(failing)).hasMessage("the connection is lost");
        assertThat(folder.resolve("spool/part-00001")).exists();
        assertThat(folder.resolve("spool/.complete")).doesNotExist();
        try (SpooledDataset dataset = spool(List.of(7))) {
            assertThat(dataset.shards()).containsExactly(new DataShard("part-00000", 1));
        }
    }

    @Test
    void a_stream_larger_than_memory_is_spooled_item_by_item() throws IOException {
        AtomicInteger alive = new AtomicInteger();
        // Each item must be encoded before the next one is made: the dataset does not collect them.
        Iterator<int[]> items = Stream.generate(() -> {
                    assertThat(alive.getAndIncrement()).isZero();
                    return new int[] {1};
                })
                .limit(5_000)
                .iterator();
        RowEncoder<int[]> encoder = (item, into) -> {
            into.features()[into.row()] = item[0];
            alive.decrementAndGet();
        };
        // The iterator is queried once before the loop, and once after the last record of each file.
        Iterable<int[]> once = () -> items;
        try (SpooledDataset dataset = SpooledDataset.create(folder.resolve("spool"), once, 1, 0, 0, encoder)) {
            assertThat(dataset.records()).isEqualTo(5_000);
        }
    }

    @Test
    void a_java_stream_is_spooled() throws IOException {
        try (SpooledDataset dataset =
                SpooledDataset.create(folder.resolve("spool"), Stream.of(4, 5), 2, 1, 1, ENCODER)) {
            assertThat(dataset.records()).isEqualTo(2);
            assertThat(dataset.directory()).isEqualTo(folder.resolve("spool"));
        }
    }

    @Test
    void other_spools_and_directories_are_not_overwritten() throws IOException {
        spool(List.of(1)).close();
        Path directory = folder.resolve("spool");
        assertThatThrownBy(() -> SpooledDataset.create(directory, List.of(1), 1, 1, 1, ENCODER))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        directory + ": holds a spool of other records; expected \"edl-spool 2: 1 features, 1 labels,"
                                + " 1 ids\", found \"edl-spool 2: 2 features, 1 labels, 1 ids; 1 records in 1 files\"; delete"
                                + " the directory or name another");
        Files.writeString(folder.resolve("thesis.txt"), "");
        assertThatThrownBy(() -> SpooledDataset.create(folder, List.of(1), 2, 1, 1, ENCODER))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(folder + ": must be empty or hold a spool, has \"");
        assertThat(folder.resolve("thesis.txt")).exists();
    }

    @Test
    void foreign_files_with_spool_names_are_not_deleted() throws IOException {
        Path theirs = Files.createDirectory(folder.resolve("spool")).resolve("part-00000");
        Files.writeString(theirs, "the output of another program");
        assertThatThrownBy(() -> spool(List.of(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("spool") + ": must be empty or hold a spool, has \"part-00000\" in it");
        assertThat(theirs).hasContent("the output of another program");
    }

    @Test
    void a_spool_that_has_lost_records_is_refused() throws IOException {
        Path directory = folder.resolve("spool");
        spool(IntStream.range(0, 100).boxed().toList()).close();
        Files.delete(directory.resolve("part-00001"));
        assertThatThrownBy(() -> spool(List.of(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(directory + ": has lost or gained records since it was spooled; expected \"edl-spool 2: 2"
                        + " features, 1 labels, 1 ids; 100 records in 3 files\", found \"edl-spool 2: 2 features, 1"
                        + " labels, 1 ids; 60 records in 2 files\"; delete the directory to spool again");
        // A possible state of a file after a loss of power.
        Files.write(directory.resolve("part-00001"), new byte[0]);
        assertThatThrownBy(() -> spool(List.of(1))).hasMessageContaining("60 records in 3 files");
        for (String part : List.of("part-00000", "part-00001", "part-00002")) {
            Files.delete(directory.resolve(part));
        }
        assertThatThrownBy(() -> spool(List.of(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(directory + ": has lost or gained records since it was spooled; expected \"edl-spool 2: 2"
                        + " features, 1 labels, 1 ids; 100 records in 3 files\", found no files; delete the"
                        + " directory to spool again");
    }

    @Test
    void no_items_and_an_encoder_without_a_row_are_rejected() {
        assertThatThrownBy(() -> spool(List.of()))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("spool") + ": there is no item to spool");
        assertThatThrownBy(() -> SpooledDataset.create(
                        folder.resolve("spool"), List.of(1), 1, 0, 0, (Integer item, Batch into) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("item 0: the encoder must add 1 row to the batch, added 0");
    }

    private SpooledDataset spool(Iterable<Integer> items) throws IOException {
        return SpooledDataset.create(folder.resolve("spool"), items, new BatchRowFormat(2, 1, 1), ENCODER, 800);
    }
}
