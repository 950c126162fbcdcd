package dev.edl.runtime.inprocess;

import dev.edl.status.JobEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Bounded waits of the runtime's tests. */
public final class Waits {
    /** New thread for each task. On two processors the common pool may have one thread, where two tasks never meet. */
    public static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "a thread of the test");
        thread.setDaemon(true);
        thread.start();
    };

    private Waits() {}

    /** Waits for a latch, at most thirty seconds. */
    public static void on(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("what the test waits for has not happened in 30 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Returns a latch that an event of a replica opens, even if it has already happened. */
    static CountDownLatch event(TrainingRun run, JobEvent.Type type, String replica) {
        return event(run, event -> is(event, type, replica));
    }

    /** Returns a latch that an event of the job opens, even if it has already happened. */
    static CountDownLatch event(TrainingRun run, JobEvent.Type type) {
        return event(run, event -> event.type() == type);
    }

    private static CountDownLatch event(TrainingRun run, Predicate<JobEvent> which) {
        CountDownLatch latch = new CountDownLatch(1);
        run.onEvent(event -> {
            if (which.test(event)) {
                latch.countDown();
            }
        });
        if (run.events().stream().anyMatch(which)) {
            latch.countDown();
        }
        return latch;
    }

    private static boolean is(JobEvent event, JobEvent.Type type, String replica) {
        return event.type() == type && event.replica().filter(replica::equals).isPresent();
    }
}
