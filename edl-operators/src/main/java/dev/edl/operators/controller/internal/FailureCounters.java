package dev.edl.operators.controller.internal;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts what came to nothing, by its cause, as long as the program runs. Thread-safe. */
public final class FailureCounters {
    private final Map<FailureCategory, Long> counts = new EnumMap<>(FailureCategory.class);

    public synchronized void add(FailureCategory category) {
        counts.merge(category, 1L, Long::sum);
    }

    /** Returns each cause, with zero where nothing was refused for it. */
    public synchronized Map<String, Long> counts() {
        Map<String, Long> all = new TreeMap<>();
        for (FailureCategory category : FailureCategory.values()) {
            all.put(category.word(), counts.getOrDefault(category, 0L));
        }
        return all;
    }
}
