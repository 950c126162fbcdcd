package dev.edl.testkit;

import dev.edl.internal.text.EscapeStyle;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;

/**
 * Text of a plan for golden files and diffs: its YAML, and the environment of the first replica of each role. The YAML
 * itself has only the names of the framework's variables.
 *
 * <p>A derived run id is replaced by {@code <run id>}, because it changes with every change of the job and would fill a
 * diff.
 */
final class PlanText {
    /**
     * Longest value, in characters, that is written on one line. A longer one, such as a list of addresses, is broken
     * after its commas, so that a diff of two plans shows only the address that changed.
     */
    private static final int LONGEST_LINE = 100;

    private PlanText() {}

    static String of(JobPlan plan) {
        StringBuilder text = new StringBuilder(plan.toYaml());
        text.append(
                "---\n# The environment of the first replica of each role; a long value is broken behind its commas.\n");
        for (RolePlan role : plan.roles()) {
            ReplicaPlan replica = plan.replica(role.type(), 0, 0);
            text.append(replica.name()).append(":");
            text.append(replica.env().isEmpty() ? " {}\n" : "\n");
            replica.env()
                    .forEach((name, value) ->
                            text.append("  ").append(name).append(":").append(shown(value)));
        }
        return plan.runIdGiven() ? text.toString() : withoutRunId(text.toString(), plan.runId());
    }

    /** Replaces a derived run id only as a whole word, since its four characters may occur within another word. */
    static String withoutRunId(String text, String id) {
        return text.replaceAll("(?<![A-Za-z0-9])" + id + "(?![A-Za-z0-9])", "<run id>");
    }

    private static String shown(String value) {
        if (value.length() <= LONGEST_LINE) {
            return " " + quoted(value) + "\n";
        }
        StringBuilder pieces = new StringBuilder("\n");
        int from = 0;
        while (from < value.length()) {
            int comma = value.indexOf(',', from);
            int to = Math.min(comma < 0 ? value.length() : comma + 1, from + 2 * LONGEST_LINE);
            pieces.append("    - ").append(quoted(value.substring(from, to))).append('\n');
            from = to;
        }
        return pieces.toString();
    }

    /**
     * Returns a value as a quoted YAML scalar. In single quotes only the quote itself is special, so JSON stays
     * readable; uses double quotes if the value has other characters than printable ASCII.
     */
    private static String quoted(String value) {
        boolean plain = value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
        return plain ? "'" + value.replace("'", "''") + "'" : EscapeStyle.ASCII_YAML.quote(value);
    }
}
