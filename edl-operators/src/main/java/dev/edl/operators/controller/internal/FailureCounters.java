package dev.edl.operators.controller.internal;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counters of failures by cause, since the program started. Thread-safe. */
public final class FailureCounters {
    private final Map<FailureCategory, Long> counts = new EnumMap<>(FailureCategory.class);

    public synchronized void add(FailureCategory category) {
        counts.merge(category, 1L, Long::sum);
    }

    /** Returns the number of failures by cause, with an entry for every cause, even if its number is zero. */
    public synchronized Map<String, Long> counts() {
        Map<String, Long> all = new TreeMap<>();
        for (FailureCategory category : FailureCategory.values()) {
            all.put(category.word(), counts.getOrDefault(category, 0L));
        }
        return all;
    }
}
