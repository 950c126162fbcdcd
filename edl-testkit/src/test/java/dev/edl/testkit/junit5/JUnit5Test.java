package dev.edl.testkit.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.testkit.EdlAssertions;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Runs the assertions under JUnit 5.14.4, while the tests of this module run under JUnit 6. JUnit 5's launcher and the
 * assertions have a class loader of their own without JUnit 6 and Kubernetes.
 */
class JUnit5Test {
    /** Modules are built in their own directory, or in that of the project. */
    private static Path launcher() {
        String jar = "target/junit5/junit-5.jar";
        return Path.of(Files.exists(Path.of("src")) ? jar : "edl-testkit/" + jar);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(path.toString(), e);
        }
    }

    /** Returns the class path without JUnit, Kubernetes and their exclusive dependencies. */
    private static URL[] classPath() {
        List<URL> urls = new ArrayList<>();
        urls.add(url(launcher()));
        for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)) {
            String name = entry.endsWith(".jar") ? Path.of(entry).getFileName().toString() : entry;
            boolean withheld = name.equals(entry)
                    ? Path.of(entry).endsWith(Path.of("edl-k8s", "target", "classes"))
                    : name.matches("(junit|opentest4j|apiguardian|kubernetes|edl-k8s|surefire).*");
            if (!withheld) {
                urls.add(url(Path.of(entry)));
            }
        }
        return urls.toArray(new URL[0]);
    }

    private static String launched(Class<?> tests) throws IOException, ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        StringWriter out = new StringWriter();
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
                PrintWriter writer = new PrintWriter(out)) {
            thread.setContextClassLoader(loader);
            loader.loadClass("org.junit.platform.console.ConsoleLauncher")
                    .getMethod("run", PrintWriter.class, PrintWriter.class, String[].class)
                    .invoke(null, writer, writer, new String[] {
                        "execute",
                        "--select-class=" + tests.getName(),
                        "--include-classname=.*",
                        "--details=tree",
                        "--details-theme=ascii",
                        "--disable-ansi-colors",
                        "--disable-banner"
                    });
        } finally {
            thread.setContextClassLoader(before);
        }
        return out.toString();
    }

    @Test
    void assertions_hold_fail_and_find_their_files_under_junit_5() throws Exception {
        String said = launched(SmallCase.class);

        assertThat(said)
                .contains("job \"small\", role worker: expected replicas 5, was 4")
                .contains("an_assertion_holds() [OK]")
                .contains("an_assertion_fails() [X]")
                .contains("a_file_is_found_by_the_test() [OK]")
                .contains("soft_assertions_fail(EdlSoftAssertions) [X]")
                .contains("job \"small\": expected name \"large\", was \"small\"")
                .contains("job \"small\", role worker: expected replicas 6, was 4")
                .contains("[         5 tests found           ]", "[         3 tests successful      ]")
                .contains("[         2 tests failed          ]");
    }

    @Test
    void it_runs_on_junit_5_14_4_without_kubernetes() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            assertThat(loader.loadClass("org.junit.platform.console.ConsoleLauncher")
                            .getPackage()
                            .getImplementationVersion())
                    .isEqualTo("1.14.4");
            Assertions.assertThatThrownBy(() -> loader.loadClass("io.fabric8.kubernetes.api.model.Pod"))
                    .isInstanceOf(ClassNotFoundException.class);
            assertThat(loader.loadClass(EdlAssertions.class.getName())).isNotEqualTo(EdlAssertions.class);
            assertThat(loader.loadClass(Job.class.getName())).isNotEqualTo(Job.class);
        }
    }
}
