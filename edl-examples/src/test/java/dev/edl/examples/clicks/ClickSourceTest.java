package dev.edl.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.examples.DatasetRecords;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.recordio.RecordIoReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClickSourceTest {
    /** A line of Criteo's format: a missing count, a negative one, a large one, and a missing text. */
    private static String line(int label, String text) {
        List<String> fields = new ArrayList<>(List.of("" + label, "", "-2", "1000"));
        fields.addAll(Collections.nCopies(10, "0"));
        fields.add("");
        fields.addAll(Collections.nCopies(25, text));
        return String.join("\t", fields);
    }

    @Test
    void a_file_in_criteos_format_is_read_and_its_last_tenth_held_out(@TempDir Path folder) throws IOException {
        List<String> lines = new ArrayList<>(Collections.nCopies(18, line(0, "68fd1e64")));
        lines.add(line(1, "80e26c9b"));
        lines.add(line(0, "68fd1e64"));
        Path file = Files.write(folder.resolve("day_0"), lines);

        try (ClickSource clicks = ClickSource.criteo(file)) {
            assertThat(clicks.train().records()).isEqualTo(18);
            assertThat(DatasetRecords.labels(clicks.test())).containsExactly(1, 0);
            assertThat(clicks.truth()).isEmpty();
            List<Long> third = new ArrayList<>();
            DatasetRecords.visit(clicks.test(), (record, batch, row) -> {
                // ln(1 + 2) and ln(1 + 1000).
                assertThat(batch.features()[13 * row]).isZero();
                assertThat(batch.features()[13 * row + 1]).isCloseTo(-1.0986123f, within(1e-6f));
                assertThat(batch.features()[13 * row + 2]).isCloseTo(6.908755f, within(1e-6f));
                assertThat(batch.ids()[26 * row]).isEqualTo(-1);
                assertThat(batch.ids()[26 * row + 1]).isBetween(0L, 999_999L);
                third.add(batch.ids()[26 * row + 2]);
            });
            assertThat(third).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_parquet_file_gives_the_records_of_the_text_with_its_values(@TempDir Path folder) throws IOException {
        List<String> lines = new ArrayList<>(Collections.nCopies(18, line(0, "68fd1e64")));
        lines.add(line(1, "80e26c9b"));
        lines.add(line(0, "68fd1e64"));
        Path text = Files.write(folder.resolve("day_0"), lines);
        Path parquet = folder.resolve("day_0.parquet");
        CriteoParquet.write(parquet, lines);

        try (ClickSource expected = ClickSource.criteo(text);
                ClickSource clicks = ClickSource.criteo(parquet)) {
            assertThat(clicks.train().records()).isEqualTo(18);
            assertThat(rows(clicks.train())).isEqualTo(rows(expected.train()));
            assertThat(rows(clicks.test())).hasSize(2).isEqualTo(rows(expected.test()));
        }
    }

    private static List<String> rows(Dataset clicks) throws IOException {
        List<String> rows = new ArrayList<>();
        DatasetRecords.visit(
                clicks,
                (record, batch, row) -> rows.add(batch.labels()[row] + " "
                        + Arrays.toString(Arrays.copyOfRange(batch.features(), 13 * row, 13 * row + 13))
                        + Arrays.toString(Arrays.copyOfRange(batch.ids(), 26 * row, 26 * row + 26))));
        return rows;
    }

    @Test
    void synthetic_clicks_replace_those_of_an_earlier_run(@TempDir Path folder) throws IOException {
        ClickSource.madeUp(folder, 1, 400, 50).close();
        try (ClickSource clicks = ClickSource.madeUp(folder, 2, 80, 20)) {
            assertThat(clicks.train().records()).isEqualTo(80);
            assertThat(clicks.test().records()).isEqualTo(20);
            assertThat(RecordIoReader.open(folder.resolve("train/clicks-00001")).read(0, 1))
                    .containsExactly(new ClickData(2).record(20));
            assertThat(clicks.truth().orElseThrow()).hasSize(20).doesNotContain(0f, 1f);
        }
    }

    @Test
    void another_file_format_is_refused_with_criteos(@TempDir Path folder) throws IOException {
        Path commas = Files.writeString(folder.resolve("data.csv"), "1,2,3\n");
        assertThatThrownBy(() -> ClickSource.criteo(commas))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        commas + ": line 1 has 1 field between tabs; Criteo's format has 40 in each line: 0 or 1, 13"
                                + " counts and 26 texts, any but the first of which may be empty");
    }
}
