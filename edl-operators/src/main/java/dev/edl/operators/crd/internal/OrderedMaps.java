package dev.edl.operators.crd.internal;

import java.util.LinkedHashMap;
import java.util.Map;

/** Factory of mutable maps that keep the order of insertion. */
public final class OrderedMaps {
    private OrderedMaps() {}

    /** Returns a mutable map of one entry. */
    public static Map<String, Object> of(String key, Object value) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(key, value);
        return map;
    }

    /** Returns a mutable map of two entries. */
    public static Map<String, Object> of(String key, Object value, String second, Object other) {
        Map<String, Object> map = of(key, value);
        map.put(second, other);
        return map;
    }

    /** Returns a mutable map of several entries: keys and values in turn. */
    public static Map<String, Object> of(String key, Object value, String second, Object other, Object... more) {
        Map<String, Object> map = of(key, value, second, other);
        for (int i = 0; i < more.length; i += 2) {
            map.put((String) more[i], more[i + 1]);
        }
        return map;
    }
}
