package dev.edl.env;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Task of a replica in {@code TF_CONFIG} and {@code MX_CONFIG}.
 *
 * @param type name of the replica's role, such as {@code worker}
 * @param index index of the replica within its role, at least 0
 * @param others all other keys, each with its value as JSON; the frameworks ignore them
 */
public record Task(String type, int index, SortedMap<String, String> others) {
    /**
     * Checks the type, the index and the other keys.
     *
     * @throws IllegalArgumentException if {@code type} has other characters than letters, digits, dashes, dots and
     *     underscores, {@code index} is negative, or another key is {@code type} or {@code index}, or its value is not
     *     JSON
     */
    public Task {
        EnvReader.checkWord("task.type", type);
        EnvReader.number("task.index", index, 0, Integer.MAX_VALUE);
        others = JsonVariables.checkedOthers("task", JsonVariables.TASK, others);
    }

    /**
     * Creates a task without other keys.
     *
     * @throws IllegalArgumentException if {@code type} has other characters than letters, digits, dashes, dots and
     *     underscores, or {@code index} is negative
     */
    public Task(String type, int index) {
        this(type, index, new TreeMap<>());
    }

    String json() {
        return "{\"type\":\"" + type + "\",\"index\":" + index + JsonVariables.appendix(others) + "}";
    }

    /** Returns {@code worker 1}. */
    @Override
    public String toString() {
        return type + " " + index;
    }
}
