package dev.edl.k8s.render.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.yaml.snakeyaml.Yaml;

class ManifestYamlTest {
    private static final String PIECES = "aZ09 \n\t\"'\\:#-|>{}[]&*!%@`,?~=.$é\u0085\u2028\ud83d\ude00";

    @Test
    void the_yaml_reads_as_handwritten() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("image", "gcr.io/acme/mnist:1");
        map.put("json", "{\"it's\":[1]}");
        map.put("number", 5);
        map.put("digits", "5");
        map.put("word", "yes");
        map.put("script", "#!/bin/sh\n\n  exit 0\n");
        map.put("empty", Map.of());
        map.put("list", List.of(Map.of("a", "b"), "c d", List.of()));

        assertThat(ManifestYaml.one(map)).isEqualTo("""
                ---
                image: gcr.io/acme/mnist:1
                json: '{"it''s":[1]}'
                number: 5
                digits: "5"
                word: "yes"
                script: |
                  #!/bin/sh

                    exit 0
                empty: {}
                list:
                - a: b
                - "c d"
                - []
                """);
    }

    @Test
    void every_value_reads_back_equal() {
        long seed = 20261121;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Map<String, Object> map = new LinkedHashMap<>();
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                list.add(string(random));
                map.put("k" + string(random), string(random));
            }
            map.put("list", list);

            Map<?, ?> read = Serialization.unmarshal(ManifestYaml.one(map), Map.class);

            assertThat((Object) read)
                    .as("seed %s, round %s: %s", seed, round, map)
                    .isEqualTo(map);
        }
    }

    @Test
    void ambiguous_words_stay_text() {
        List<String> words = List.of(
                "on",
                "OFF",
                "y",
                "N",
                "Yes",
                "no",
                "true",
                "False",
                "null",
                "~",
                "",
                " ",
                "0x1f",
                "0o17",
                "017",
                "0b1",
                "1e3",
                "1_000",
                "+1",
                ".5",
                ".inf",
                ".NaN",
                "1.0",
                "12:30:45",
                "2001-01-01",
                "=",
                "<<",
                "-",
                "---",
                "...",
                "- x",
                "? x",
                "a: b",
                "a #b",
                "#c",
                "a:",
                ":a",
                "{a}",
                "[a]",
                "&a",
                "*a",
                "!t",
                "|",
                ">",
                "%d",
                "@a",
                "`a`",
                ",",
                "x'y",
                "it's \"q\"",
                "\\",
                "a\\nb",
                "a\nb",
                "a\nb\n",
                "\n",
                "x\n\n",
                " lead\nx\n",
                "trail \nx\n",
                "cr\rlf\r\n",
                "tab\t",
                "\u0001",
                "\u007f",
                "\u0085",
                "\u2028",
                "\ufeffbom",
                "日本語",
                "😀");
        Map<String, Object> map = new LinkedHashMap<>();
        words.forEach(word -> map.put("k" + map.size(), word));
        words.forEach(word -> map.put(word, "v" + map.size()));
        map.put("list", words);
        String text = ManifestYaml.one(map);

        // Version 1.1, as kubectl reads it, and 1.2.
        assertThat(new Yaml().<Object>load(text)).isEqualTo(map);
        assertThat(new Load(LoadSettings.builder().build()).loadFromString(text))
                .isEqualTo(map);
    }

    private static String string(Random random) {
        StringBuilder string = new StringBuilder();
        int[] pieces = PIECES.codePoints().toArray();
        for (int i = random.nextInt(12); i > 0; i--) {
            string.appendCodePoint(pieces[random.nextInt(pieces.length)]);
        }
        return string.toString();
    }
}
