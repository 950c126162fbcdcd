package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Corrects a key of TfJobs and MxJobs: the TfJob operator's documentation spelt {@code replicaSpecs} differently from
 * the key that the operators read.
 */
public final class ReplicaSpecsSpelling {
    /** Key of the spec under which the operators read the replicas. */
    public static final String KEY = "replicaSpecs";

    private static final String WRITTEN = "replica_specs";

    private ReplicaSpecsSpelling() {}

    /**
     * Returns the resource with the documentation's key renamed to {@link #KEY}, and reports the renamed key as a loss.
     */
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

    /** Returns the spec with the documentation's key renamed to {@link #KEY}. */
    static Map<String, Object> named(Map<?, ?> spec) {
        Map<String, Object> named = new LinkedHashMap<>();
        boolean other = isOther(spec);
        spec.forEach((key, value) -> named.put(other && WRITTEN.equals(key) ? KEY : String.valueOf(key), value));
        return named;
    }
}
