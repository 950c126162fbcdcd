package dev.edl.exec;

import dev.edl.status.JobPhase;
import java.util.stream.Collectors;

/**
 * Thrown when a job ended in another phase than {@link JobPhase#SUCCEEDED}: it failed or was cancelled. The message has
 * the reason; {@link #status} has the final status, with a row for each replica that is left.
 */
public final class JobFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient JobStatus status;

    /**
     * Creates the exception of an ended job.
     *
     * @param status the job's final status
     * @throws IllegalArgumentException when the job has not ended, or has succeeded
     */
    public JobFailedException(JobStatus status) {
        super(message(status));
        this.status = status;
    }

    /** Returns the final status; its phase is FAILED or CANCELLED. */
    public JobStatus status() {
        return status;
    }

    private static String message(JobStatus status) {
        String verb = switch (status.phase()) {
            case FAILED -> " failed";
            case CANCELLED -> " was cancelled";
            case PENDING, RUNNING, SUSPENDED, SUCCEEDED ->
                throw new IllegalArgumentException("status.phase must be FAILED or CANCELLED, was " + status.phase());
        };
        String reason = status.message().isBlank()
                ? status.roles().stream().map(RoleStatus::toString).collect(Collectors.joining("; "))
                : status.message();
        return "job \"" + status.job() + "\"" + verb + (reason.isBlank() ? "" : ": " + reason);
    }
}
