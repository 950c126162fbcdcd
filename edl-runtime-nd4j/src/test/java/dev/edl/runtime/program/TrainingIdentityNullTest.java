package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Digests of callers that are not digests: only IllegalArgumentException refuses the caller; others let it retry. */
class TrainingIdentityNullTest {
    @ParameterizedTest
    @ValueSource(strings = {"null", "", "[]", "7"})
    void a_text_that_is_no_digest_is_refused(String text) {
        assertThatThrownBy(() -> TrainingIdentity.parse("{\"model\":\"m\"}").differences(TrainingIdentity.parse(text)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
