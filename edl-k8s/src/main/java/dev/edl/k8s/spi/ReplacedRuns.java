package dev.edl.k8s.spi;

import dev.edl.exec.JobHandle;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Collects runs whose jobs another run of the same program took over, until they are closed. This happens without the
 * executor's lock, because a job's listener may call the executor. Thread-safe.
 */
public final class ReplacedRuns {
    private static final Logger LOG = System.getLogger(ReplacedRuns.class.getName());

    private final Queue<JobHandle> runs = new ConcurrentLinkedQueue<>();

    public void add(JobHandle run) {
        runs.add(run);
    }

    /** Closes the collected runs. A failed close is only logged, because it does not concern the caller. */
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
