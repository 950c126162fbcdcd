package dev.edl.runtime.engine.ports;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.internal.text.ExceptionText;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Retries to acquire a resource that another process may hold for a while: the lock of a file, a port. Used by one thread
 * at a time.
 */
public final class AcquireRetry {
    private static final System.Logger LOG = System.getLogger(AcquireRetry.class.getName());
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LAST = Duration.ofSeconds(1);
    private static final Duration SILENT = Duration.ofSeconds(10);

    private final Duration longest;
    private final LongSupplier nanos;
    private final Pause pause;
    private final Runnable check;

    /**
     * Creates the retries of one replica.
     *
     * @param longest maximum duration of one wait: the training's absenceTimeout
     * @param nanos monotonic time
     * @param pause waits between two tries
     * @param check runs before each pause; an exception that it throws ends the wait
     */
    public AcquireRetry(Duration longest, LongSupplier nanos, Pause pause, Runnable check) {
        this.longest = longest;
        this.nanos = nanos;
        this.pause = pause;
        this.check = check;
    }

    /** Wait between two tries. */
    @FunctionalInterface
    public interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }

    /** Attempt to acquire the resource. */
    @FunctionalInterface
    public interface Attempt<T> {
        T acquire() throws IOException;
    }

    /**
     * Returns the resource once it is free. Pauses 50 ms after the first try, then twice as long each time, at most 1s.
     * Logs one warning after 10s.
     *
     * @param resource the resource as text for people, for example {@code port 50001 of mnist-master-0}
     * @param held whether an exception of a try means that another process holds the resource
     * @throws TryAgainException if the resource is held for longer than the training's absenceTimeout
     */
    public <T> T acquire(String resource, Attempt<T> attempt, Predicate<IOException> held)
            throws IOException, InterruptedException {
        long began = nanos.getAsLong();
        boolean warned = false;
        Duration next = FIRST;
        while (true) {
            IOException failure;
            try {
                return attempt.acquire();
            } catch (IOException e) {
                if (!held.test(e)) {
                    throw e;
                }
                failure = e;
            }
            check.run();
            Duration waited = Duration.ofNanos(nanos.getAsLong() - began);
            if (waited.compareTo(longest) >= 0) {
                throw new TryAgainException(
                        resource + " is still held by another process after " + DurationText.of(longest)
                                + ", the training's absenceTimeout: " + ExceptionText.of(failure),
                        failure);
            }
            if (!warned && waited.compareTo(SILENT) >= 0) {
                warned = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "waiting for " + resource + ", which another process holds; after "
                                + DurationText.of(longest) + ", the training's absenceTimeout, this process ends"
                                + " to be restarted: " + ExceptionText.of(failure));
            }
            Duration rest = longest.minus(waited);
            pause.sleep(next.compareTo(rest) < 0 ? next : rest);
            Duration twice = next.multipliedBy(2);
            next = twice.compareTo(LAST) < 0 ? twice : LAST;
        }
    }
}
