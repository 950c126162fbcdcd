package dev.edl.testkit;

import dev.edl.internal.text.EscapeStyle;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;

/**
 * Approved text of a plan: its YAML, and the environment of the first replica of each role, since the YAML only names
 * the framework's variables.
 *
 * <p>A derived run id is replaced by {@code <run id>}, because it changes with every change and would fill a diff.
 */
final class PlanText {
    /** Widest line, so that the line of a diff shows the change and not a whole cluster. */
    private static final int WIDEST = 100;

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
        if (value.length() <= WIDEST) {
            return " " + quoted(value) + "\n";
        }
        StringBuilder pieces = new StringBuilder("\n");
        int from = 0;
        while (from < value.length()) {
            int comma = value.indexOf(',', from);
            int to = Math.min(comma < 0 ? value.length() : comma + 1, from + 2 * WIDEST);
            pieces.append("    - ").append(quoted(value.substring(from, to))).append('\n');
            from = to;
        }
        return pieces.toString();
    }

    /** In single quotes only the quote itself is special, so JSON stays readable. */
    private static String quoted(String value) {
        boolean plain = value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
        return plain ? "'" + value.replace("'", "''") + "'" : EscapeStyle.ASCII_YAML.quote(value);
    }
}
