package dev.edl.exec;

import dev.edl.plan.JobPlan;
import java.util.List;

/** Runs jobs in one place. Thread-safe. */
public interface JobExecutor extends AutoCloseable {
    /**
     * Starts a job and returns at once.
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
