package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test and check that docs/defects.md and docs/documents.md cite exists. */
class DefectsPageTest {
    /** Modules are built in their own directory, or in that of the project. */
    private static final Path PROJECT = Path.of(Files.exists(Path.of("src")) ? ".." : ".");

    private static final Path CHECKS = PROJECT.resolve("conformance/kubernetes");
    private static final Path FRAMEWORKS = PROJECT.resolve("conformance");

    /** Form of a name of a test, a check or a framework's check, among other words in backquotes. */
    private static final Pattern CITED = Pattern.compile("[A-Z]\\w*\\.\\w+|frameworks/.*");

    private static final Pattern ROW = Pattern.compile("^\\|(.*)\\|(.*)\\|(.*)\\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern ANNOTATED = Pattern.compile("^ {4}@(Test|ParameterizedTest)$", Pattern.MULTILINE);

    /** Returns the sources of the test classes of a name; two packages may have one each. */
    private static Map<String, List<String>> classes() throws IOException {
        Map<String, List<String>> classes = new HashMap<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith("Test.java"))
                            .forEach(file -> classes.computeIfAbsent(
                                            file.getFileName().toString().replace(".java", ""),
                                            name -> new ArrayList<>())
                                    .add(text(file)));
                }
            }
        }
        return classes;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean has(List<String> classes, String method) {
        return classes.stream().anyMatch(text -> {
            int at = text.indexOf(" void " + method + "(");
            // The text between the end of the previous method and this one.
            return at >= 0
                    && ANNOTATED
                            .matcher(text.substring(Math.max(0, text.lastIndexOf("\n    }\n", at)), at))
                            .find();
        });
    }

    /**
     * Returns whether a file is a check: a program that {@code conformance/kubernetes/run} detects by its first line.
     */
    private static boolean isCheck(String file) {
        try (Stream<Path> files = Files.walk(CHECKS)) {
            return files.anyMatch(
                    one -> one.endsWith(file) && text(one).lines().anyMatch(line -> line.startsWith("@OnCluster(")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the last columns of the tables, without their heads. */
    private static List<String> shown(String page) {
        return ROW.matcher(page)
                .results()
                .map(row -> row.group(3).strip())
                .filter(cell -> !List.of("shown by", "held by", "---").contains(cell))
                .toList();
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1)).toList();
    }

    private static List<String> missing(String page) throws IOException {
        return missing(page, name -> true);
    }

    private static List<String> missing(String page, Predicate<String> cited) throws IOException {
        Map<String, List<String>> classes = classes();
        return shown(page).stream()
                .flatMap(cell -> names(cell).stream())
                .filter(cited)
                .filter(name -> !exists(classes, name))
                .toList();
    }

    private static boolean exists(Map<String, List<String>> classes, String name) {
        if (name.startsWith("frameworks/")) {
            return Files.exists(FRAMEWORKS.resolve(name).resolve("check"));
        }
        int dot = name.indexOf('.');
        String method = name.substring(dot + 1);
        return method.equals("java")
                ? isCheck(name)
                : dot > 0 && has(classes.getOrDefault(name.substring(0, dot), List.of()), method);
    }

    private static String page() {
        return text(PROJECT.resolve("docs/defects.md"));
    }

    @Test
    void every_test_and_check_that_the_page_cites_exists() throws IOException {
        assertThat(missing(page())).isEmpty();
    }

    @Test
    void every_test_and_check_that_the_page_of_the_five_documents_cites_exists() throws IOException {
        String page = text(PROJECT.resolve("docs/documents.md"));

        assertThat(shown(page)).hasSizeGreaterThan(100);
        assertThat(missing(page, CITED.asMatchPredicate())).isEmpty();
    }

    @Test
    void each_defect_is_shown_by_something_and_by_names_only() {
        assertThat(shown(page()))
                .hasSizeGreaterThan(50)
                .allSatisfy(cell -> assertThat(names(cell).stream()
                                .map(name -> "`" + name + "`")
                                .collect(Collectors.joining(", ")))
                        .isEqualTo(cell)
                        .isNotEmpty());
    }

    @Test
    void each_letter_of_et_operator_s_defects_has_a_line() {
        assertThat(Pattern.compile("^\\| \\((.)\\) ", Pattern.MULTILINE)
                        .matcher(page())
                        .results()
                        .map(line -> line.group(1))
                        .collect(Collectors.joining()))
                .isEqualTo("abcdefghijklmnopqr");
    }

    @Test
    void a_missing_test_is_reported() throws IOException {
        assertThat(missing("""
                        | its defect | EDL | shown by |
                        |---|---|---|
                        | a | b | `DefectsPageTest.a_missing_test_is_reported`, `Submit.java` |
                        | no such method | b | `DefectsPageTest.what_is_not` |
                        | no test | b | `DefectsPageTest.missing`, `DefectsPageTest.isCheck` |
                        | no such class | b | `DefectPageTest.a_missing_test_is_reported` |
                        | no method at all | b | `DefectsPageTest` |
                        | no check | b | `Checks.java`, `Submitted.java` |
                        """))
                .containsExactly(
                        "DefectsPageTest.what_is_not",
                        "DefectsPageTest.missing",
                        "DefectsPageTest.isCheck",
                        "DefectPageTest.a_missing_test_is_reported",
                        "DefectsPageTest",
                        "Checks.java",
                        "Submitted.java");
    }

    @Test
    void a_missing_test_is_reported_among_other_words() throws IOException {
        assertThat(missing("""
                        | promise | EDL | held by |
                        |---|---|---|
                        | a | `b.c` | `DefectsPageTest.a_missing_test_is_reported`, with `dist_sync`, `Submit.java` |
                        | no check | b | `frameworks/mxnet`, `frameworks/nonet`; no check of `edl train` |
                        | no test | b | `.ci/full zoo`, `DefectsPageTest.what_is_not`, `Submitted.java` |
                        """, CITED.asMatchPredicate()))
                .containsExactly("frameworks/nonet", "DefectsPageTest.what_is_not", "Submitted.java");
    }
}
