package dev.edl.k8s.spi;

import dev.edl.exec.JobHandle;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs whose jobs other runs of the same program go on with: to be closed, and without the executor's lock, as a listener of such a job may
 * ask the executor something. Thread-safe.
 */
public final class ReplacedRuns {
    private static final Logger LOG = System.getLogger(ReplacedRuns.class.getName());

    private final Queue<JobHandle> runs = new ConcurrentLinkedQueue<>();

    public void add(JobHandle run) {
        runs.add(run);
    }

    /** Closes them. That one does not end as it should is not what the caller has asked about, and is only logged. */
    public void close() {
        for (JobHandle run = runs.poll(); run != null; run = runs.poll()) {
            try {
                run.close();
            } catch (RuntimeException e) {
                String job = run.plan().name();
                LOG.log(Level.WARNING, "the replaced run of job \"" + job + "\" did not close: " + e);
            }
        }
    }
}
