package dev.edl.runtime.engine.decisions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The version that is to be the result in the place of the last one.
 *
 * @param metrics its figures by name
 */
public record BestVersion(long version, Map<String, Double> metrics) {
    /** Copies the map. */
    public BestVersion {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }
}
