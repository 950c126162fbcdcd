package com.acme;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.testkit.DmlcAssert;
import dev.edl.testkit.ElasticDlEnvAssert;
import dev.edl.testkit.HorovodElasticAssert;
import dev.edl.testkit.HorovodHostsAssert;
import dev.edl.testkit.JobAssert;
import dev.edl.testkit.MxConfigAssert;
import dev.edl.testkit.PlanAssert;
import dev.edl.testkit.ReplicaAssert;
import dev.edl.testkit.RoleAssert;
import dev.edl.testkit.TfConfigAssert;
import dev.edl.testkit.TorchrunAssert;
import dev.edl.testkit.k8s.ContainerAssert;
import dev.edl.testkit.k8s.ManifestsAssert;
import dev.edl.testkit.k8s.PodAssert;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Checks every line of docs/testing.md: its Java against {@link MnistJobTest}, its messages against those of the
 * assertions.
 */
class TestingPageTest {
    private static final Pattern IN_SOURCE = Pattern.compile("// region: \\S+\\n(.*?)// end\\n", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|(.*)\\|$", Pattern.MULTILINE);
    private static final Map<String, Class<?>> TYPES = List.of(
                    JobAssert.class,
                    RoleAssert.class,
                    PlanAssert.class,
                    ReplicaAssert.class,
                    TfConfigAssert.class,
                    MxConfigAssert.class,
                    DmlcAssert.class,
                    TorchrunAssert.class,
                    ElasticDlEnvAssert.class,
                    HorovodHostsAssert.class,
                    HorovodElasticAssert.class,
                    PodAssert.class,
                    ContainerAssert.class,
                    ManifestsAssert.class)
            .stream()
            .collect(Collectors.toMap(Class::getSimpleName, type -> type));

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject))
                .replace("\r\n", "\n");
    }

    private static String page() throws IOException {
        return read("../docs/testing.md", "docs/testing.md");
    }

    private static List<String> found(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static List<String> blocks(String language) throws IOException {
        return found(Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL), page());
    }

    private static List<String> withoutBlanks(List<String> blocks) {
        return blocks.stream().map(block -> block.replaceAll("\\s", "")).toList();
    }

    private static String message(ThrowingCallable failing) {
        return catchThrowable(failing).getMessage() + "\n";
    }

    @Test
    void its_java_is_what_runs() throws IOException {
        String path = "src/test/java/com/acme/MnistJobTest.java";
        List<String> run = withoutBlanks(found(IN_SOURCE, read(path, "edl-testkit/" + path)));
        assertThat(run).hasSize(10);
        assertThat(withoutBlanks(blocks("java"))).isEqualTo(run);
    }

    @Test
    void its_imports_are_ones_that_jshell_keeps_beside_each_other() throws IOException {
        List<String> typed = new ArrayList<>(blocks("java").get(0).lines().toList());
        typed.add(
                "assertThat(dev.edl.Job.builder().ps(1).workers(2).build()).hasRoles(\"master\", \"ps\", \"worker\")");
        typed.add("assertThat(List.of(1)).hasSize(1)");
        List<String> refused = new ArrayList<>();
        try (JShell shell = JShell.builder().executionEngine("local").build()) {
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            List.of(path.split(File.pathSeparator)).forEach(shell::addToClasspath);
            shell.eval("import java.util.List;");
            for (String line : typed) {
                for (SnippetEvent event : shell.eval(line)) {
                    if (event.status() != Snippet.Status.VALID || event.exception() != null) {
                        refused.add(line);
                    }
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void its_failures_are_those_of_the_assertions() throws IOException {
        MnistJobTest test = new MnistJobTest();
        String failures = message(() -> assertThat(test.job).role("worker").hasReplicas(8))
                + message(() -> assertThat(test.job).role("wroker"))
                + message(() -> assertThat(test.job.plan()).replica("ps", 1).hasEnv("TF_CONFIGS", "{}"));
        test.job = test.job.toBuilder().ps(2).request("memory=4Gi").build();
        assertThat(blocks("text")).containsExactly(failures, message(test::the_plan_is_as_approved));
    }

    @Test
    void its_tables_name_what_there_is() throws IOException {
        Matcher row = ROW.matcher(page());
        List<String> named = new ArrayList<>();
        while (row.find()) {
            named.add(row.group(1));
            Set<String> methods = Arrays.stream(TYPES.get(row.group(1)).getMethods())
                    .filter(method -> method.getDeclaringClass().getName().startsWith("dev.edl."))
                    .filter(method -> !method.getName().equals("toString"))
                    .map(Method::getName)
                    .collect(Collectors.toSet());
            assertThat(found(Pattern.compile("`(\\w+)`"), row.group(2)))
                    .as(row.group(1))
                    .containsExactlyInAnyOrderElementsOf(methods);
        }
        assertThat(named).containsExactlyInAnyOrderElementsOf(TYPES.keySet());
    }

    @Test
    void its_dependency_and_its_command_are_right() throws IOException {
        String pom = read("pom.xml", "edl-testkit/pom.xml");
        for (String said : found(
                Pattern.compile("(<(?:groupId|version)>.*?>)"), blocks("xml").get(0))) {
            assertThat(pom).contains(said);
        }
        assertThat(blocks("xml").get(0)).contains("<artifactId>edl-testkit</artifactId>");
        assertThat(pom).contains("<artifactId>edl-testkit</artifactId>");
        assertThat(blocks("sh").get(0)).isEqualTo("mvn test -Dedl.approve\n");
        String[] sweep = blocks("sh").get(1).split("\n");
        String glob = sweep[0].replaceAll("find src/test/resources -name '(.*)' -delete", "$1");
        Path golden = Path.of("MnistJobTest.the_plan_is_as_approved.yaml");
        assertThat(FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(golden))
                .as(glob)
                .isTrue();
        assertThat(sweep).hasSize(3).contains("mvn test -Dedl.approve", "git status --short src/test/resources");
        assertThat(blocks("text").get(1)).contains(" -Dedl.approve\n");
    }
}
