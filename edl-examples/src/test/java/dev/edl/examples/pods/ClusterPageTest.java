package dev.edl.examples.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ClusterPageTest {
    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject))
                .replace("\r\n", "\n");
    }

    @Test
    void the_first_program_of_the_page_is_the_example() throws IOException {
        String path = "src/main/java/dev/edl/examples/pods/TrainInPods.java";
        String example = read(path, "edl-examples/" + path)
                .split("// region: program", 2)[1]
                .split("// end", 2)[0];
        String page = read("../docs/cluster.md", "docs/cluster.md")
                .split("```java", 2)[1]
                .split("```", 2)[0];

        // The page has other indents and breaks.
        assertThat(page.replaceAll("\\s", "")).isEqualTo(example.replaceAll("\\s", ""));
    }
}
