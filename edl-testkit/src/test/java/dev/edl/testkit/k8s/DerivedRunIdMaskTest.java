package dev.edl.testkit.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DerivedRunIdMaskTest {
    @Test
    void it_is_hidden_wherever_it_is_a_word_of_its_own() {
        assertThat(DerivedRunIdMask.hidden("""
                labels:
                  runtime_id: "2222"
                name: mnist-worker-2222-0
                port: 12222
                """)).isEqualTo("""
                labels:
                  runtime_id: "<run id>"
                name: mnist-worker-<run id>-0
                port: 12222
                """);
        assertThat(DerivedRunIdMask.hidden("""
                - name: EDL_RUN_ID
                  value: 0a1b2c3d
                - name: OTHER
                  value: x0a1b2c3d
                """)).isEqualTo("""
                - name: EDL_RUN_ID
                  value: <run id>
                - name: OTHER
                  value: x0a1b2c3d
                """);
    }

    @Test
    void one_that_was_given_stays() {
        assertThat(DerivedRunIdMask.hidden("runtime_id: nightly-7\n")).isEqualTo("runtime_id: nightly-7\n");
        assertThat(DerivedRunIdMask.hidden("name: EDL_RUN_ID\n  value: nightly\n"))
                .isEqualTo("name: EDL_RUN_ID\n  value: nightly\n");
    }
}
