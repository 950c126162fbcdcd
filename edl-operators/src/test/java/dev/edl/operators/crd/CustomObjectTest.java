package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Collections;
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

    /** By the rules of Go's yaml.v2, which Kubernetes and its tools read with. */
    @ParameterizedTest
    @CsvSource({
        "0644, 420",
        "0o17, 15",
        "0x1F, 31",
        "0b11, 3",
        "1_000, 1000",
        "-07, -7",
        "+5, 5",
        "0, 0",
        "yes, true",
        "On, true",
        "OFF, false",
        "n, false",
        "oN, oN",
        "089, 89",
        "1e3, 1000",
        ".5, 0.5",
        "1.0.0, 1.0.0",
        "12:30, 12:30",
        "2020-01-01, 2020-01-01",
        "'\"0644\"', 0644",
        "'\"yes\"', yes",
        "0_x, 0_x",
        "0x_, 0x_",
        "0B_, 0B_",
        "0x_1, 1",
        "9223372036854775808," + " 9223372036854775808"
    })
    void words_without_quotes_are_what_they_are_to_Kubernetes(String written, String read) {
        assertThat(String.valueOf(
                        CustomObject.fromYaml("a: " + written).fields().get("a")))
                .isEqualTo(read);
    }

    @Test
    void null_is_written_in_four_ways() {
        assertThat(CustomObject.fromYaml("a: ~\nb: null\nc:\nd: NULL\n").fields())
                .containsOnlyKeys("a", "b", "c", "d")
                .allSatisfy((key, value) -> assertThat(value).isNull());
    }

    @Test
    void several_documents_are_several_objects_without_empty_ones() {
        List<CustomObject> all =
                CustomObject.allFromYaml("---\nkind: A\n---\n# nothing\n---\n{\"kind\": \"B\"}\n---\n");

        assertThat(all).extracting(CustomObject::kind).containsExactly("A", "B");
        assertThat(CustomObject.allFromYaml("")).isEmpty();
    }

    /** Two files of Windows, with the line of the separator before or behind the second mark. */
    @Test
    void each_document_may_begin_with_a_byte_order_mark() {
        List<CustomObject> all = CustomObject.allFromYaml(
                "\ufeffkind: A\r\n---\r\n\ufeffkind: B\r\n\ufeff---\r\nkind: C\r\n---\r\n\ufeff{\"kind\": \"D\"}");

        assertThat(all).extracting(CustomObject::kind).containsExactly("A", "B", "C", "D");
        assertThat(all.get(1).source()).containsOnlyKeys("kind");
        assertThat(CustomObject.fromYaml("kind: \ufeffA").kind()).isEqualTo("\ufeffA");
    }

    @Test
    void json_objects_need_no_separator() {
        String first = "{/>`kind`: `A`,/>`a`/>:>[1.0, 1e3, null, true, `\\ud83d\\ude00`]/}";
        String text = "/" + first + "{`kind`:`B`}>/{`kind`:`C`}/---/kind:>D/";
        List<CustomObject> all = CustomObject.allFromYaml(
                text.replace('/', '\n').replace('>', '\t').replace('`', '"'));

        assertThat(all).extracting(CustomObject::kind).containsExactly("A", "B", "C", "D");
        assertThat(all.get(0).fields().get("a")).hasToString("[1, 1000, null, true, \ud83d\ude00]");
        assertThat(all.get(0).source().get("a")).hasToString("[1.0, 1e3, null, true, \ud83d\ude00]");
        assertThatThrownBy(() -> CustomObject.allFromYaml("{\"a\": 1}\n {\"a\": 1,\t\"a\": 2}"))
                .hasMessage("resource: text must be YAML, was not at line 2, column 11: found duplicate key a");
    }

    @Test
    void a_tab_separates_tokens_but_does_not_indent() {
        assertThat(CustomObject.fromYaml("\ufeff---\t# it's\nkind:\tA\t# {\na: |\t\n  b:\tc\nd:\t[\n\t1]\n")
                        .fields())
                .isEqualTo(CustomObject.fromYaml("kind: A\na: \"b:\\tc\\n\"\nd: [1]")
                        .fields());
        for (String refused : List.of("a:\n\tb: 1", "a: 1\n\t\nb: 2", "-\ta: 1", "a: |\n\tb")) {
            assertThatThrownBy(() -> CustomObject.fromYaml(refused))
                    .as(refused)
                    .isInstanceOf(InvalidResourceException.class)
                    .hasMessageContaining("TAB");
        }
    }

    @Test
    void a_list_is_read_as_its_items() {
        String items = "items:\n- {apiVersion: a/v1, kind: A, size: 010}\n- {size: 0x1}\n";
        List<CustomObject> all =
                CustomObject.allFromYaml("kind: None\n---\napiVersion: b/v1\nkind: BList\nmetadata: {}\n"
                        + items
                        + "---\n"
                        + "apiVersion: v1\n"
                        + "kind: List\n"
                        + "items: [{apiVersion: v1, kind: List, items: [{kind: C}]}]\n"
                        + "---\n"
                        + "{kind: DList, items: []}\n"
                        + "---\n"
                        + "{kind: EList, items: null}");

        assertThat(all).extracting(CustomObject::kind).containsExactly("None", "A", "B", "C");
        assertThat(all).extracting(CustomObject::apiVersion).containsExactly("", "a/v1", "b/v1", "");
        assertThat(all.get(2).fields().get("size")).isEqualTo(1L);
        assertThat(all.get(2).source().get("size")).isEqualTo("0x1");
        assertThat(CustomObject.fromYaml("kind: List\nitems: [{kind: A}]").kind())
                .isEqualTo("A");
    }

    @Test
    void texts_that_would_grow_without_end_are_refused() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 12; i++) {
            laughs.append(
                    "a" + i + ": &a" + i + " [" + String.join(", ", Collections.nCopies(9, "*a" + (i - 1))) + "]\n");
        }

        assertThatThrownBy(() -> CustomObject.fromYaml(laughs.toString()))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessageContaining("50");
        assertThatThrownBy(() -> CustomObject.fromYaml("a: &a\n  b: *a\n"))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessageEndingWith("must be nested at most 40 deep, was deeper");
        assertThatThrownBy(() -> CustomObject.fromYaml("a".repeat(2_000_000)))
                .hasMessage("resource: text must have at most 1572864 characters, had 2000000");
        assertThatThrownBy(() -> CustomObject.fromYaml("[".repeat(100_000)))
                .isInstanceOf(InvalidResourceException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|text must hold one document, held none",
                "a: 1\\n"
                        + "---\\n"
                        + "b: 2|text must hold one document, held 2; read each of CustomObject.allFromYaml(text) by"
                        + " itself",
                "kind: List\\n"
                        + "items: [{kind: A}, {kind: B}]|text must hold one object, held 2, counting the items of lists;"
                        + " read each of CustomObject.allFromYaml(text) by itself",
                "kind: List\\nitems: []|text must hold one object, held none, counting the items of lists",
                "kind: List\\nitems: {a: b}|items of a List must be a list, was {\"a\":\"b\"}; for example"
                        + " [{apiVersion: kubeflow.org/v1, kind: TFJob}]",
                "kind: List\\nitems: [1]|an item of a List must be a map, was 1; for example"
                        + " {apiVersion: kubeflow.org/v1, kind: TFJob}",
                "a: !!binary aGk=|a must be a map, list, text, number, boolean or null, was a binary; for example a"
                        + " text",
                "- a|text must be a map, was [\"a\"]; for example apiVersion: kubeflow.org/v1",
                "a: 1\\na: 2|text must be YAML, was not at line 2, column 1: found duplicate key a",
                "a: !x 1|text must be YAML, was not at line 1, column 4: could not determine a constructor for the tag !x",
                "a: 1\\nb: [1, +.inf]|text must be YAML, was not at line 2, column 8:"
                        + " a number must be finite, was \"+.inf\";"
                        + " for example 1.5, or a text in quotes",
                "a: .NaN|text must be YAML, was not at line 1, column 4: a number must be finite, was \".NaN\";"
                        + " for example 1.5, or a text in quotes",
                "a: -1e400|text must be YAML, was not at line 1, column 4: a number must be finite, was \"-1e400\";"
                        + " for example 1.5, or a text in quotes",
                "a: !!float x|text must be YAML, was not at line 1, column 4: a number must be finite, was \"x\";"
                        + " for example 1.5, or a text in quotes",
                "a: !!int x|text must be YAML, was not at line 1, column 4: a number must be whole, was \"x\";"
                        + " for example 12, or a text in quotes",
                "{\"a\": [{\"b\": 1e400}]}|a[0].b must be a finite number, was \"Infinity\"; for example 1.5",
                "a: 1\\nx: {{ .Values.x }}|a key must be a text, was a map at line 2, column 5:"
                        + " \"x: {{ .Values.x }}\"; for example x: 1, or the output of a template",
                "a: 1\\n? [b]\\n: c|a key must be a text, was a list at line 2, column 3:"
                        + " \"? [b]\"; for example x: 1, or the output of a template",
                "a: [|text must be YAML, was not at line 1, column 5: expected the node content, but found '<stream end>'",
            })
    void what_is_no_object_is_refused(String yaml, String message) {
        assertThatThrownBy(() -> CustomObject.fromYaml(yaml.replace("\\n", "\n")))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage("resource: " + message);
    }

    @Test
    void a_number_beyond_64_bits_of_floating_point_is_refused_with_its_path() {
        for (Object number : List.of(Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, new BigDecimal("1e400"))) {
            assertThatThrownBy(() -> CustomObject.of(Map.of("a", Map.of("b", List.of(number)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a.b[0] must be a finite number, was \"" + number + "\"; for example 1.5");
        }
    }

    /** The parser copies the unread part of a scalar for each buffer that it fills. */
    @Test
    void the_parser_reads_the_text_in_one_buffer() {
        assertThat(YamlDocumentReader.settings(new FailsafeYaml(), "a".repeat(100_000))
                        .getBufferSize())
                .isGreaterThan(100_000);
        assertThat(YamlDocumentReader.settings(new FailsafeYaml(), "").getBufferSize())
                .isPositive();
    }

    /** kubectl's reader refuses an escape that is half a surrogate pair. */
    @Test
    void a_character_beyond_16_bits_stands_as_it_is() {
        String yaml = CustomObject.of(java.util.Map.of("kind", "A", "a", "\ud83d\ude00 #"))
                .toYaml();

        assertThat(yaml).contains("a: \"\ud83d\ude00 #\"");
    }
}
