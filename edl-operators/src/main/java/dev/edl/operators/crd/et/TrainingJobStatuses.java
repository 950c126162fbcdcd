package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.internal.Condition;
import dev.edl.operators.crd.internal.ConditionWriter;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.StatusLookup;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes the status of a TrainingJob. The phase read is that of {@code status.phase}, and the message is that
 * of the condition with the phase's name. A failed job that the operator is about to restart, by
 * {@code restartPolicy: OnFailure} and {@code backoffLimit}, is read as RUNNING, because it has not ended.
 *
 * <p>Pure functions; thread-safe.
 */
public final class TrainingJobStatuses {
    private static final List<String> PHASES =
            List.of("Created", "Running", "Scaling", "Succeeded", "Failed", "Suspended");
    private static final long RESTARTS = 6;

    private TrainingJobStatuses() {}

    /**
     * Reads the status of a resource in YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is not a TrainingJob, or its status is
     *     malformed
     */
    public static ResourceStatus read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads the status of a resource; see {@link #read(String)}. */
    public static ResourceStatus read(CustomObject resource) {
        ConversionReport report = new ConversionReport(resource.kind(), resource.name());
        return StatusLookup.of(resource, report, TrainingJobs.API_VERSION + " " + TrainingJobs.KIND)
                .map(status -> status(status, restarts(resource, report)))
                .orElse(new ResourceStatus(JobPhase.PENDING, ""));
    }

    /** Returns how often et-operator restarts the whole job after failures. */
    private static long restarts(CustomObject resource, ConversionReport report) {
        Optional<CustomObjectFieldReader> spec =
                CustomObjectFieldReader.ofAny(resource, report).map("spec");
        long[] limit = {RESTARTS};
        spec.ifPresent(fields -> fields.number("backoffLimit", 0, Integer.MAX_VALUE, number -> limit[0] = number));
        return spec.flatMap(fields -> fields.text("restartPolicy"))
                        .filter("OnFailure"::equals)
                        .isPresent()
                ? limit[0]
                : 0;
    }

    private static ResourceStatus status(CustomObjectFieldReader status, long restarts) {
        String phase = status.text("phase").orElse("");
        if (!phase.isEmpty() && !PHASES.contains(phase)) {
            status.unknownWord("phase", phase, PHASES);
        }
        String message = Condition.holding(status).stream()
                .filter(condition -> condition.type().equals(phase))
                .reduce((before, last) -> last)
                .map(Condition::describe)
                .orElse("");
        long[] restarted = {0};
        status.whole("restartCount", count -> restarted[0] = count);
        status.report().refuseMistakes();
        return switch (phase) {
            case "Succeeded" -> new ResourceStatus(JobPhase.SUCCEEDED, message);
            case "Failed" ->
                restarted[0] < restarts
                        ? new ResourceStatus(
                                JobPhase.RUNNING,
                                (message.isEmpty() ? "" : message + "; ") + "it is started again, " + (restarted[0] + 1)
                                        + " of " + restarts)
                        : new ResourceStatus(JobPhase.FAILED, message);
            case "Suspended" -> new ResourceStatus(JobPhase.SUSPENDED, message);
            case "Running", "Scaling" -> new ResourceStatus(JobPhase.RUNNING, message);
            default -> new ResourceStatus(JobPhase.PENDING, message);
        };
    }

    /**
     * Returns the status of a job as et-operator writes it: the previous status with new conditions, each once and in
     * that operator's order.
     *
     * @param resource TrainingJob with its previous status
     * @param plan plan of the job
     * @param state state of the job
     * @param scaler scaling request whose progress changed; empty for none
     * @param now the time
     */
    public static Map<String, Object> of(
            CustomObject resource, JobPlan plan, JobState state, Optional<Scaler> scaler, Instant now) {
        return new TrainingJobStatusWriter(resource, plan, state, now).write(scaler);
    }

    /**
     * Returns a copy of the status that reports rejected API requests in the condition {@code ReplicaFailure}, as
     * Kubernetes' own workloads do. Returns the status of an ended job unchanged.
     *
     * @param status status of the job
     * @param why text with the rejections and their remedies; empty for none
     * @param now the time
     */
    public static Map<String, Object> troubled(Map<String, Object> status, String why, Instant now) {
        return TrainingJobStatusWriter.troubled(status, why, now);
    }

    /**
     * Returns the status of a resource before its job is created.
     *
     * @param message the reason for waiting; empty for none
     */
    public static Map<String, Object> accepted(CustomObject resource, String message, Instant now) {
        return TrainingJobStatusWriter.accepted(resource, message, now);
    }

    /** Returns the status of a resource that cannot be a job, with the reason. */
    public static Map<String, Object> refused(CustomObject resource, String why, Instant now) {
        return TrainingJobStatusWriter.refused(resource, why, now);
    }

    /** Returns whether the resource has the annotation that suspends its job. */
    public static boolean toBeSuspended(CustomObject resource) {
        return resource.fields().get("metadata") instanceof Map<?, ?> metadata
                && metadata.get("annotations") instanceof Map<?, ?> notes
                && "true".equals(notes.get("job-supervisor.kube-ai.io/job-suspended"));
    }

    /** Returns the status of a resource whose job is suspended before it started. */
    public static Map<String, Object> suspended(CustomObject resource, Instant now) {
        return TrainingJobStatusWriter.suspended(resource, now);
    }

    /** Returns whether the status shows that no operator has handled the resource yet. */
    public static boolean fresh(CustomObject resource) {
        return !ConditionWriter.holds(ConditionWriter.status(resource), "Created");
    }

    /** Returns whether the status shows that the job was created. */
    public static boolean begun(CustomObject resource) {
        Object phase = ConditionWriter.status(resource).get("phase");
        return phase != null && !List.of("", "Created", "Suspended").contains(phase);
    }

    /** Returns whether the status shows that the job has ended. */
    public static boolean ended(CustomObject resource) {
        Object phase = ConditionWriter.status(resource).get("phase");
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }
}
