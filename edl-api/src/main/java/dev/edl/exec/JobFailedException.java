package dev.edl.exec;

import dev.edl.status.JobPhase;
import java.util.stream.Collectors;

/**
 * A job ended in another phase than {@link JobPhase#SUCCEEDED}: it failed or was cancelled. The message has the reason;
 * {@link #status} has the final status, with a row for each replica that is left.
 */
public final class JobFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient JobStatus status;

    /**
     * Creates the exception of a job that ended.
     *
     * @param status its final status
     * @throws IllegalArgumentException when that status is of a job that has not ended, or succeeded
     */
    public JobFailedException(JobStatus status) {
        super(message(status));
        this.status = status;
    }

    /** Returns the final status; its phase tells a failed job from a cancelled one. */
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
