package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java in docs/environments.md is compiled and run. */
class EnvironmentsPageTest {
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
        String path = "src/test/java/dev/edl/env/EnvironmentsPageExamples.java";
        List<String> compiled = blocks(IN_SOURCE, read(path, "edl-api/" + path));

        assertThat(compiled).hasSize(4);
        assertThat(blocks(ON_PAGE, read("../docs/environments.md", "docs/environments.md")))
                .isEqualTo(compiled);
    }

    @Test
    void tensorflow_has_what_the_page_says() {
        String workers = "\"worker\":[\"mnist-worker-0.default.svc:2222\",\"mnist-worker-1.default.svc:2222\","
                + "\"mnist-worker-2.default.svc:2222\",\"mnist-worker-3.default.svc:2222\"]";
        String servers = "[\"elasticdl-mnist-ps-0.default.svc:2222\",\"elasticdl-mnist-ps-1.default.svc:2222\"]";
        List<Object> made = EnvironmentsPageExamples.tensorflow();

        assertThat(made.get(0))
                .asString()
                .contains(workers)
                .endsWith("\"task\":{\"type\":\"worker\",\"index\":0},\"environment\":\"cloud\"}");
        assertThat(made.get(2)).isEqualTo("worker 1");
        assertThat(made.get(3)).isEqualTo(servers);
        assertThat(made.get(4)).isEqualTo(made.get(1));
        assertThat(made.get(5)).isEqualTo(true);
    }

    @Test
    void horovod_has_what_the_page_says() {
        assertThat(EnvironmentsPageExamples.horovod())
                .startsWith(
                        "-np 8 --min-np 4 --max-np 32 --host-discovery-script /etc/edl/discover_hosts.sh",
                        "elasticdl-resnet-worker-0.default.svc:4\nelasticdl-resnet-worker-1.default.svc:4\n");
    }
}
