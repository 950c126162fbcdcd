package dev.edl.env;

/**
 * Task of a replica in {@code TF_CONFIG} and {@code MX_CONFIG}.
 *
 * @param type name of the replica's role, such as {@code worker}
 * @param index index of the replica within its role, at least 0
 */
public record Task(String type, int index) {
    /**
     * Checks the type and the index.
     *
     * @throws IllegalArgumentException if {@code type} has other characters than letters, digits, dashes, dots and
     *     underscores, or {@code index} is negative
     */
    public Task {
        EnvReader.checkWord("task.type", type);
        EnvReader.number("task.index", index, 0, Integer.MAX_VALUE);
    }

    String json() {
        return "{\"type\":\"" + type + "\",\"index\":" + index + "}";
    }

    /** Returns {@code worker 1}. */
    @Override
    public String toString() {
        return type + " " + index;
    }
}
