package dev.edl.testkit;

import dev.edl.plan.JobPlan;
import dev.edl.spec.SensitiveEnv;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds plain-text secrets in plans, and masks them in the texts of jobs and plans. */
final class PlaintextSecrets {
    private static final Pattern ENTRY = Pattern.compile("( *)\"?([A-Za-z_][A-Za-z0-9_]*)\"?:(?: (.+))?");

    private PlaintextSecrets() {}

    /**
     * Returns a path such as {@code worker.env.AWS_SECRET_ACCESS_KEY} for each variable of a plan that holds a secret
     * in plain text.
     */
    static List<String> in(JobPlan plan) {
        return plan.roles().stream()
                .flatMap(role -> role.template().env().entrySet().stream()
                        .filter(env -> SensitiveEnv.isSensitive(env.getKey(), env.getValue()))
                        .map(env -> role.type() + ".env." + env.getKey()))
                .toList();
    }

    /** Returns the lines of the YAML of a job or a plan, with {@code ***} for the values of secrets. */
    static String masked(String yaml) {
        int references = -1;
        StringBuilder masked = new StringBuilder();
        for (String line : yaml.lines().collect(Collectors.toList())) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                int depth = entry.group(1).length();
                boolean reference = references >= 0 && depth > references;
                references = reference ? references : entry.group(2).equals("secretEnv") ? depth : -1;
                if (!reference && entry.group(3) != null && SensitiveEnv.isSensitive(entry.group(2), entry.group(3))) {
                    line = line.substring(0, entry.start(3)) + SensitiveEnv.MASK;
                }
            }
            masked.append(line).append('\n');
        }
        return masked.toString();
    }

    /** Returns the differences between two different texts of jobs or plans, with masked values. */
    static String differences(String expected, String was) {
        String differences = UnifiedDiff.of(masked(expected), masked(was));
        return differences.isEmpty() ? "only in masked values of variables with sensitive names\n" : differences;
    }
}
