package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.Profile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MxConfigTest {
    @Test
    void the_annotation_of_the_tuner_is_the_label() {
        MxConfig config = MxConfig.of(Job.named("j")
                        .mxnet()
                        .annotation("tuner-server-key", "a<b>&\"\u2028\ud83d\ude00")
                        .workers(1)
                        .build()
                        .plan(Profile.KUBEFLOW_V1)
                        .replica("worker", 0))
                .orElseThrow();

        assertThat(config.labels()).containsEntry("worker", "a<b>&\"\u2028\ud83d\ude00");
        assertThat(config)
                .hasToString("{\"cluster\":{\"worker\":[{\"url\":\"j-worker-0\",\"port\":9091}]},"
                        + "\"labels\":{\"worker\":\"a\\u003cb\\u003e\\u0026\\\"\\u2028\ud83d\ude00\"},"
                        + "\"task\":{\"type\":\"worker\",\"index\":0}}");
        assertThat(MxConfig.parse(config.json())).isEqualTo(config);
    }

    @Test
    void keys_that_others_add_are_kept() {
        String text = "{\"cluster\":{},\"labels\":{},\"task\":{\"type\":\"worker\",\"index\":0},"
                + "\"job\":{\"args\":[1.50,true,null,\"\\\"\"]},\"trial\":\"1\"}";
        MxConfig config = MxConfig.parse(text);

        assertThat(config.json()).isEqualTo(text);
        assertThat(config.others()).containsEntry("trial", "\"1\"").containsOnlyKeys("job", "trial");
        assertThat(MxConfig.parse("{\"trial\": \"1\"," + text.substring(1).replace(",\"trial\":\"1\"", "")))
                .isEqualTo(config);
        assertThatThrownBy(() -> MxConfig.parse("{\"cluster\":{},\"labels\":{},\"tasks\":{}}"))
                .hasMessage("MX_CONFIG.tasks: unknown key; did you mean \"task\"?");
    }

    // TVM's parser reads only the keys that it needs.
    @Test
    void keys_that_others_add_to_an_address_or_the_task_are_kept() {
        String text = "{\"cluster\":{\"worker\":[{\"url\":\"a\",\"port\":1,\"zone\":\"x\"}]},\"labels\":{},"
                + "\"task\":{\"type\":\"worker\",\"index\":0,\"trial\":[1.50,null]}}";
        MxConfig config = MxConfig.parse(text);

        assertThat(config).hasToString(text);
        assertThat(config.task().others()).containsExactly(Map.entry("trial", "[1.50,null]"));
        assertThat(config.cluster().getOrDefault("worker", List.of()).get(0).others())
                .containsExactly(Map.entry("zone", "\"x\""));
        assertThat(MxConfig.parse(config.json())).isEqualTo(config);
        assertThatThrownBy(() -> MxConfig.parse(text.replace("index", "indx")))
                .hasMessage("MX_CONFIG.task.indx: unknown key; did you mean \"index\"?");
        assertThatThrownBy(() -> new Task("worker", 0, new TreeMap<>(Map.of("type", "1"))))
                .hasMessage("task.type must not be among the other keys; for example trial");
        assertThatThrownBy(() -> new MxConfig.Node("a", 1, new TreeMap<>(Map.of("zone", "x"))))
                .hasMessageStartingWith("MX_CONFIG.cluster.zone must be JSON, was not at line 1, column 1");
    }

    @Test
    void another_key_has_a_name_of_its_own_and_a_value_of_json() {
        MxConfig config = MxConfig.parse("{\"cluster\":{},\"labels\":{},\"task\":{\"type\":\"worker\",\"index\":0}}");

        assertThat(new MxConfig(config.cluster(), config.labels(), config.task(), new TreeMap<>(Map.of("a", "[ 1 ]"))))
                .isEqualTo(MxConfig.parse(config.json().replace("\"cluster\"", "\"a\":[1],\"cluster\"")));
        assertThatThrownBy(() -> new MxConfig(
                        config.cluster(), config.labels(), config.task(), new TreeMap<>(Map.of("task", "1"))))
                .hasMessage("MX_CONFIG.task must not be among the other keys; for example trial");
        assertThatThrownBy(() -> new MxConfig(
                        config.cluster(), config.labels(), config.task(), new TreeMap<>(Map.of("a", "1,\"b\":2"))))
                .hasMessageStartingWith("MX_CONFIG.a must be JSON, was not at line 1, column 2");
    }

    @Test
    void mistakes_are_reported_with_their_path() {
        assertThatThrownBy(() -> MxConfig.parse("{\"cluster\":{\"worker\":[{\"uri\":\"a\"}]},\"labels\":{}}"))
                .hasMessage("MX_CONFIG.cluster.worker[0].uri: unknown key; did you mean \"url\"?");
        assertThatThrownBy(() -> MxConfig.parse("{\"cluster\":{\"worker\":{}},\"labels\":{}}"))
                .hasMessage("MX_CONFIG.cluster.worker must be a list of {\"url\":…,\"port\":…}, was {}");
        assertThatThrownBy(() -> MxConfig.parse(
                        "{\"cluster\":{\"worker\":[{\"url\":\"a\",\"port\":65536}]},\"labels\":{},\"task\":{}}"))
                .hasMessage("MX_CONFIG.cluster.port must be from 0 to 65535, was 65536");
        assertThatThrownBy(() -> MxConfig.parse("{\"cluster\":{},\"labels\":{}}"))
                .hasMessage("MX_CONFIG must have the key task, had {\"cluster\":{},\"labels\":{}};"
                        + " for example \"task\":{\"type\":\"worker\",\"index\":0}");
    }
}
