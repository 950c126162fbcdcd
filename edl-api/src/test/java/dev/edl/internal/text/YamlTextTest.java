package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlTextTest {
    private static DataNode.Mapping tree() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("codes", List.of(1, 2));
        map.put("bounds", Map.of("min", 1));
        map.put("lists", List.of(List.of("a", 1.5, Map.of("b", true))));
        map.put("json", "{\"a\":1}");
        map.put("script", "#!/bin/sh\n\nexit 0\n");
        map.put("steps", List.of(Map.of("name", "on")));
        map.put("empty", Map.of());
        map.put("nothing", null);
        return DataNode.Mapping.of(map);
    }

    @Test
    void a_job_has_numbers_on_one_line() {
        assertThat(YamlText.print(tree(), YamlStyle.JOB)).isEqualTo("""
                codes: [1, 2]
                bounds: {min: 1}
                lists:
                  - ["a",1.5,{"b":true}]
                json: "{\\"a\\":1}"
                script: "#!/bin/sh\\n\\nexit 0\\n"
                steps:
                  - name: "on"
                empty: {}
                nothing: null
                """);
    }

    @Test
    void a_resource_has_each_entry_on_a_line() {
        assertThat(YamlText.print(tree(), YamlStyle.RESOURCE)).isEqualTo("""
                codes:
                  - 1
                  - 2
                bounds:
                  min: 1
                lists:
                  - ["a",1.5,{"b":true}]
                json: "{\\"a\\":1}"
                script: "#!/bin/sh\\n\\nexit 0\\n"
                steps:
                  - name: "on"
                empty: {}
                nothing: null
                """);
    }

    @Test
    void a_manifest_has_scripts_as_blocks_and_lists_without_an_indent() {
        assertThat(YamlText.print(tree(), YamlStyle.MANIFEST)).isEqualTo("""
                codes:
                - 1
                - 2
                bounds:
                  min: 1
                lists:
                - ["a",1.5,{"b":true}]
                json: '{"a":1}'
                script: |
                  #!/bin/sh

                  exit 0
                steps:
                - name: "on"
                empty: {}
                nothing: null
                """);
    }
}
