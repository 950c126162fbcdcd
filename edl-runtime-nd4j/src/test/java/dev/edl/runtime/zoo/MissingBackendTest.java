package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Uses class loaders without a backend, or with half of one; each has its own ND4J. */
class MissingBackendTest {
    private static final String POM_ADVICE = BackendAdvice.of(
                    new IllegalStateException(), System.getProperty("os.name"), System.getProperty("os.arch"))
            .replaceAll("(?s)^.*; EDL leaves", "; EDL leaves");

    @Test
    void message_lists_dependencies_without_a_backend() throws Exception {
        try (URLClassLoader without = classPath(jar -> !jar.startsWith("nd4j-native"))) {
            assertThat(require(without)).isEqualTo("no ND4J backend is on the class path" + POM_ADVICE);
        }
    }

    @Test
    void message_is_the_same_after_a_failed_start() throws Exception {
        try (URLClassLoader without = classPath(jar -> !jar.startsWith("nd4j-native"))) {
            String first = require(without);
            assertThat(require(without)).isEqualTo(first);
        }
    }

    @Test
    void message_reports_a_backend_without_natives() throws Exception {
        try (URLClassLoader without =
                classPath(jar -> !jar.matches("(nd4j-native|openblas)-.*(linux|macosx|windows)-.*"))) {
            assertThat(require(without))
                    .isEqualTo(
                            "the ND4J backend on the class path does not start (java.lang.UnsatisfiedLinkError: Could not"
                                    + " find jniopenblas_nolapack in class, module, and library paths.)" + POM_ADVICE);
        }
    }

    private static URLClassLoader classPath(Predicate<String> wanted) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (wanted.test(path.getFileName().toString())) {
                urls.add(path.toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Returns the message with which {@code Backend.require()} of this loader fails. */
    private static String require(ClassLoader loader) throws ReflectiveOperationException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Thread.currentThread().setContextClassLoader(loader);
        try (PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(capture);
            System.setErr(capture);
            loader.loadClass(Backend.class.getName()).getMethod("require").invoke(null);
            throw new AssertionError("there is a backend");
        } catch (InvocationTargetException e) {
            Throwable failure = Objects.requireNonNull(e.getCause());
            assertThat(failure.getClass().getName()).isEqualTo(MissingBackendException.class.getName());
            assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
            return String.valueOf(failure.getMessage());
        } finally {
            System.setOut(out);
            System.setErr(err);
            Thread.currentThread().setContextClassLoader(context);
        }
    }
}
