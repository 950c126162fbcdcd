package dev.edl.k8s.internal.record;

import dev.edl.Job;
import dev.edl.k8s.render.RenderException;
import dev.edl.plan.JobPlan;
import java.nio.charset.StandardCharsets;

/**
 * The largest job whose record fits into a ConfigMap whatever happens to it. A job that outgrew its record could be kept no more, and
 * so is refused before anything of it is made.
 */
public final class RecordLimit {
    /** Of a ConfigMap's values, less what metadata and the other entries take. */
    private static final int MOST_BYTES = 1_048_576 - 20_000;

    /** What the messages of ended replicas share, and the replaced replicas that a state keeps, and the head of the state. */
    private static final int SHARED = 220_000;

    /**
     * What a replica takes packed at the worst: one that was relaunched at a time of its own, waited, was asked for and has failed at others,
     * with its uid and exit code. RecordLimitTest measures it.
     */
    private static final int BYTES = 18;

    private RecordLimit() {}

    /** Returns how many replicas the record of a job has room for. */
    static int most(JobPlan plan) {
        int job = Job.of(plan.spec()).toYaml().getBytes(StandardCharsets.UTF_8).length;
        return Math.max(0, (MOST_BYTES - SHARED - job) / BYTES);
    }

    /**
     * Checks that the record of a job stays below its limit.
     *
     * @throws RenderException when it could outgrow it
     */
    public static void check(JobPlan plan) {
        int replicas =
                plan.roles().stream().mapToInt(role -> role.bounds().max()).sum();
        int most = most(plan);
        if (replicas > most) {
            throw new RenderException(
                    "job \"" + plan.name() + "\" may have " + replicas + " replicas, and its record, ConfigMap "
                            + JobRecord.nameOf(plan.name()) + ", has room for " + most
                            + "; use fewer replicas or a lower elastic maximum, or several jobs");
        }
    }
}
