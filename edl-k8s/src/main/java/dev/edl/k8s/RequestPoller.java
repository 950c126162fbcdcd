package dev.edl.k8s;

import dev.edl.exec.JobLostException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Thread that reads the records of an executor's jobs for requests of other programs. It reads each record every 5 s,
 * and at most 20 records a second.
 */
final class RequestPoller implements AutoCloseable {
    private static final Logger LOG = System.getLogger(RequestPoller.class.getName());
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Supplier<List<KubernetesRun>> runs;
    private final ScheduledThreadPoolExecutor thread;
    private @Nullable ScheduledFuture<?> polling;

    /** @param runs returns the runs whose records are read */
    RequestPoller(Supplier<List<KubernetesRun>> runs) {
        this.runs = runs;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "edl-requests-of-records");
            made.setDaemon(true);
            return made;
        });
    }

    /** Starts the thread, if it does not run yet. */
    synchronized void start() {
        if (polling == null && !thread.isShutdown()) {
            polling = thread.scheduleWithFixedDelay(
                    this::poll, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void poll() {
        try {
            for (KubernetesRun run : runs.get()) {
                if (!run.lost() && !run.finished()) {
                    poll(run);
                    TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void poll(KubernetesRun run) {
        try {
            run.applyRequests();
        } catch (JobLostException | KubernetesClientException e) {
            // The job's loop detects and reports both.
            LOG.log(Level.DEBUG, "requests for job \"" + run.plan().name() + "\" were not read", e);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "requests for job \"" + run.plan().name() + "\" were not applied", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
