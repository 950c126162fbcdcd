package dev.edl.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/**
 * Approved text in a file beside the tests; a test fails if the current text differs from it.
 *
 * <pre>{@code
 * assertThat(plan).matchesGolden();                                  // src/test/resources/com/acme/MnistJobTest.the_plan.yaml
 * Golden.named("manifests/mnist.yaml").check("manifests", yaml);     // any other text
 * }</pre>
 *
 * <p>A test fails while its file does not exist, and again when the text changes. With the system property
 * {@code edl.approve} ({@code mvn test -Dedl.approve}) tests write their files instead of failing; a person then
 * reviews and commits the files. Texts are UTF-8; Windows line ends are accepted.
 *
 * <p>A build server never approves. If the environment variable {@code CI} is neither empty nor {@code false}, a test
 * with {@code edl.approve} fails. Otherwise a forgotten property would make the test pass with any text.
 *
 * <p>Immutable; safe for use by several threads. Approving a second, different text for the same file in one run fails.
 */
public final class Golden {
    /** The system property that approves the current texts, unless its value is {@code false}. */
    static final String APPROVE = "edl.approve";

    /** Maximum number of lines of a text in a message. */
    private static final int MOST_LINES = 200;

    /** Texts approved by this JVM, so that two texts cannot alternate in one file. */
    private static final Map<Path, String> APPROVED = new ConcurrentHashMap<>();

    private final Path file;
    private final String shown;
    private final String command;

    private Golden(Path file, String shown, Optional<RunningTest> test) {
        this.file = file;
        this.shown = shown;
        this.command =
                "mvn test " + test.map(t -> "-Dtest=" + t.selector() + " ").orElse("") + "-D" + APPROVE;
    }

    /**
     * Returns the golden file of the running test: {@code src/test/resources/<package>/<class>.<method>.yaml} in the
     * module of the test.
     *
     * @throws IllegalStateException when no test method is on the stack, as on another thread or in a test of a
     *     {@code @TestFactory}
     */
    public static Golden ofTest() {
        RunningTest test = RunningTest.find()
                .orElseThrow(() -> new IllegalStateException("no test method is running on thread \""
                        + Thread.currentThread().getName()
                        + "\" (the tests of a @TestFactory run after it), so the file has no name; give one, for example"
                        + " matchesGolden(\"plans/mnist.yaml\")"));
        return named(test.path() + ".yaml");
    }

    /**
     * Returns a golden file below {@code src/test/resources} in the module of the running test, or of the calling class
     * if no test runs.
     *
     * @param name path of the file below {@code src/test/resources}, such as {@code plans/mnist.yaml}: relative, with
     *     {@code /}, without {@code ..}
     * @throws IllegalArgumentException for another path
     */
    public static Golden named(String name) {
        Path relative = Path.of(name);
        if (name.isBlank()
                || name.contains("\\")
                || relative.isAbsolute()
                || relative.startsWith("..")
                || !relative.equals(relative.normalize())) {
            throw new IllegalArgumentException("a golden file's name must be a path below src/test/resources, was \""
                    + name + "\"; for example plans/mnist.yaml");
        }
        Optional<RunningTest> test = RunningTest.find();
        String shown = "src/test/resources/" + name;
        return new Golden(TestModuleDirectory.ofCaller().resolve(shown), shown, test);
    }

    /** Returns a golden file at any path. */
    public static Golden at(Path file) {
        return new Golden(file, file.toString(), RunningTest.find());
    }

    /**
     * Fails unless the text equals the file's; if the property {@code edl.approve} is set, writes the text to the file
     * instead.
     *
     * @param what description of the text, for the message: {@code plan of job "mnist"}
     * @param text the current text
     * @throws AssertionError with the differences, or when the file does not exist; the message shows the command that
     *     approves the text
     * @throws UncheckedIOException when the file cannot be read or written
     */
    public void check(String what, String text) {
        check(what, text, System.getenv("CI"));
    }

    void check(String what, String text, @Nullable String ci) {
        String unix = unix(text);
        try {
            if (!approving()) {
                compare(what, unix);
            } else if (ci == null || ci.isEmpty() || ci.equals("false")) {
                approve(what, unix);
            } else {
                Assertions.fail(
                        what + " is not approved: a build server approves nothing, and here the environment variable CI"
                                + " is \"" + ci + "\". Run it without -D" + APPROVE
                                + ", or approve where CI is not set:\n  " + command);
            }
        } catch (IOException e) {
            // The exception's own message is sometimes only the path.
            throw new UncheckedIOException(what + ": golden file " + shown + ": " + e, e);
        }
    }

    private static String unix(String text) {
        return text.replace("\r\n", "\n");
    }

    private static boolean approving() {
        String value = System.getProperty(APPROVE);
        return value != null && !value.equals("false");
    }

    private void approve(String what, String text) throws IOException {
        String before = APPROVED.putIfAbsent(file.toAbsolutePath().normalize(), text);
        if (before != null && !before.equals(text)) {
            throw new AssertionError(
                    what + ": " + shown + " was approved for another text in this run; give each a file"
                            + " of its own, for example matchesGolden(\"plans/mnist.yaml\")");
        }
        if (Files.isRegularFile(file) && unix(Files.readString(file)).equals(text)) {
            return; // keeps the ends of lines that a checkout for Windows has
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.writeString(file, text);
    }

    private void compare(String what, String text) throws IOException {
        if (!Files.exists(file)) {
            Assertions.fail(what + " is not approved yet: there is no " + shown + ". Approve it:\n  " + command
                    + "\nIt is now:\n"
                    + shortened(text.lines()
                            .map(line -> TruncatedText.cut(line) + "\n")
                            .collect(Collectors.joining())));
        }
        String approved = unix(Files.readString(file));
        if (!approved.equals(text)) {
            String differences = UnifiedDiff.of(approved, text);
            Assertions.fail(what + " differs from " + shown + " (-: approved, +: now):\n"
                    + (differences.isEmpty() ? "only in the newline at the end\n" : shortened(differences))
                    + "If the change is intended, approve it:\n  " + command);
        }
    }

    /** Returns the first 200 lines of a text, with a note on the omitted lines. */
    static String shortened(String text) {
        List<String> lines = text.lines().toList();
        return lines.size() <= MOST_LINES
                ? text
                : String.join("\n", lines.subList(0, MOST_LINES)) + "\n... and " + (lines.size() - MOST_LINES)
                        + " more lines\n";
    }

    /** Returns the file's path. */
    @Override
    public String toString() {
        return shown;
    }
}
