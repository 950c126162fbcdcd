package dev.edl.k8s.spi;

import dev.edl.exec.JobHandle;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs to close, because another run of the same program took over their jobs. They are closed without the executor's
 * lock, because a job's listener may call the executor. Thread-safe.
 */
public final class ReplacedRuns {
    private static final Logger LOG = System.getLogger(ReplacedRuns.class.getName());

    private final Queue<JobHandle> runs = new ConcurrentLinkedQueue<>();

    public void add(JobHandle run) {
        runs.add(run);
    }

    /** Closes them. A failed close does not concern the caller and is only logged. */
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
