package dev.edl.exec;

import dev.edl.plan.JobPlan;
import java.time.Duration;

/** A job had not ended when the caller's patience did; the message names the job, its phase and what it waits for. */
public final class JobTimeoutException extends RuntimeException {
    /**
     * For an executor whose job has not ended.
     *
     * @param status how it stands
     * @param limit how long was waited
     */
    public JobTimeoutException(JobPlan plan, JobStatus status, Duration limit) {
        super(TimeoutMessage.of(plan, status, limit));
    }
}
