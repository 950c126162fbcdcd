package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.nodes.NodeNotices;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An Error in any thread ends the controller's process. */
class BrokenProcessTest {
    /** Program with the handler of {@link ControllerMain}: one thread fails, another would run without end. */
    static final class Program {
        public static void main(String[] args) throws InterruptedException {
            Thread.setDefaultUncaughtExceptionHandler(ControllerMain::uncaught);
            Thread broken = new Thread(() -> {
                throw new OutOfMemoryError("of the test");
            });
            broken.setDaemon(true);
            broken.start();
            Thread.currentThread().join();
        }
    }

    private static String classPath() throws URISyntaxException {
        List<String> places = new ArrayList<>();
        for (Class<?> one : List.of(
                Program.class, ControllerMain.class, NodeNotices.class, KubernetesClient.class, HasMetadata.class)) {
            places.add(Path.of(one.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        return String.join(File.pathSeparator, places);
    }

    @Test
    void an_error_ends_the_process_with_code_70_after_a_line_in_the_log() throws Exception {
        Process process = start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(log)
                    .contains("the controller exits, and another one takes over its jobs:"
                            + " java.lang.OutOfMemoryError: of the test");
            assertThat(process.exitValue()).isEqualTo(ControllerMain.BROKEN).isEqualTo(70);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start() throws IOException, URISyntaxException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(java, "-cp", classPath(), Program.class.getName())
                .redirectErrorStream(true)
                .start();
    }
}
