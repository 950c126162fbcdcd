package dev.edl.operators.crd.mxjob;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.LegacyJobStatus;
import dev.edl.operators.crd.internal.StatusLookup;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads and writes the status of an MxJob of either group. When reading, {@code state} takes precedence over
 * {@code phase}, because a restarted operator overwrote the phase of a succeeded job with Failed.
 *
 * <p>The operator writes RUNNING as soon as it has created the replicas, so RUNNING does not mean that a replica runs.
 *
 * <p>Pure functions; thread-safe.
 */
public final class MxJobStatuses {
    private static final String[] TYPES = Arrays.stream(MxJobGroup.values())
            .map(group -> group.apiVersion() + " MxJob")
            .toArray(String[]::new);

    private MxJobStatuses() {}

    /**
     * Reads the status of a resource in YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is not an MxJob, or its status is malformed
     */
    public static ResourceStatus read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads the status of a resource; see {@link #read(String)}. */
    public static ResourceStatus read(CustomObject resource) {
        ConversionReport report = new ConversionReport(resource.kind(), resource.name());
        return StatusLookup.of(resource, report, TYPES)
                .map(LegacyJobStatus::read)
                .orElse(new ResourceStatus(JobPhase.PENDING, ""));
    }

    /**
     * Returns the status of a job as the operator wrote it, with the additions that {@code docs/controller.md} lists.
     *
     * @param plan plan of the job
     * @param state state of the job
     */
    public static Map<String, Object> of(JobPlan plan, JobState state) {
        return LegacyJobStatus.of(plan, state, "Mx_replica_type");
    }

    /** Returns the status of a resource that cannot be a job, with the reason. */
    public static Map<String, Object> refused(String reason) {
        return LegacyJobStatus.refused(reason);
    }

    /** Returns the status of a resource before its job is created, with the reason for waiting, if any. */
    public static Map<String, Object> accepted(String reason) {
        return LegacyJobStatus.accepted(reason);
    }

    /** Returns whether the status shows that the job has ended. */
    public static boolean ended(CustomObject resource) {
        return LegacyJobStatus.ended(resource);
    }
}
