package dev.edl.exec;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import java.util.List;

/** Runs jobs in one place. Thread-safe. */
public interface JobExecutor extends AutoCloseable {
    /**
     * Plans a job, starts it and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is
     * @throws IllegalArgumentException when a job of this name is running here
     */
    default JobHandle submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Starts a planned job and returns at once.
     *
     * @throws IllegalArgumentException when a job of this name is running here
     */
    JobHandle submit(JobPlan plan);

    /** The jobs that were submitted here, in that order. */
    List<? extends JobHandle> jobs();

    /** Stops driving the jobs and frees what the executor holds; leaves no thread behind. */
    @Override
    void close();
}
