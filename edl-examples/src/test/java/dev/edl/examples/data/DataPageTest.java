package dev.edl.examples.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.data.ListDataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java in docs/data.md is compiled against public types, and what needs no files is run. */
class DataPageTest {
    private static final Pattern ON_PAGE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: \\S+\\n(.*?)// end\\n", Pattern.DOTALL);

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject));
    }

    /** Blocks without their blanks, since the formatter breaks lines where a page does not. */
    private static List<String> blocks(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text.replace("\r\n", "\n"));
        while (matcher.find()) {
            found.add(matcher.group(1).replaceAll("\\s", ""));
        }
        return found;
    }

    @Test
    void the_blocks_of_the_page_are_the_regions_that_are_compiled() throws IOException {
        String path = "src/test/java/dev/edl/examples/data/DataPageExamples.java";
        List<String> compiled = blocks(IN_SOURCE, read(path, "edl-examples/" + path));
        assertThat(compiled).hasSize(9);
        assertThat(blocks(ON_PAGE, read("../docs/data.md", "docs/data.md"))).isEqualTo(compiled);
    }

    @Test
    void a_function_of_bytes_is_a_format() {
        Batch batch = new Batch(1, 1, 0);
        DataPageExamples.format().decode(new byte[] {0x3f, (byte) 0xc0, 0, 0}, batch);
        assertThat(batch.features()).containsExactly(1.5f);
    }

    @Test
    void splits_and_concatenations_have_the_documented_records() {
        Dataset days = days(40);
        List<Dataset> made = DataPageExamples.parts(days, days(31), days(28));
        assertThat(made.get(0).records()).isEqualTo(36);
        assertThat(made.get(1).records()).isEqualTo(59);
    }

    private static ListDataset<Integer> days(int count) {
        List<Integer> days = new ArrayList<>();
        for (int day = 1; day <= count; day++) {
            days.add(day);
        }
        return Datasets.of(days, 1, 0, (day, into) -> into.features()[into.row()] = day);
    }
}
