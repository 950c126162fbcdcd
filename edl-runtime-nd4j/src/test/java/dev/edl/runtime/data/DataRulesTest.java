package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.RuleFiles.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Table of rules in docs/data.md: each cell is tested with a file and its reader. */
class DataRulesTest {
    private static final String HEAD = "| what the file is |";
    private static final String NONE = "–";

    @TempDir
    Path folder;

    /** Rule, reader and the page's text. */
    static Stream<Arguments> cells() throws IOException {
        List<List<String>> table = table();
        List<String> readers = table.get(0);
        List<Arguments> cells = new ArrayList<>();
        for (List<String> row : table.subList(1, table.size())) {
            for (int i = 1; i < readers.size(); i++) {
                cells.add(Arguments.of(row.get(0), readers.get(i), row.get(i)));
            }
        }
        return cells.stream();
    }

    private static List<List<String>> table() throws IOException {
        String page = Files.readString(Path.of(Files.exists(Path.of("src")) ? "../docs/data.md" : "docs/data.md"));
        return page.substring(page.indexOf(HEAD))
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("|---"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    @ParameterizedTest(name = "{0}: {1}: {2}")
    @MethodSource("cells")
    void each_table_cell_matches_the_reader(String rule, String reader, String said) throws IOException {
        assertThat(RuleFiles.RULES).containsKey(rule);
        Case given = RuleFiles.RULES.getOrDefault(rule, Map.of()).get(reader);
        String done = given == null ? NONE : given.outcome(folder);
        assertThat(done).as("%s, %s", rule, reader).isEqualTo(said);
    }

    @Test
    void the_table_covers_each_rule_and_reader() throws IOException {
        assertThat(table().stream().skip(1).map(row -> row.get(0))).containsExactlyElementsOf(RuleFiles.RULES.keySet());
        assertThat(table().get(0).subList(1, 7))
                .containsExactly("CSV table", "CSV dataset", "RecordIO", "TFRecord", "IDX", "NPY");
    }
}
