package dev.edl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class JavaCallReplacerTest {
    /** Returns the string literals of the library, with {@code X} for each value between them. */
    private static String messages() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String module : List.of("edl-api", "edl-k8s", "edl-testkit")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    text.append(Files.readString(file)
                            .lines()
                            .filter(line -> !line.strip().startsWith("*"))
                            .collect(Collectors.joining("\n"))
                            .replaceAll("(?<!\\\\)\"\\s*\\+\\s*\"", "")
                            .replaceAll("(?<!\\\\)\"\\s*\\+[^\";]*\\+\\s*\"", "X")
                            .replaceAll("(?<!\\\\)\"", "\n")
                            .replace("\\\"", "\""));
                }
            }
        }
        return text.toString();
    }

    @Test
    void each_row_is_a_call_in_a_message_of_the_library() throws IOException {
        String messages = messages();

        assertThat(JavaCallReplacer.ROWS).allSatisfy(row -> assertThat(messages).containsPattern(row.call()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            add .ps(2), which implies the scheduler      | add --ps 2, which implies the scheduler
            or .tensorflow(), .pytorch()                 | or --framework tensorflow, --framework pytorch
            for example image("registry.example/a/b:1")  | for example --image registry.example/a/b:1
            default class; .priority(HIGH)               | default class; --priority high
            add .env("DMLC_USE_KUBERNETES", "1"), or     | add --env DMLC_USE_KUBERNETES=1, or
            secretEnv("A", "my-secret", "A")             | secretEnv("A", "my-secret", "A")
            for example workers(4).elastic(1, 8)         | for example workers(4).elastic(1, 8)
            for example .elastic(1, 8)                   | for example elastic: {min: 1, max: 8}
            elastic(min, max) needs                      | elastic needs
            for example ps(2).workers(4)                 | for example --ps 2 --workers 4
            for example workers(4).priority("0.5")       | for example --priority high
            add .launcher().command("sh", "-c", "a $B")  | add roles: {launcher: {command: [sh, -c, "a $B"]}} to its file
            work; .master() configures it                | work; master under roles of a file configures it
            for example .nodes(3, "cpu=8,memory=30Gi")   | for example --nodes 3 --node cpu=8,memory=30Gi
            over, delete("team", "mnist") removes it     | over, edl delete mnist -n team removes it
            applies it: attach("team", "mnist")          | applies it: edl attach mnist -n team
            example Path.of(System.getProperty("user.home"), ".kube", "config")     | example --kubeconfig ~/.kube/config
            example KubernetesExecutor.fromKubeconfig(Path.of("/etc/a/kubeconfig")) | example --kubeconfig /etc/a/kubeconfig
            """)
    void a_message_names_flags(String java, String flags) {
        CommandSpec all = CommandSpec.create();
        JavaCallReplacer.ROWS.stream()
                .map(JavaCallReplacer.Row::flag)
                .distinct()
                .forEach(flag -> all.addOption(OptionSpec.builder(flag).build()));

        assertThat(JavaCallReplacer.translated(java, all)).isEqualTo(flags);
        assertThat(JavaCallReplacer.translated(java, CommandSpec.create())).isEqualTo(java);
    }
}
