package dev.edl.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.Assertions;

/**
 * A text that somebody has approved, in a file beside the tests; a test fails when what is made now differs from it.
 *
 * <pre>{@code
 * assertThat(plan).matchesGolden();                                  // src/test/resources/com/acme/MnistJobTest.the_plan.yaml
 * Golden.named("manifests/mnist.yaml").check("manifests", yaml);     // any text of one's own
 * }</pre>
 *
 * <p>The first run fails, for there is no file yet, and so does one after a change. Tests that run with the system
 * property {@code edl.approve} ({@code mvn test -Dedl.approve}) write their files instead; what they wrote is then
 * reviewed and committed like any source. Texts are UTF-8; ends of lines may be those of Windows.
 *
 * <p>Immutable; safe for use by several threads. One file has one text: a second one in the same run is refused.
 */
public final class Golden {
    /** The system property that approves what is there now, unless its value is {@code false}. */
    static final String APPROVE = "edl.approve";

    /** As much of a text as a person reads in a message. */
    private static final int MOST_LINES = 200;

    /** What this JVM has approved, so that two texts cannot take the same file in turns. */
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
     * The file that belongs to the running test:
     * {@code src/test/resources/<package>/<class>.<method>.yaml} in the module of the test.
     *
     * @throws IllegalStateException when no test method is on the stack, as in another thread
     */
    public static Golden ofTest() {
        RunningTest test = RunningTest.find()
                .orElseThrow(() -> new IllegalStateException("no test method is running on thread \""
                        + Thread.currentThread().getName()
                        + "\", so the file has no name; give one, for example matchesGolden(\"plans/mnist.yaml\")"));
        return named(test.path() + ".yaml");
    }

    /**
     * A file below {@code src/test/resources} in the module of the running test; where none runs, in the working
     * directory.
     *
     * @param name a relative path with {@code /}, such as {@code plans/mnist.yaml}, without {@code ..}
     * @throws IllegalArgumentException for another path
     */
    public static Golden named(String name) {
        Path relative = Path.of(name);
        if (name.isBlank() || relative.isAbsolute() || !relative.equals(relative.normalize()) || name.contains("..")) {
            throw new IllegalArgumentException("a golden file's name must be a path below src/test/resources, was \""
                    + name + "\"; for example plans/mnist.yaml");
        }
        Optional<RunningTest> test = RunningTest.find();
        Path module = test.map(RunningTest::module).orElse(Path.of(""));
        String shown = "src/test/resources/" + name;
        return new Golden(module.resolve(shown), shown, test);
    }

    /** A file anywhere. */
    public static Golden at(Path file) {
        return new Golden(file, file.toString(), RunningTest.find());
    }

    /**
     * Fails unless the text is the approved one; approves it when told to.
     *
     * @param what what the text is, for the message: {@code plan of job "mnist"}
     * @param text what is made now
     * @throws AssertionError with the differences, or when nothing was approved yet; with the command that approves
     * @throws UncheckedIOException when the file cannot be read or written
     */
    public void check(String what, String text) {
        try {
            if (approving()) {
                approve(what, text);
            } else {
                compare(what, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(what + ": golden file " + shown + ": " + e.getMessage(), e);
        }
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
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.writeString(file, text);
    }

    private void compare(String what, String text) throws IOException {
        if (!Files.exists(file)) {
            Assertions.fail(what + " is not approved yet: there is no " + shown + ". Approve it:\n  " + command
                    + "\nIt is now:\n" + shortened(text));
        }
        String approved = Files.readString(file).replace("\r\n", "\n");
        if (!approved.equals(text)) {
            String differences = UnifiedDiff.of(approved, text);
            Assertions.fail(what + " differs from " + shown + " (-: approved, +: now):\n"
                    + (differences.isEmpty() ? "only in the newline at the end\n" : shortened(differences))
                    + "If the change is meant, approve it:\n  " + command);
        }
    }

    private static String shortened(String text) {
        List<String> lines = text.lines().toList();
        return lines.size() <= MOST_LINES
                ? text
                : String.join("\n", lines.subList(0, MOST_LINES)) + "\n... and " + (lines.size() - MOST_LINES)
                        + " more lines\n";
    }

    /** The file's path. */
    @Override
    public String toString() {
        return shown;
    }
}
