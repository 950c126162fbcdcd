package dev.edl.plan;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Unmodifiable copies of maps in key order, independent of the caller and of hash seeds. */
final class SortedCopies {
    private SortedCopies() {}

    static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
