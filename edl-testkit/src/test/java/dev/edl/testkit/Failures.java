package dev.edl.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What an assertion says when it fails. */
final class Failures {
    private Failures() {}

    static void fails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
    }
}
