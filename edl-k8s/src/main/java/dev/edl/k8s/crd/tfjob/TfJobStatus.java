package dev.edl.k8s.crd.tfjob;

import dev.edl.k8s.crd.CustomObject;
import dev.edl.k8s.crd.ResourceStatus;
import dev.edl.k8s.crd.internal.Report;
import dev.edl.k8s.crd.internal.StateAndPhase;
import dev.edl.k8s.crd.internal.StatusFields;
import dev.edl.reconcile.JobPhase;
import java.util.Arrays;

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
     * @throws dev.edl.k8s.crd.InvalidResourceException when the text is no TfJob, or its status is no such status
     */
    public static ResourceStatus read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads the status of a resource; see {@link #read(String)}. */
    public static ResourceStatus read(CustomObject resource) {
        Report report = new Report(resource.kind(), resource.name());
        return StatusFields.of(resource, report, TYPES)
                .map(StateAndPhase::read)
                .orElse(new ResourceStatus(JobPhase.PENDING, ""));
    }
}
