package dev.edl.operators.crd.tfjob;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.LegacyJobStatus;
import dev.edl.operators.crd.internal.StatusFields;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.util.Arrays;
import java.util.Map;

/**
 * How a TfJob of any generation stands. Its {@code state} counts before its {@code phase}: an operator that was started again
 * overwrote the phase of a job that was done with Failed, though the job had succeeded.
 *
 * <p>RUNNING is what the operator says as soon as it has asked for the replicas; that one runs, it does not say.
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class TfJobStatus {
    private static final String[] TYPES = Arrays.stream(TfJobGeneration.values())
            .map(generation -> generation.apiVersion() + " " + generation.kind())
            .distinct()
            .toArray(String[]::new);

    private TfJobStatus() {}

    /**
     * Reads the status of a resource in YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is no TfJob, or its status is no such status
     */
    public static ResourceStatus read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads the status of a resource; see {@link #read(String)}. */
    public static ResourceStatus read(CustomObject resource) {
        ConversionReport report = new ConversionReport(resource.kind(), resource.name());
        return StatusFields.of(resource, report, TYPES)
                .map(LegacyJobStatus::read)
                .orElse(new ResourceStatus(JobPhase.PENDING, ""));
    }

    /**
     * Writes how a job stands, as the operator did; see {@code docs/controller.md} for what is more than it wrote.
     *
     * @param plan of the job
     * @param state what is known of it
     */
    public static Map<String, Object> of(JobPlan plan, JobState state) {
        return LegacyJobStatus.of(plan, state, "tf_replica_type");
    }

    /** The status of a resource that can be no job, with the reason. */
    public static Map<String, Object> refused(String reason) {
        return LegacyJobStatus.refused(reason);
    }

    /** The status of a resource for which nothing was made yet, with the reason if there is one. */
    public static Map<String, Object> accepted(String reason) {
        return LegacyJobStatus.accepted(reason);
    }

    /** Whether the status says that the job has ended, in whatever way. */
    public static boolean ended(CustomObject resource) {
        return LegacyJobStatus.ended(resource);
    }
}
