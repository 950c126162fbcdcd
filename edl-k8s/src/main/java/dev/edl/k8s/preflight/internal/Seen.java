package dev.edl.k8s.preflight;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a look at the cluster gave.
 *
 * @param value what is there
 * @param known whether it could be looked at; if not, nothing follows from the value's absence
 */
record Seen<T>(Optional<T> value, boolean known) {
    static <T> Seen<T> of(Optional<T> value) {
        return new Seen<>(value, true);
    }

    static <T> Seen<T> unknown() {
        return new Seen<>(Optional.empty(), false);
    }

    /** Whether it is known not to be there. */
    boolean absent() {
        return known && value.isEmpty();
    }

    void ifPresent(Consumer<T> action) {
        value.ifPresent(action);
    }
}
