package dev.edl.k8s.preflight.internal;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Result of a read from the cluster.
 *
 * @param value the object, if it exists
 * @param known whether the read succeeded; if false, the value is empty although the object may exist
 */
public record LookupResult<T>(Optional<T> value, boolean known) {
    public static <T> LookupResult<T> of(Optional<T> value) {
        return new LookupResult<>(value, true);
    }

    public static <T> LookupResult<T> unknown() {
        return new LookupResult<>(Optional.empty(), false);
    }

    /** Returns whether the read succeeded and found no object. */
    public boolean absent() {
        return known && value.isEmpty();
    }

    public void ifPresent(Consumer<T> action) {
        value.ifPresent(action);
    }
}
