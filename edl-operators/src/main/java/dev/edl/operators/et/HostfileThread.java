package dev.edl.operators.et;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobLostException;
import dev.edl.exec.Subscription;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Runs the passes of {@link HostfileReconciler} on a daemon thread named {@code edl-JOB-hosts}. */
final class HostfileThread implements Runnable, AutoCloseable {
    /** Pause after a failed pass. Each further failure adds one second, up to ten seconds. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int LONGEST = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ControlLoop loop;
    private final HostfileReconciler scaling;
    private final Subscription pods;
    private final Subscription events;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private boolean woken;
    private boolean closed;

    HostfileThread(ControlLoop loop, HostfileReconciler scaling) {
        this.loop = loop;
        this.scaling = scaling;
        this.thread = new Thread(this, "edl-" + loop.plan().name() + "-hosts");
        this.thread.setDaemon(true);
        this.pods = scaling.onChange(this::wake);
        this.events = loop.onEvent(event -> wake());
    }

    HostfileThread start() {
        thread.start();
        return this;
    }

    void from(ScalingRequestSource source) {
        scaling.from(source);
        wake();
    }

    /** Wakes the thread for a pass at once, or right after the current one. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        int failures = 0;
        try {
            while (!scaling.over() && !loop.lost()) {
                Duration pause;
                try {
                    pause = scaling.pass();
                    failures = 0;
                } catch (JobLostException e) {
                    loop.emitEvent(
                            JobEvent.Type.JOB_LOST, "this program no longer updates the hosts: " + e.getMessage());
                    return;
                } catch (RuntimeException e) {
                    if (closed()) {
                        return;
                    }
                    failures++;
                    loop.emitEvent(
                            JobEvent.Type.SUBSTRATE_FAILED,
                            MissingPermission.withGrantCommand(
                                    "could not update the launcher's hosts: " + e.getMessage()));
                    pause = PAUSE.multipliedBy(Math.min(failures, LONGEST));
                    forget();
                }
                if (!await(pause)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drops a pending wake-up, so that the failed pass waits for its pause. */
    private void forget() {
        lock.lock();
        try {
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean await(Duration pause) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(pause);
            while (!woken && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops making passes, interrupts a pass that waits for a pod, and waits for the thread's end. Throws an
     * IllegalStateException if the thread does not end in time.
     */
    @Override
    public void close() {
        pods.close();
        events.close();
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (thread == Thread.currentThread()) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(thread.getName() + " did not end within " + PATIENCE);
        }
    }
}
