package dev.edl.k8s.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomObjectTest {
    private static final List<String> TRICKY = List.of(
            "",
            " ",
            "yes",
            "No",
            "on",
            "null",
            "~",
            "true",
            "1",
            "010",
            "0x1f",
            "0o17",
            "1e3",
            "1_000",
            ".inf",
            "12:30:45",
            "2026-01-01",
            "- a",
            "a: b",
            "a #b",
            "*a",
            "&a",
            "!a",
            "%a",
            "{a}",
            "[a]",
            "<<",
            "=",
            "---",
            "a\nb",
            "a\r\nb",
            "\t",
            "é",
            "\u0085",
            "\u2028",
            "\ufeff",
            "\ud83d\ude00",
            "\u0001",
            "\\n",
            "a:",
            ":a",
            "trailing ",
            " leading",
            "\"",
            "'");

    @Test
    void every_text_is_read_as_it_was_printed() {
        Map<String, Object> fields = new LinkedHashMap<>();
        TRICKY.forEach(text -> fields.put("k" + text, List.of(text, Map.of(text, text))));

        CustomObject object = CustomObject.of(fields);

        assertThat(CustomObject.fromYaml(object.toYaml())).isEqualTo(object);
    }

    @Test
    void any_tree_is_read_as_it_was_printed() {
        for (long seed = 0; seed < 300; seed++) {
            Map<String, Object> fields = new LinkedHashMap<>(Map.of("x", tree(new Random(seed), 4)));
            CustomObject object = CustomObject.of(fields);

            assertThat(CustomObject.fromYaml(object.toYaml()))
                    .as("seed " + seed)
                    .isEqualTo(object);
        }
    }

    private static Object tree(Random random, int depth) {
        return switch (depth == 0 ? random.nextInt(4) : random.nextInt(7)) {
            case 0 -> random.nextInt();
            case 1 -> random.nextBoolean();
            case 2 -> random.nextInt(1000) / 8.0 + 0.125;
            case 3 -> TRICKY.get(random.nextInt(TRICKY.size()));
            case 4 -> List.of();
            case 5 -> List.of(tree(random, depth - 1), tree(random, depth - 1));
            default -> Map.of("a", tree(random, depth - 1), "b", Map.of());
        };
    }

    @Test
    void the_client_of_Kubernetes_gets_and_gives_the_same_object() {
        CustomObject object = CustomObject.fromYaml(Golden.file("kubeflow_tfjob.yaml"));

        assertThat(object.toKubernetes().getKind()).isEqualTo("TFJob");
        assertThat(CustomObject.of(object.toKubernetes())).isEqualTo(object);
        assertThat(object).hasToString("TFJob default/example-job");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|text must hold one document, held none",
                "a: 1\\n---\\nb: 2|text must hold one document, held 2",
                "- a|text must be a map, was [\"a\"]; for example apiVersion: kubeflow.org/v1",
                "a: 1\\na: 2|text must be YAML, was not at line 2, column 1: found duplicate key a",
                "a: !x 1|text must be YAML, was not at line 1, column 4: could not determine a constructor for the tag !x",
                "a: [|text must be YAML, was not at line 1, column 5: expected the node content, but found '<stream end>'",
            })
    void what_is_no_object_is_refused(String yaml, String message) {
        assertThatThrownBy(() -> CustomObject.fromYaml(yaml.replace("\\n", "\n")))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage("resource: " + message);
    }
}
