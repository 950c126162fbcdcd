package dev.edl.exec;

import dev.edl.plan.JobPlan;
import java.time.Duration;

/**
 * Thrown when a job does not end within the caller's limit. The message has the job's name and phase, and the condition
 * for which it waits. The job continues.
 */
public final class AwaitTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient JobStatus status;

    /**
     * Creates the exception of a job that has not ended.
     *
     * @param status the job's status at the end of the wait
     * @param limit the caller's longest wait
     */
    public AwaitTimeoutException(JobPlan plan, JobStatus status, Duration limit) {
        super(TimeoutMessage.of(plan, status, limit));
        this.status = status;
    }

    /** Returns the job's status at the end of the wait. */
    public JobStatus status() {
        return status;
    }
}
