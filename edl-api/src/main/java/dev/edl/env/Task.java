package dev.edl.env;

/**
 * Task of a replica in {@code TF_CONFIG} and {@code MX_CONFIG}.
 *
 * @param type the role's id, {@code worker}
 * @param index position within the role, at least 0
 */
public record Task(String type, int index) {
    /** Checks both. */
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
