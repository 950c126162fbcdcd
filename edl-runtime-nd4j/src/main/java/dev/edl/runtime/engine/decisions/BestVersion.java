package dev.edl.runtime.engine.decisions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Model version that becomes the training's result instead of the last version.
 *
 * @param metrics metric values of the version, by name
 */
public record BestVersion(long version, Map<String, Double> metrics) {
    /** Copies the map. */
    public BestVersion {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }
}
