package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java in docs/controller.md is compiled and run. */
@MockCluster
class ControllerPageTest {
    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @Test
    void the_controller_of_the_page_starts_and_ends() throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(0);
        // page
        try (Controller controller = Controller.using(client)
                .kind(JobKinds.tfJob())
                .kind(JobKinds.mxJob())
                .namespaces("team-a")
                .identity("desk-of-anna")
                .start()) {
            System.out.println(controller); // controller desk-of-anna stands by: TfJob, MxJob in team-a
            stop.await();
        }
        // end
        assertThat(stop.getCount()).isZero();
    }

    @Test
    void the_page_shows_what_is_compiled() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/edl/operators/controller/ControllerPageTest.java"));
        String page = Files.readString(Path.of("../docs/controller.md"));

        assertThat(block("```java\n(.*?)```", page)).isEqualTo(block("// page\n(.*?)// end\n", source));
    }

    /** Without its blanks, since the formatter breaks lines where a page does not. */
    private static String block(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1).replaceAll("\\s", "");
    }
}
