package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.Profile;
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
