package dev.edl.runtime.wire.frames;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Joins ended threads, so that a closed object leaves none. */
final class ThreadShutdown {
    /** Maximum wait, in milliseconds, for a thread that was interrupted and whose channel is closed. */
    private static final long END_MILLIS = 5000;

    private ThreadShutdown() {}

    /** Waits until an interrupted thread has ended, even if the caller is interrupted. */
    static void join(Thread thread) {
        if (thread == Thread.currentThread()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the threads of a shut-down executor have ended. */
    static void join(ExecutorService threads) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!threads.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("a thread of a connection did not end within " + END_MILLIS + " ms");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
