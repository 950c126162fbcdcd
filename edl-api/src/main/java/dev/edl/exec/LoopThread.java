package dev.edl.exec;

import dev.edl.exec.internal.LoopState;
import dev.edl.internal.text.DurationText;
import java.time.Duration;
import java.util.Optional;

/** Daemon thread of a control loop, which makes passes and sleeps between them. */
final class LoopThread {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final String job;
    private final ControlLoop loop;
    private final LoopState state;
    private final Thread thread;

    LoopThread(String job, ControlLoop loop, LoopState state) {
        this.job = job;
        this.loop = loop;
        this.state = state;
        this.thread = new Thread(this::run, "edl-" + job);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!state.closed()) {
                Optional<Duration> next = loop.step();
                if (loop.finished()) {
                    return;
                }
                sleep(next);
            }
            loop.keepRest();
        } catch (Throwable e) {
            loop.fail(e);
            throw e;
        }
    }

    private void sleep(Optional<Duration> next) {
        try {
            state.rest(loop.rest());
            state.awaitWake(next);
        } catch (InterruptedException e) {
            // close() interrupts the thread if a substrate blocks it for too long. Any other interrupt only starts the
            // next pass early.
            if (state.closed()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until the thread of a closed loop has ended; interrupts it if it is blocked for too long, for example by a
     * substrate.
     *
     * @throws IllegalStateException if the thread does not end either way
     */
    void join() {
        if (thread == Thread.currentThread()) {
            return;
        }
        try {
            thread.join(PATIENCE.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(PATIENCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (thread.isAlive()) {
            StackTraceElement[] stack = thread.getStackTrace();
            throw new IllegalStateException("the loop of job \"" + job + "\" did not end within "
                    + DurationText.of(PATIENCE.multipliedBy(2)) + (stack.length == 0 ? "" : "; it is in " + stack[0]));
        }
    }
}
