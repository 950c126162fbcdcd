package dev.edl.env;

/**
 * A replica's place in {@code TF_CONFIG} and {@code MX_CONFIG}.
 *
 * @param type the role's word, {@code worker}
 * @param index place within the role, at least 0
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

    /** {@code worker 1}. */
    @Override
    public String toString() {
        return type + " " + index;
    }
}
