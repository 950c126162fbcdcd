package dev.edl.operators.crd.internal;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that keep the order in which they are written down. */
public final class OrderedMaps {
    private OrderedMaps() {}

    /** A map of one entry, to which more can be added. */
    public static Map<String, Object> of(String key, Object value) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(key, value);
        return map;
    }

    /** A map of two entries, to which more can be added. */
    public static Map<String, Object> of(String key, Object value, String second, Object other) {
        Map<String, Object> map = of(key, value);
        map.put(second, other);
        return map;
    }

    /** A map of several entries, to which more can be added: keys and values in turn. */
    public static Map<String, Object> of(String key, Object value, String second, Object other, Object... more) {
        Map<String, Object> map = of(key, value, second, other);
        for (int i = 0; i < more.length; i += 2) {
            map.put((String) more[i], more[i + 1]);
        }
        return map;
    }
}
