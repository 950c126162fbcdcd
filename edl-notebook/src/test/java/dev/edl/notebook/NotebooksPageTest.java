package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java in docs/notebooks.md is compiled, and what it says of versions is so. */
class NotebooksPageTest {
    private static final Pattern ON_PAGE =
            Pattern.compile("<!-- region: (\\S+) -->\\s*```java\\n(.*?)```\\s*<!-- end -->", Pattern.DOTALL);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: (\\S+)\\n(.*?)// end\\n", Pattern.DOTALL);

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject))
                .replace("\r\n", "\n");
    }

    private static String page() throws IOException {
        return read("../docs/notebooks.md", "docs/notebooks.md");
    }

    /** Blocks without their blanks, since the formatter breaks lines where a page does not. */
    private static Map<String, String> blocks(Pattern pattern, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.put(matcher.group(1), matcher.group(2).replaceAll("\\s", ""));
        }
        return found;
    }

    @Test
    void the_blocks_of_the_page_are_the_regions_that_are_compiled() throws IOException {
        String path = "src/test/java/dev/edl/notebook/NotebooksPageExamples.java";
        Map<String, String> compiled = blocks(IN_SOURCE, read(path, "edl-notebook/" + path));
        assertThat(compiled).containsOnlyKeys("first", "html", "live", "scenario", "pods");
        assertThat(blocks(ON_PAGE, page())).isEqualTo(compiled);
        assertThat(page().split("```java", -1)).hasSize(compiled.size() + 1);
    }

    @Test
    void its_first_cell_names_this_module_and_its_version() throws IOException {
        String pom = read("pom.xml", "edl-notebook/pom.xml");
        Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(pom);
        assertThat(version.find()).isTrue();
        assertThat(page()).contains("\n%maven dev.edl:edl-notebook:" + version.group(1) + "\n");
    }
}
