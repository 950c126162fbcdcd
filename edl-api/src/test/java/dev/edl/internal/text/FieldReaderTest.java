package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldReaderTest {
    private final List<String> problems = new ArrayList<>();

    private FieldReader reader(FieldReaderSettings dialect, Map<String, ?> map) {
        return FieldReader.of("spec", DataNode.of(map), dialect, problems::add);
    }

    @Test
    void an_unknown_key_is_reported_with_the_nearest_in_all_dialects() {
        for (FieldReaderSettings dialect : FieldReaderSettings.values()) {
            reader(dialect, Map.of("replicsa", 1)).only(List.of("replicas", "image"));
        }

        assertThat(problems)
                .hasSize(FieldReaderSettings.values().length)
                .containsOnly("spec.replicsa: unknown key; did you mean \"replicas\"?");
    }

    @Test
    void a_value_of_the_wrong_type_is_shown_with_a_valid_form() {
        Map<String, ?> wrong = Map.of("list", List.of(1, "a"));

        for (FieldReaderSettings dialect : FieldReaderSettings.values()) {
            assertThat(reader(dialect, wrong).map("list")).isEmpty();
        }

        assertThat(problems)
                .containsExactly(
                        "spec.list must be a map, was a list",
                        "spec.list must be a map, was [1,\"a\"]; for example {name: value}",
                        "spec.list must be a map, was [1,\"a\"]; for example {name: value}");
    }

    @Test
    void a_boolean_in_place_of_a_text_is_shown_as_written() {
        for (FieldReaderSettings dialect : FieldReaderSettings.values()) {
            assertThat(reader(dialect, Map.of("word", true)).text("word")).isEmpty();
        }

        assertThat(problems)
                .containsExactly(
                        "spec.word must be text, was true; for example \"true\"",
                        "spec.word must be text, was true; for example \"true\"",
                        "spec.word must be text, was true; for example \"true\"");
    }

    @Test
    void only_in_a_kubernetes_object_a_null_value_counts_as_absent() {
        Map<String, ?> map = Collections.singletonMap("image", null);

        assertThat(reader(FieldReaderSettings.KUBERNETES, map).has("image")).isFalse();
        assertThat(problems).isEmpty();
        assertThat(reader(FieldReaderSettings.JSON, map).text("image")).isEmpty();
        assertThat(problems).containsExactly("spec.image must be text, was null; for example \"null\"");
    }

    @Test
    void a_floating_point_number_is_a_whole_number_by_its_value() {
        for (double number : new double[] {1e9, 1e18, 1.5, 1e19}) {
            reader(FieldReaderSettings.KUBERNETES, Map.of("count", number))
                    .number("count", 0, Long.MAX_VALUE, count -> problems.add("count " + count));
        }
        reader(FieldReaderSettings.KUBERNETES, Map.of("replicas", 4.0))
                .whole("replicas", replicas -> problems.add("replicas " + replicas));

        assertThat(problems)
                .containsExactly(
                        "count 1000000000",
                        "count 1000000000000000000",
                        "spec.count must be a whole number from 0 to 9223372036854775807, was 1.5; for example 1",
                        "spec.count must be a whole number from 0 to 9223372036854775807, was 10000000000000000000; for"
                                + " example 1",
                        "replicas 4");
    }

    @Test
    void an_infinity_of_yaml_is_no_text() {
        assertThat(reader(FieldReaderSettings.KUBERNETES, Map.of("image", Double.POSITIVE_INFINITY))
                        .text("image"))
                .isEmpty();
        assertThat(problems).containsExactly("spec.image must be text, was \"Infinity\"; for example \"Infinity\"");
    }

    @Test
    void a_number_beyond_its_bits_is_refused_however_long() {
        FieldReader reader = FieldReader.of(
                "",
                new DataNode.Mapping(
                        Map.of("a", new DataNode.Numeral("2147483648"), "b", new DataNode.Numeral("-2147483648"))),
                FieldReaderSettings.JSON,
                problems::add);
        reader.whole("a", number -> problems.add("a " + number));
        reader.whole("b", number -> problems.add("b " + number));

        assertThat(problems).containsExactly("a must lie within 32 bits, was 2147483648", "b -2147483648");
        assertThat(ValueReader.within(new DataNode.Numeral("9".repeat(1_000_000)), 64))
                .isEmpty();
    }

    @Test
    void a_list_gives_its_texts_and_a_mistake_for_each_other_value() {
        FieldReader reader = reader(FieldReaderSettings.JSON, Map.of("args", Arrays.asList("a", 1, "b", null)));

        assertThat(reader.words("args")).contains(List.of("a", "b"));
        assertThat(problems)
                .containsExactly(
                        "spec.args[1] must be text, was 1; for example \"1\"",
                        "spec.args[3] must be text, was null; for example \"null\"");
        assertThat(reader.words("command")).isEmpty();
    }

    @Test
    void a_word_near_a_known_one_is_suggested() {
        reader(FieldReaderSettings.KUBERNETES, Map.of()).unknownWord("policy", "Runing", List.of("None", "Running"));

        assertThat(problems)
                .containsExactly("spec.policy must be one of None, Running, was \"Runing\"; did you mean \"Running\"?");
    }
}
