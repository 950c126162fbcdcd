package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compiles and runs the Java of docs/operators.md, and compares its results with those on the page. */
class OperatorsPageTest {
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SHOWN = Pattern.compile("\\n```\\n(.*?)\\n```\\n", Pattern.DOTALL);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: \\S+\\n(.*?)// end\\n", Pattern.DOTALL);

    @Test
    void the_blocks_of_the_page_are_the_regions_that_are_compiled() throws IOException {
        String path = "src/test/java/dev/edl/operators/OperatorsPageExamples.java";
        List<String> compiled = blocks(IN_SOURCE, read(path, "edl-operators/" + path));

        assertThat(compiled).hasSize(9);
        // Without blanks, because the formatter breaks lines where a page does not.
        assertThat(blocks(JAVA, page()))
                .map(OperatorsPageTest::dense)
                .isEqualTo(compiled.stream().map(OperatorsPageTest::dense).toList());
    }

    @Test
    void what_the_page_shows_is_what_is_made() throws IOException {
        List<String> made = Stream.of(
                        OperatorsPageExamples.elasticDl(),
                        OperatorsPageExamples.tfJob(),
                        OperatorsPageExamples.gpu(),
                        OperatorsPageExamples.mxJob(),
                        OperatorsPageExamples.trainingJob())
                .flatMap(List::stream)
                .map(String::strip)
                .toList();

        assertThat(blocks(SHOWN, page().replaceAll("(?s)```java.*?```\n", ""))).isEqualTo(made);
    }

    @Test
    void the_tutorial_s_command_is_the_tutorial_s_job() {
        Job composed = OperatorsPageExamples.mnist();
        Job read = OperatorsPageExamples.command();

        // A command sets for each role what the job sets for all; the replicas are the same.
        assertThat(pods(read)).isEqualTo(pods(composed));
    }

    private static String pods(Job job) {
        return Manifests.of(job.toBuilder().runId("r1").build().plan(), PodOptions.none(), Workload.PODS)
                .toYaml();
    }

    private static String page() throws IOException {
        return read("../docs/operators.md", "docs/operators.md").replace("\r\n", "\n");
    }

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject));
    }

    private static List<String> blocks(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static String dense(String text) {
        return text.replaceAll("\\s", "");
    }
}
