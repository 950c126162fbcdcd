package dev.edl.operators.crd.internal;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Conversion between plain data and objects of the Kubernetes client's classes. */
public final class KubernetesModelConversion {
    private KubernetesModelConversion() {}

    /** Converts plain data to a pod template of the Kubernetes client. */
    static PodTemplateSpec template(Map<String, Object> plain) {
        return Serialization.unmarshal(Serialization.asJson(plain), PodTemplateSpec.class);
    }

    /** Converts objects of the Kubernetes client to plain data, whose keys have the order of the client's classes. */
    public static List<?> plain(List<?> models) {
        return Serialization.unmarshal(Serialization.asJson(models), List.class);
    }

    /** Converts a pod template to new plain data, whose keys have the order of the client's classes. */
    @SuppressWarnings("unchecked") // Keys of JSON are strings.
    static Map<String, Object> plain(PodTemplateSpec template) {
        return Serialization.unmarshal(Serialization.asJson(template), Map.class);
    }

    /** Returns a copy of a map whose keys are reordered: keys that the other map also has are in that map's order. */
    static Map<String, Object> inOrder(Map<?, ?> map, Map<?, ?> order) {
        Map<String, Object> ordered = new LinkedHashMap<>();
        order.forEach((key, value) -> {
            if (map.containsKey(key)) {
                ordered.put(String.valueOf(key), value(map.get(key), value));
            }
        });
        map.forEach((key, value) -> ordered.putIfAbsent(String.valueOf(key), value));
        return ordered;
    }

    @SuppressWarnings("NullAway") // Plain data contains null, which a collection's type cannot express.
    private static Object value(@Nullable Object data, @Nullable Object order) {
        if (data instanceof Map<?, ?> map) {
            return inOrder(map, order instanceof Map<?, ?> other ? other : Map.of());
        }
        if (data instanceof List<?> list && order instanceof List<?> other) {
            List<Object> ordered = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                ordered.add(value(list.get(i), i < other.size() ? other.get(i) : null));
            }
            return ordered;
        }
        return data;
    }
}
