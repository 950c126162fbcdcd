package dev.edl.exec;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import java.util.List;

/** Submits and drives jobs in one environment: a cluster, this machine or this process. Thread-safe. */
public interface JobExecutor extends AutoCloseable {
    /**
     * Plans a job, starts it and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job is valid but cannot run in this executor's environment
     * @throws IllegalArgumentException when a job of this name is already running in this executor
     */
    default JobHandle submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Starts a planned job and returns at once.
     *
     * @throws IllegalArgumentException when a job of this name is already running in this executor
     */
    JobHandle submit(JobPlan plan);

    /** Returns the handles of the submitted jobs, in the order of their submission. */
    List<? extends JobHandle> jobs();

    /** Stops driving the submitted jobs and releases all resources; leaves no thread behind. */
    @Override
    void close();
}
