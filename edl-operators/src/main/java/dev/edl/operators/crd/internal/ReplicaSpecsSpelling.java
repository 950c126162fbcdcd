package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Replicas of a TfJob or MxJob under the key of the TfJob operator's documentation, which the operator did not read.
 */
public final class ReplicaSpecsSpelling {
    /** The key that the operators read. */
    public static final String KEY = "replicaSpecs";

    private static final String WRITTEN = "replica_specs";

    private ReplicaSpecsSpelling() {}

    /** Returns a resource with the operators' own key, and reports that it was another. */
    public static CustomObject named(CustomObject resource, ConversionReport report) {
        if (resource.fields().get("spec") instanceof Map<?, ?> spec && isOther(spec)) {
            report.loss(
                    "spec." + WRITTEN,
                    spec.get(WRITTEN),
                    "it is read as " + KEY + ", as the operator's key is; the operator itself would see no replicas");
            Map<String, Object> named = new LinkedHashMap<>(resource.fields());
            named.put("spec", named(spec));
            return CustomObject.of(named, resource.source());
        }
        return resource;
    }

    private static boolean isOther(Map<?, ?> spec) {
        return spec.containsKey(WRITTEN) && !spec.containsKey(KEY);
    }

    /** Returns a spec with the operators' own key. */
    static Map<String, Object> named(Map<?, ?> spec) {
        Map<String, Object> named = new LinkedHashMap<>();
        boolean other = isOther(spec);
        spec.forEach((key, value) -> named.put(other && WRITTEN.equals(key) ? KEY : String.valueOf(key), value));
        return named;
    }
}
