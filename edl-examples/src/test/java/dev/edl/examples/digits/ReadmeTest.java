package dev.edl.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The Java in README.md is compiled, and it does what the text around it describes. */
@Timeout(300)
@ResourceLock(Resources.SYSTEM_OUT)
class ReadmeTest {
    private static final Pattern IN_README =
            Pattern.compile("<!-- region: (\\S+) -->\\s*```java\\n(.*?)```\\s*<!-- end -->", Pattern.DOTALL);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: (\\S+)\\n(.*?)// end\\n", Pattern.DOTALL);

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject));
    }

    /** Regions by name; their blanks are gone, since the formatter breaks lines where a page does not. */
    private static Map<String, String> regions(Pattern pattern, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher matcher = pattern.matcher(text.replace("\r\n", "\n"));
        while (matcher.find()) {
            found.put(matcher.group(1), matcher.group(2).replaceAll("\\s", ""));
        }
        return found;
    }

    @Test
    void the_blocks_of_the_readme_are_the_regions_that_are_compiled() throws IOException {
        String readme = read("../README.md", "README.md");
        String path = "src/test/java/dev/edl/examples/digits/ReadmeExamples.java";
        Map<String, String> compiled = regions(IN_SOURCE, read(path, "edl-examples/" + path));
        assertThat(compiled).containsOnlyKeys("line", "first-job", "training", "kubernetes");
        assertThat(regions(IN_README, readme)).isEqualTo(compiled);
        assertThat(readme.split("```java", -1))
                .as("a block of Java that is in no region")
                .hasSize(compiled.size() + 1);
    }

    @Test
    void the_line_prints_what_the_readme_shows() throws IOException {
        assertThat(read("../README.md", "README.md"))
                .contains("\nprints\n\n```\n" + ReadmeExamples.line().explain() + "```\n");
    }

    @Test
    void the_blocks_of_the_readme_run(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try (RecordIoDataset train = DigitsData.train(folder);
                RecordIoDataset test = DigitsData.test(folder)) {
            Dataset records = train;
            ReadmeExamples.training(ReadmeExamples.firstJob(), records, test);
        } finally {
            System.setOut(before);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("Job test-mnist\n")
                .contains("Evaluation metrics[step=")
                .contains("each of 1,438 records applied exactly once in each of 20 epochs");
    }
}
