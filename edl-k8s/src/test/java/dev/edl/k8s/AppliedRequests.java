package dev.edl.k8s;

import dev.edl.exec.JobLostException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.locks.LockSupport;

/**
 * Thread that applies the requests of other programs to a run at once; the driver's own thread reads them every 5 s.
 */
public final class AppliedRequests implements AutoCloseable {
    private static final long PAUSE_NANOS = 10_000_000;

    private final Thread thread;
    private volatile boolean closed;

    public AppliedRequests(KubernetesRun run) {
        this.thread = new Thread(() -> apply(run), "applied-requests");
        thread.start();
    }

    private void apply(KubernetesRun run) {
        while (!closed && !run.finished()) {
            try {
                run.applyRequests();
            } catch (JobLostException | KubernetesClientException e) {
                // The loop wrote the record at the same time; the next pass repeats it.
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
