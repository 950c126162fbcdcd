package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java in docs/kubernetes.md compiles and runs, and its output is that of the page. */
class KubernetesPageTest {
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: \\S+\\n(.*?)// end\\n", Pattern.DOTALL);

    @Test
    void the_blocks_of_the_page_are_the_regions_that_are_compiled() throws IOException {
        String path = "src/test/java/dev/edl/k8s/render/KubernetesPageExamples.java";
        List<String> compiled = blocks(IN_SOURCE, read(path, "edl-k8s/" + path));

        assertThat(compiled).hasSize(7);
        assertThat(blocks(JAVA, page())).isEqualTo(compiled);
    }

    @Test
    void elasticdl_s_job_has_what_the_page_says() {
        List<Object> made = KubernetesPageExamples.elasticDl();

        assertThat(((PodTemplateSpec) made.get(0)).getMetadata().getLabels())
                .containsEntry("elasticdl-replica-index", "2");
        assertThat((String) made.get(1)).contains("backoffLimitPerIndex: 1\n");
        assertThat((List<?>) made.get(2)).hasSize(3);
        assertThat(made.get(3)).hasToString("""
                PriorityClass high
                PriorityClass low
                Service default/elasticdl-test-mnist-master
                Service default/elasticdl-test-mnist-ps-0
                Service default/elasticdl-test-mnist-ps-1
                Job default/elasticdl-test-mnist-master
                Job default/elasticdl-test-mnist-ps
                Job default/elasticdl-test-mnist-worker
                Service default/tensorboard-test-mnist
                Deployment default/tensorboard-test-mnist""");
    }

    private static String page() throws IOException {
        return read("../docs/kubernetes.md", "docs/kubernetes.md").replace("\r\n", "\n");
    }

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject));
    }

    /** Returns the blocks without whitespace, because the formatter breaks lines differently. */
    private static List<String> blocks(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1).replaceAll("\\s", ""));
        }
        return found;
    }
}
