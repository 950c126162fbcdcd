package dev.edl.operators.crd.kubeflow;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.internal.Condition;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.StatusLookup;
import dev.edl.status.JobPhase;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the status of a TFJob, PyTorchJob, MXJob or MPIJob from its conditions.
 *
 * <pre>{@code
 * ResourceStatus status = KubeflowStatuses.read(yaml);
 * status.phase();      // SUCCEEDED
 * status.message();    // TFJob default/example-job successfully completed.
 * }</pre>
 *
 * <p>Only conditions whose status is {@code True} count. Succeeded or Failed takes precedence over all other
 * conditions, because operators have appended Running after Succeeded. If both are present, the first counts, because
 * an ended job does not end again. Suspended precedes Running and Restarting; the operator keeps only one of the latter two.
 * {@code kubectl get} shows the last condition instead.
 *
 * <p>Pure functions; thread-safe.
 */
public final class KubeflowStatuses {
    private static final String[] TYPES = {
        "kubeflow.org/v1 TFJob",
        "kubeflow.org/v1 PyTorchJob",
        "kubeflow.org/v1 MXJob",
        "kubeflow.org/v1 MPIJob",
        "kubeflow.org/v2beta1 MPIJob"
    };

    private KubeflowStatuses() {}

    /**
     * Reads the status of a resource in YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text has another kind, or its status is
     *     malformed
     */
    public static ResourceStatus read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads the status of a resource; see {@link #read(String)}. */
    public static ResourceStatus read(CustomObject resource) {
        ConversionReport report = new ConversionReport(resource.kind(), resource.name());
        Optional<CustomObjectFieldReader> status = StatusLookup.of(resource, report, TYPES);
        List<Condition> holding = status.map(Condition::holding).orElse(List.of());
        report.refuseMistakes();
        return first(holding, "Succeeded", "Failed")
                .map(end -> status(end.type().equals("Failed") ? JobPhase.FAILED : JobPhase.SUCCEEDED, end))
                .or(() -> first(holding, "Suspended").map(condition -> status(JobPhase.SUSPENDED, condition)))
                .or(() -> first(holding, "Running", "Restarting").map(condition -> status(JobPhase.RUNNING, condition)))
                .or(() -> first(holding, "Created").map(condition -> status(JobPhase.PENDING, condition)))
                .orElse(new ResourceStatus(JobPhase.PENDING, ""));
    }

    private static Optional<Condition> first(List<Condition> holding, String... types) {
        Set<String> wanted = Set.of(types);
        return holding.stream()
                .filter(condition -> wanted.contains(condition.type()))
                .findFirst();
    }

    private static ResourceStatus status(JobPhase phase, Condition why) {
        return new ResourceStatus(phase, why.describe());
    }
}
