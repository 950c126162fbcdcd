package dev.edl.runtime.engine.decisions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Version that becomes the result instead of the last one.
 *
 * @param metrics its metric values by name
 */
public record BestVersion(long version, Map<String, Double> metrics) {
    /** Copies the map. */
    public BestVersion {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }
}
