package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.Job;
import dev.edl.plan.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class GoldenTest {
    @TempDir
    Path directory;

    private final Job job = Job.named("flat").image("img:1").master().workers(2).build();

    /** Runs a test as under {@code -Dedl.approve}. */
    private static void approving(String value, Runnable test) {
        System.setProperty(Golden.APPROVE, value);
        try {
            test.run();
        } finally {
            System.clearProperty(Golden.APPROVE);
        }
    }

    @Test
    void the_file_of_a_test_is_found_by_its_name() {
        assertThat(job.plan()).matchesGolden().hasName("flat");
        assertThat(Golden.ofTest())
                .hasToString(
                        "src/test/resources/dev/edl/testkit/GoldenTest.the_file_of_a_test_is_found_by_its_name.yaml");
    }

    @Test
    void a_name_that_is_given_is_below_the_resources() {
        assertThat(job.plan()).matchesGolden("plans/flat.yaml");
        assertThat(Golden.named("plans/flat.yaml")).hasToString("src/test/resources/plans/flat.yaml");
    }

    /** Class with an inherited test, for which the stack has the method and not the subclass. */
    abstract static class Base {
        @Test
        void the_command_for_an_inherited_test_selects_it_by_its_method() {
            fails(
                    () -> Golden.named("plans/none.yaml").check("plan", "a\n"),
                    "plan is not approved yet: there is no src/test/resources/plans/none.yaml. Approve it:\n"
                            + "  mvn test -Dtest='*#the_command_for_an_inherited_test_selects_it_by_its_method'"
                            + " -Dedl.approve\n"
                            + "It is now:\na\n");
        }
    }

    @Nested
    class Inheriting extends Base {}

    @Nested
    class Inside {
        @Test
        void a_nested_class_has_its_outer_ones_name_before_its_own() {
            assertThat(Golden.ofTest())
                    .hasToString("src/test/resources/dev/edl/testkit/"
                            + "GoldenTest.Inside.a_nested_class_has_its_outer_ones_name_before_its_own.yaml");
            fails(
                    () -> Golden.named("plans/none.yaml").check("plan", "a\n"),
                    "plan is not approved yet: there is no src/test/resources/plans/none.yaml. Approve it:\n"
                            + "  mvn test -Dtest='GoldenTest$Inside#a_nested_class_has_its_outer_ones_name_before_its_own'"
                            + " -Dedl.approve\n"
                            + "It is now:\na\n");
        }
    }

    @Test
    void a_missing_file_fails_with_the_command_that_approves_it() {
        fails(
                () -> assertThat(job.plan()).matchesGolden("plans/none.yaml"),
                "plan of job \"flat\" is not approved yet: there is no src/test/resources/plans/none.yaml. Approve it:\n"
                        + "  mvn test -Dtest=GoldenTest#a_missing_file_fails_with_the_command_that_approves_it"
                        + " -Dedl.approve\n"
                        + "It is now:\n"
                        + PlanText.of(job.plan()));
    }

    @Test
    void a_change_fails_with_a_diff_and_the_command_that_approves_it() throws IOException {
        Path file = directory.resolve("flat.yaml");
        Files.writeString(file, PlanText.of(job.plan()));
        fails(
                () -> assertThat(job.toBuilder()
                                .workers(2)
                                .image("img:2")
                                .build()
                                .plan())
                        .as("nightly")
                        .matchesGolden(file),
                "[nightly] plan of job \"flat\" differs from " + file + """
                         (-: approved, +: now):
                        @@ -36,7 +36,7 @@
                             replicas: 2
                             name: "elasticdl-flat-worker-<id>"
                             address: "elasticdl-flat-worker-<index>.default.svc:3333"
                        -    image: "img:1"
                        +    image: "img:2"
                             restart: "ON_FAILURE"
                             relaunchLimit: 1
                             freeExitCodes:
                        If the change is intended, approve it:
                          mvn test -Dtest=GoldenTest#a_change_fails_with_a_diff_and_the_command_that_approves_it -Dedl.approve\
                        """);
    }

    @Test
    void approving_writes_the_file_with_its_directories_and_then_it_matches() {
        Path file = directory.resolve("a/b/flat.yaml");
        approving("", () -> assertThat(job.plan()).matchesGolden(file));
        assertThat(file).hasContent(PlanText.of(job.plan()));
        assertThat(job.plan()).matchesGolden(file);
    }

    @Test
    void approving_replaces_what_was_approved() throws IOException {
        Path file = directory.resolve("flat.yaml");
        Files.writeString(file, "other\n");
        approving("true", () -> Golden.at(file).check("text", "new\n"));
        assertThat(file).hasContent("new\n");
    }

    @Test
    void false_is_no_approval() {
        Path file = directory.resolve("flat.yaml");
        Throwable failure =
                catchThrowable(() -> approving("false", () -> Golden.at(file).check("text", "new\n")));
        assertThat(failure).isInstanceOf(AssertionError.class);
        assertThat(file).doesNotExist();
    }

    @Test
    void two_texts_cannot_be_approved_for_one_file() {
        Path file = directory.resolve("flat.yaml");
        approving("", () -> {
            Golden.at(file).check("text", "a\n");
            Golden.at(file).check("text", "a\n");
            fails(
                    () -> Golden.at(file).check("other text", "b\n"),
                    "other text: " + file + " was approved for another text in this run; give each a file of its own,"
                            + " for example matchesGolden(\"plans/mnist.yaml\")");
        });
        assertThat(file).hasContent("a\n");
    }

    @Test
    void ends_of_lines_may_be_those_of_windows() throws IOException {
        Path file = directory.resolve("flat.yaml");
        Files.writeString(file, PlanText.of(job.plan()).replace("\n", "\r\n"));
        assertThat(job.plan()).matchesGolden(file);
    }

    @Test
    void the_current_text_may_have_windows_line_ends() throws IOException {
        Path file = directory.resolve("flat.yaml");
        Files.writeString(file, "a\nb\n");
        Golden.at(file).check("text", "a\r\nb\r\n");
        fails(
                () -> Golden.at(file).check("text", "a\nb\r"),
                "text differs from " + file + " (-: approved, +: now):\n@@ -1,2 +1,2 @@\n a\n-b\n+b\\r\n"
                        + "If the change is intended, approve it:\n  mvn test"
                        + " -Dtest=GoldenTest#the_current_text_may_have_windows_line_ends -Dedl.approve");
    }

    @Test
    void approving_a_change_of_line_ends_only_keeps_the_file() throws IOException {
        Path file = directory.resolve("flat.yaml");
        Files.writeString(file, "a\r\nb\r\n");
        approving("", () -> Golden.at(file).check("text", "a\nb\n"));
        assertThat(Files.readString(file)).isEqualTo("a\r\nb\r\n");
    }

    @Test
    void a_build_server_approves_nothing() {
        Path file = directory.resolve("flat.yaml");
        approving(
                "",
                () -> fails(
                        () -> Golden.at(file).check("text", "a\n", "true"),
                        "text is not approved: a build server approves nothing, and here the environment variable CI is"
                                + " \"true\". Run it without -Dedl.approve, or approve where CI is not set:\n"
                                + "  mvn test -Dtest=GoldenTest#a_build_server_approves_nothing -Dedl.approve"));
        assertThat(file).doesNotExist();
        approving("", () -> Golden.at(file).check("text", "a\n", "false"));
        assertThat(file).hasContent("a\n");
        Golden.at(file).check("text", "a\n", "true");
    }

    @Test
    void a_file_has_the_letters_of_any_script_in_its_name() {
        assertThat(new RunningTest(GoldenTest.class, "\u8ba1\u5212 1").path())
                .isEqualTo("dev/edl/testkit/GoldenTest.\u8ba1\u5212-1");
    }

    @TestFactory
    Stream<DynamicTest> a_test_of_a_factory_finds_the_module_of_its_class() {
        return Stream.of(DynamicTest.dynamicTest("one", () -> {
            assertThat(job.plan()).matchesGolden("plans/flat.yaml");
            assertThat(TestModuleDirectory.ofCaller()).isDirectoryContaining(path -> path.endsWith("pom.xml"));
            assertThat(TestModuleDirectory.ofCaller().getFileName()).hasToString("edl-testkit");
        }));
    }

    @Test
    void a_missing_final_newline_is_reported() throws IOException {
        Path file = directory.resolve("flat.yaml");
        Files.writeString(file, "a");
        fails(
                () -> Golden.at(file).check("text", "a\n"),
                "text differs from " + file + " (-: approved, +: now):\nonly in the newline at the end\n"
                        + "If the change is intended, approve it:\n"
                        + "  mvn test -Dtest=GoldenTest#a_missing_final_newline_is_reported -Dedl.approve");
    }

    @Test
    void only_an_explicit_run_id_is_in_the_text() {
        assertThat(PlanText.of(job.plan()))
                .contains("runId: \"<run id>\"\n", "EDL_RUN_ID: '<run id>'\n")
                .doesNotContain(job.plan().runId());
        assertThat(PlanText.of(job.toBuilder().runId("r1").build().plan()))
                .contains("runId: \"r1\"\n", "EDL_RUN_ID: 'r1'\n");
    }

    @Test
    void a_run_id_is_hidden_as_a_word_and_not_within_others() {
        assertThat(PlanText.withoutRunId("mnist-worker-2222-0:12222 runId: \"2222\" x2222", "2222"))
                .isEqualTo("mnist-worker-<run id>-0:12222 runId: \"<run id>\" x2222");
    }

    @Test
    void the_environment_is_yaml_whatever_its_values() {
        Job odd = Job.named("odd")
                .runId("r1")
                .env("QUOTES", "'a' \"b\"")
                .env("LINES", "one\ntwo\t\"\\\u00e9\ud83d\ude00")
                .tensorflow()
                .workers(1)
                .build();
        assertThat(PlanText.of(odd.plan())).endsWith("""
                ---
                # The environment of the first replica of each role; a long value is broken behind its commas.
                elasticdl-odd-worker-0:
                  LINES: "one\\ntwo\\t\\"\\\\\\u00e9\\U0001f600"
                  QUOTES: '''a'' "b"'
                """);
        assertThat(PlanText.of(Job.named("bare").tensorflow().workers(1).build().plan()))
                .endsWith("elasticdl-bare-worker-0: {}\n");
    }

    @Test
    void a_long_value_is_broken_at_its_commas_for_a_readable_diff() {
        Job job = Job.named("mnist").tensorflow().ps(1).workers(2).build();
        assertThat(PlanText.of(job.plan(Profile.KUBEFLOW_V1))).endsWith("""
                mnist-worker-0:
                  TF_CONFIG:
                    - '{"cluster":{"ps":["mnist-ps-0.default.svc:2222"],'
                    - '"worker":["mnist-worker-0.default.svc:2222",'
                    - '"mnist-worker-1.default.svc:2222"]},'
                    - '"task":{"type":"worker",'
                    - '"index":0},'
                    - '"environment":"cloud"}'
                """);
    }

    @Test
    void a_message_has_at_most_two_hundred_lines_of_a_text() {
        Path file = directory.resolve("flat.yaml");
        fails(
                () -> Golden.at(file).check("text", "a\n".repeat(201)),
                "text is not approved yet: there is no " + file + ". Approve it:\n"
                        + "  mvn test -Dtest=GoldenTest#a_message_has_at_most_two_hundred_lines_of_a_text -Dedl.approve\n"
                        + "It is now:\n" + "a\n".repeat(200) + "... and 1 more lines\n");
    }

    @Test
    void a_message_cuts_long_lines_in_the_middle() throws IOException {
        Path file = directory.resolve("flat.yaml");
        String line = "a".repeat(1000) + "\n";
        String cut = "a".repeat(200) + " ...(600 more)... " + "a".repeat(200) + "\n";
        String command = "  mvn test -Dtest=GoldenTest#a_message_cuts_long_lines_in_the_middle -Dedl.approve";
        fails(
                () -> Golden.at(file).check("text", line),
                "text is not approved yet: there is no " + file + ". Approve it:\n" + command + "\nIt is now:\n" + cut);
        Files.writeString(file, "b\n");
        fails(
                () -> Golden.at(file).check("text", line),
                "text differs from " + file + " (-: approved, +: now):\n@@ -1 +1 @@\n-b\n+" + cut
                        + "If the change is intended, approve it:\n" + command);
    }

    @Test
    void a_name_outside_the_resources_is_refused() {
        for (String name : new String[] {"", "/etc/passwd", "../mnist.yaml", "a/../b.yaml", "plans\\mnist.yaml"}) {
            assertThatThrownBy(() -> Golden.named(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a golden file's name must be a path below src/test/resources, was \"" + name
                            + "\"; for example plans/mnist.yaml");
        }
    }

    @Test
    void a_thread_without_a_test_requires_a_name() {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> thrown.complete(catchThrowable(Golden::ofTest)), "elsewhere");
        thread.start();
        assertThat(thrown.orTimeout(10, TimeUnit.SECONDS).join())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "no test method is running on thread \"elsewhere\" (the tests of a @TestFactory run after it), so"
                                + " the file has no name; give one, for example matchesGolden(\"plans/mnist.yaml\")");
    }

    @Test
    void a_file_that_cannot_be_read_or_written_is_named_with_the_reason() throws IOException {
        assertThatThrownBy(() -> Golden.at(directory).check("text", "a\n"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("text: golden file " + directory + ": java.io.IOException: Is a directory");
        Path file = Files.writeString(directory.resolve("file"), "");
        Path below = file.resolve("flat.yaml");
        assertThatThrownBy(() -> approving("", () -> Golden.at(below).check("text", "a\n")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("text: golden file " + below + ": java.nio.file.FileAlreadyExistsException: " + file);
    }
}
