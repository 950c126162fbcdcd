package dev.edl.runtime;

import dev.edl.reconcile.JobEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Bounded waits of the runtime's tests. */
final class Waits {
    private Waits() {}

    /** Waits for a latch, at most thirty seconds. */
    static void on(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("what the test waits for has not happened in 30 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** A latch that an event of a replica opens, also one that has happened already. */
    static CountDownLatch event(TrainingRun run, JobEvent.Type type, String replica) {
        CountDownLatch latch = new CountDownLatch(1);
        run.onEvent(event -> {
            if (is(event, type, replica)) {
                latch.countDown();
            }
        });
        if (run.events().stream().anyMatch(event -> is(event, type, replica))) {
            latch.countDown();
        }
        return latch;
    }

    private static boolean is(JobEvent event, JobEvent.Type type, String replica) {
        return event.type() == type && event.replica().filter(replica::equals).isPresent();
    }
}
