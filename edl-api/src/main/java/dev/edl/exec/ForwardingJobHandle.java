package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Handle that forwards to another handle of the same job, as a base for the handles of executors. A subclass closes the
 * other handle in {@link #close}. {@link #suspend}, {@link #resume} and {@link #connect} are not forwarded, because not
 * every executor supports them.
 */
public abstract class ForwardingJobHandle implements JobHandle {
    private final JobHandle job;

    /** Forwards to a handle, usually the job's {@link ControlLoop}. */
    protected ForwardingJobHandle(JobHandle job) {
        this.job = job;
    }

    @Override
    public JobPlan plan() {
        return job.plan();
    }

    @Override
    public JobStatus status() {
        return job.status();
    }

    @Override
    public Optional<String> whyPending(String replica) {
        return job.whyPending(replica);
    }

    @Override
    public void scale(String role, int replicas) {
        job.scale(role, replicas);
    }

    @Override
    public void delete(String replica) {
        job.delete(replica);
    }

    @Override
    public void cancel() {
        job.cancel();
    }

    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        return job.await(limit);
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return job.onEvent(listener);
    }

    @Override
    public List<JobEvent> events() {
        return job.events();
    }

    /** Returns the job's status as text. */
    @Override
    public String toString() {
        return job.toString();
    }
}
