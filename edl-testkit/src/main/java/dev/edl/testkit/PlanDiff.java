package dev.edl.testkit;

import dev.edl.plan.JobPlan;

/**
 * Differences between two plans in the format of {@code diff -u}. Values of variables with a sensitive name are masked.
 *
 * <pre>{@code
 * PlanDiff.of(job.plan(), job.toBuilder().ps(4).build().plan())
 * }</pre>
 *
 * <p>Omits a derived run id, which changes with every change of the job. Immutable.
 */
public final class PlanDiff {
    private final String name;
    private final String differences;

    private PlanDiff(String name, String differences) {
        this.name = name;
        this.differences = differences;
    }

    /** Returns the differences between two plans and between the environments of each role's first replica. */
    public static PlanDiff of(JobPlan before, JobPlan after) {
        String name = before.name().equals(after.name())
                ? "plan of job \"" + before.name() + "\""
                : "plans of jobs \"" + before.name() + "\" and \"" + after.name() + "\"";
        String old = PlanText.of(before);
        String now = PlanText.of(after);
        return new PlanDiff(name, old.equals(now) ? "" : PlaintextSecrets.differences(old, now));
    }

    /** Returns the hunks of the diff, with a newline after each line; empty when nothing differs. */
    public String differences() {
        return differences;
    }

    /** Returns the names of the jobs and whether their plans differ. */
    public String title() {
        return name + (differences.isEmpty() ? ": nothing differs" : " (-: before, +: after)");
    }

    /** Returns the title and the hunks. */
    @Override
    public String toString() {
        return differences.isEmpty() ? title() : title() + ":\n" + differences.stripTrailing();
    }
}
