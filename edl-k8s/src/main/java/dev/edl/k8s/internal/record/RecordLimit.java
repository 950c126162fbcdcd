package dev.edl.k8s.internal.record;

import dev.edl.Job;
import dev.edl.k8s.render.RenderException;
import dev.edl.plan.JobPlan;
import java.nio.charset.StandardCharsets;

/**
 * Largest job whose record fits into a ConfigMap in every state of the job. A larger job could outgrow its record, and
 * is refused before any object is created.
 */
public final class RecordLimit {
    /** Size limit of a ConfigMap's values, minus metadata and the other entries. */
    private static final int MOST_BYTES = 1_048_576 - 20_000;

    /**
     * Bytes of the shared messages of ended replicas, of the stored replaced replicas, and of the head of the state.
     */
    private static final int SHARED = 220_000;

    /**
     * Packed bytes of one replica at worst: relaunched at its own time, waited, was requested and failed at other
     * times, with uid and exit code. RecordLimitTest measures it.
     */
    private static final int BYTES = 18;

    private RecordLimit() {}

    /** Returns the maximum number of replicas for which the record of the job cannot outgrow a ConfigMap. */
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
