package dev.edl.exec.local;

import dev.edl.plan.ReplicaPlan;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One replica: its process, the threads that watch it, and the phase in which the substrate observes it. */
final class LocalReplica {
    private static final System.Logger LOG = System.getLogger(LocalReplica.class.getName());

    private static final Duration REST = Duration.ofSeconds(5);
    private static final long TOLD_MILLIS = 1000;
    /** Exit code to which the number of a signal is added if it ended the process. */
    private static final int SIGNALS = 128;

    private final ReplicaPlan plan;
    private final String uid;
    private final Consumer<LocalReplica> changed;
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Process process;
    private ObservedPhase phase = ObservedPhase.PENDING;
    private OptionalInt exitCode = OptionalInt.empty();
    private Optional<String> reason = Optional.empty();
    private OptionalLong pid = OptionalLong.empty();
    private boolean deleted;
    private @Nullable Thread waiter;

    /**
     * Creates a replica that is not started yet.
     *
     * @param uid a uid that no other replica of the same name has
     * @param changed called after each change of the phase, outside of any lock
     */
    LocalReplica(ReplicaPlan plan, String uid, Consumer<LocalReplica> changed) {
        this.plan = plan;
        this.uid = uid;
        this.changed = changed;
    }

    ReplicaPlan plan() {
        return plan;
    }

    String uid() {
        return uid;
    }

    String name() {
        return plan.name();
    }

    /** Returns the replica's name within the job: {@code worker-0} or {@code master}. */
    String shortName() {
        return plan.role().replica(plan.id());
    }

    /**
     * Starts the process and the threads that read its output and wait for its end.
     *
     * @param file the log file, which is closed after the output
     * @param lines called with each line of output
     * @throws IOException when the system starts no process, or no thread for it; a started process is then ended
     */
    void start(ProcessBuilder command, OutputStream file, Consumer<String> lines) throws IOException {
        Process started;
        try {
            started = command.start();
        } catch (IOException e) {
            file.close();
            throw e;
        }
        synchronized (this) {
            process = started;
        }
        LogPump pump = new LogPump(name(), started.getInputStream(), file, lines, this::running, REST);
        Thread thread = new Thread(() -> await(started, pump), name());
        thread.setDaemon(true);
        synchronized (this) {
            waiter = thread;
        }
        try {
            pump.start();
            thread.start();
        } catch (OutOfMemoryError e) {
            // The system creates no thread to monitor the process: it must not run unmonitored.
            closePipe(started);
            throw new IOException(
                    name() + " was stopped, since no thread can be started to monitor it: " + e.getMessage(), e);
        }
    }

    /** Marks the replica as failed because its process could not be started. This object cannot be started again. */
    void failed(String why) {
        synchronized (this) {
            phase = ObservedPhase.FAILED;
            reason = Optional.of(why);
        }
        over.countDown();
        changed.accept(this);
    }

    private void running(long program) {
        synchronized (this) {
            pid = OptionalLong.of(program);
            if (phase == ObservedPhase.PENDING) {
                phase = ObservedPhase.RUNNING;
            }
        }
        changed.accept(this);
    }

    private void await(Process started, LogPump pump) {
        int code;
        try {
            code = started.waitFor();
            // Ends the watcher if only the shell was killed; then the log ends with the program.
            closePipe(started);
            pump.finish();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the thread that waits for " + name() + " must not be interrupted", e);
        }
        synchronized (this) {
            exitCode = OptionalInt.of(code);
            reason = deleted ? Optional.empty() : why(code);
            phase = code == 0 ? ObservedPhase.SUCCEEDED : ObservedPhase.FAILED;
        }
        over.countDown();
        changed.accept(this);
    }

    /**
     * Returns a cause that the exit code does not show: another program listens on the replica's port. Empty if the
     * port is free, or the replica succeeded or was ended by a signal.
     */
    private Optional<String> why(int code) {
        int port = plan.endpoint().port();
        return code == 0 || code > SIGNALS || PortReservation.free(port)
                ? Optional.empty()
                : Optional.of("another program listens on its port " + port);
    }

    private void closePipe(Process ended) {
        try {
            ended.getOutputStream().close();
        } catch (IOException e) {
            // The reading end is already closed, as it is after a normal end.
            LOG.log(System.Logger.Level.DEBUG, "the pipe to " + name() + " was closed with " + e);
        }
    }

    /**
     * Starts to end the process, and returns at once.
     *
     * @param graceful whether the process gets TERM and its grace period; otherwise it is killed at once
     */
    void delete(boolean graceful) {
        Process told;
        synchronized (this) {
            if (deleted && graceful) {
                return;
            }
            deleted = true;
            told = process;
            if (told == null) {
                over.countDown();
            }
        }
        if (told == null) {
            return;
        }
        try (OutputStream watcher = told.getOutputStream()) {
            if (!graceful) {
                watcher.write("now\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The reading end is closed: the shell has ended, or is already ending the program.
            if (told.isAlive() && !graceful) {
                force(told);
            }
        }
    }

    /** Kills the program by signal 9, if it runs; the replica then fails with exit code 137. */
    synchronized void kill() {
        pid().ifPresent(id -> ProcessHandle.of(id).ifPresent(ProcessHandle::destroyForcibly));
    }

    synchronized OptionalLong pid() {
        return phase == ObservedPhase.RUNNING ? pid : OptionalLong.empty();
    }

    synchronized boolean deleted() {
        return deleted;
    }

    synchronized boolean started() {
        return process != null;
    }

    boolean over() {
        return over.getCount() == 0;
    }

    /**
     * Waits until the replica has ended and its listener was called. If the shell does not end the program within the
     * limit, kills both with all descendants. Returns whether the replica ended.
     */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        if (over.await(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS)) {
            awaitTold();
            return true;
        }
        Process stuck;
        synchronized (this) {
            stuck = process;
        }
        if (stuck != null) {
            force(stuck);
        }
        return over.await(2, TimeUnit.SECONDS);
    }

    /**
     * Waits until the process has ended, but not for its logs and listener. If the shell does not end the program
     * within the limit, kills both with all descendants.
     */
    void awaitGone(Duration limit) throws InterruptedException {
        Process told;
        synchronized (this) {
            told = process;
        }
        if (told != null && !told.waitFor(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS)) {
            force(told);
        }
    }

    /** Waits until the thread that notifies the listener of the end has ended, at most {@code TOLD_MILLIS}. */
    private void awaitTold() throws InterruptedException {
        Thread thread;
        synchronized (this) {
            thread = waiter;
        }
        // The listener may close the run on the thread that called it: that thread cannot wait for itself.
        if (thread != null && thread != Thread.currentThread()) {
            thread.join(TOLD_MILLIS);
        }
    }

    private static void force(Process stuck) {
        stuck.descendants().forEach(ProcessHandle::destroyForcibly);
        stuck.destroyForcibly();
    }

    synchronized ObservedReplica observed() {
        return new ObservedReplica(plan.name(), plan.role(), plan.id(), phase, exitCode, reason, deleted).withUid(uid);
    }
}
