package dev.edl.plan;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Returns unmodifiable copies of maps in key order, so that their order does not depend on hash seeds. */
final class SortedMapCopies {
    private SortedMapCopies() {}

    static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
