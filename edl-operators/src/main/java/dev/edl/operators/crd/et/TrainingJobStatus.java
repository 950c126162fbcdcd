package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.internal.Condition;
import dev.edl.operators.crd.internal.Conditions;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.ResourceMapReader;
import dev.edl.operators.crd.internal.StatusFields;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a TrainingJob stands, by its phase; the message is that of the condition of the same name. A job that has failed and that
 * the operator is about to start again, by {@code restartPolicy: OnFailure} and {@code backoffLimit}, is RUNNING: it has not
 * ended.
 *
 * <p>Pure functions; safe for use by several threads.
 */
public final class TrainingJobStatus {
    private static final List<String> PHASES =
            List.of("Created", "Running", "Scaling", "Succeeded", "Failed", "Suspended");
    private static final long RESTARTS = 6;

    private TrainingJobStatus() {}

    /**
     * Reads the status of a resource in YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the text is no TrainingJob, or its status is no such status
     */
    public static ResourceStatus read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads the status of a resource; see {@link #read(String)}. */
    public static ResourceStatus read(CustomObject resource) {
        ConversionReport report = new ConversionReport(resource.kind(), resource.name());
        return StatusFields.of(resource, report, TrainingJobs.API_VERSION + " " + TrainingJobs.KIND)
                .map(status -> status(status, restarts(resource, report)))
                .orElse(new ResourceStatus(JobPhase.PENDING, ""));
    }

    /** How often the operator starts the whole job again. */
    private static long restarts(CustomObject resource, ConversionReport report) {
        Optional<ResourceMapReader> spec =
                ResourceMapReader.ofAny(resource, report).map("spec");
        long[] limit = {RESTARTS};
        spec.ifPresent(fields -> fields.number("backoffLimit", 0, Integer.MAX_VALUE, number -> limit[0] = number));
        return spec.flatMap(fields -> fields.text("restartPolicy"))
                        .filter("OnFailure"::equals)
                        .isPresent()
                ? limit[0]
                : 0;
    }

    private static ResourceStatus status(ResourceMapReader status, long restarts) {
        String phase = status.text("phase").orElse("");
        if (!phase.isEmpty() && !PHASES.contains(phase)) {
            status.unknownWord("phase", phase, PHASES);
        }
        String message = Condition.holding(status).stream()
                .filter(condition -> condition.type().equals(phase))
                .reduce((before, last) -> last)
                .map(Condition::words)
                .orElse("");
        long[] restarted = {0};
        status.number("restartCount", 0, Integer.MAX_VALUE, count -> restarted[0] = count);
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
     * Writes how a job stands, as the operator does: each step once, in its order, over what the resource says.
     *
     * @param resource with its status as it was
     * @param plan of the job
     * @param state what is known of it
     * @param scaler a request of scaling that is further on than it was; empty: none is being worked on, or nothing is new of it
     * @param now the time
     */
    public static Map<String, Object> of(
            CustomObject resource, JobPlan plan, JobState state, Optional<Scaler> scaler, Instant now) {
        return new TrainingJobStatusWriter(resource, plan, state, now).write(scaler);
    }

    /**
     * Returns a status that says what of the job cannot be made or removed, by the condition {@code ReplicaFailure} that Kubernetes'
     * own workloads have for it. A job that has ended keeps its status.
     *
     * @param status how the job stands
     * @param why what is refused and what helps; empty: nothing
     * @param now the time
     */
    public static Map<String, Object> troubled(Map<String, Object> status, String why, Instant now) {
        return TrainingJobStatusWriter.troubled(status, why, now);
    }

    /**
     * The status of a resource for which nothing was made yet.
     *
     * @param message what it waits for; empty: nothing
     */
    public static Map<String, Object> accepted(CustomObject resource, String message, Instant now) {
        return TrainingJobStatusWriter.accepted(resource, message, now);
    }

    /** The status of a resource that can be no job, with the reason. */
    public static Map<String, Object> refused(CustomObject resource, String why, Instant now) {
        return TrainingJobStatusWriter.refused(resource, why, now);
    }

    /** Whether a resource says that nothing of the job is to run, by the annotation that the operator reads. */
    public static boolean toBeSuspended(CustomObject resource) {
        return resource.fields().get("metadata") instanceof Map<?, ?> metadata
                && metadata.get("annotations") instanceof Map<?, ?> notes
                && "true".equals(notes.get("job-supervisor.kube-ai.io/job-suspended"));
    }

    /** The status of a resource of which nothing was begun, as it is to be suspended. */
    public static Map<String, Object> suspended(CustomObject resource, Instant now) {
        return TrainingJobStatusWriter.suspended(resource, now);
    }

    /** Returns whether no operator has handled the resource yet, by its status. */
    public static boolean fresh(CustomObject resource) {
        return !Conditions.holds(Conditions.status(resource), "Created");
    }

    /** Whether the status says that something of the job was made. */
    public static boolean begun(CustomObject resource) {
        Object phase = Conditions.status(resource).get("phase");
        return phase != null && !List.of("", "Created", "Suspended").contains(phase);
    }

    /** Whether the status says that the job has ended, in whatever way. */
    public static boolean ended(CustomObject resource) {
        Object phase = Conditions.status(resource).get("phase");
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }
}
