package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Sets defaults in the spec of a resource; leaves values of a wrong type unchanged. */
public final class SpecDefaulting {
    private SpecDefaulting() {}

    /**
     * Returns a copy of a resource with a completed spec.
     *
     * @param whole completes the spec
     * @param replica completes each entry of the spec's {@code replicaSpecs}
     */
    public static CustomObject of(
            CustomObject resource, Consumer<Map<String, Object>> whole, Consumer<Map<String, Object>> replica) {
        if (!(resource.fields().get("spec") instanceof Map<?, ?> given)) {
            return resource;
        }
        Map<String, Object> spec = ReplicaSpecsSpelling.named(given);
        if (spec.get("replicaSpecs") instanceof List<?> replicas) {
            List<Object> completed = new ArrayList<>();
            for (Object one : replicas) {
                if (one instanceof Map<?, ?> map) {
                    Map<String, Object> copy = copy(map);
                    replica.accept(copy);
                    completed.add(copy);
                } else {
                    completed.add(one);
                }
            }
            spec.put("replicaSpecs", completed);
        }
        whole.accept(spec);
        Map<String, Object> fields = new LinkedHashMap<>(resource.fields());
        fields.put("spec", spec);
        return CustomObject.of(fields);
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    /** Puts a value under a key if the map lacks the key or has an empty string there. */
    public static void fill(Map<String, Object> map, String key, Object value) {
        Object there = map.get(key);
        if (there == null || there.equals("")) {
            map.put(key, value);
        }
    }
}
