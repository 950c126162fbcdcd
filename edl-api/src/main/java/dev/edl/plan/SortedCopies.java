package dev.edl.plan;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Unmodifiable copies in the order of the keys: an order that no caller and no hash seed can change. */
final class SortedCopies {
    private SortedCopies() {}

    static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
