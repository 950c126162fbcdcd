package dev.edl;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Amounts of named resources, as Kubernetes counts them.
 *
 * @param amounts resource name to quantity, in the order given: {@code cpu -> 2}, {@code memory -> 2048Mi},
 *     {@code nvidia.com/gpu -> 1}
 */
public record Resources(Map<String, String> amounts) {
    /** Copies the map, order kept. */
    public Resources {
        amounts = Collections.unmodifiableMap(new LinkedHashMap<>(amounts));
    }
}
