package dev.edl.bench;

import java.util.Locale;

/**
 * Printed line of a figure: name, ratio and goal, separated by tabs, and conditions after {@code #}.
 *
 * @param ratio ratio of the figure, rounded to three places, so that the printed number is compared with the goal
 */
record ResultLine(String name, double ratio, double goal, String conditions) {
    ResultLine {
        ratio = Math.round(ratio * 1000) / 1000.0;
    }

    boolean good() {
        return ratio >= goal;
    }

    /** Returns for example {@code shard.sgd.copy	1.523	1.45	# 7 rounds 1.48..1.55; ...}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s\t%.3f\t%s\t# %s", name, ratio, goal, conditions);
    }

    /** Parses the output of {@link #toString}. */
    static ResultLine parse(String text) {
        String[] parts = text.split("\t", 4);
        if (parts.length != 4 || !parts[3].startsWith("# ")) {
            throw new IllegalArgumentException(
                    "a line must be name, ratio, goal and # conditions, separated by tabs," + " was \"" + text + "\"");
        }
        return new ResultLine(
                parts[0], Double.parseDouble(parts[1]), Double.parseDouble(parts[2]), parts[3].substring(2));
    }
}
