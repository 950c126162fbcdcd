package dev.edl.runtime.engine.files;

import dev.edl.runtime.engine.ports.AcquireRetry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Retries for tests, whose pauses only move a clock. */
public final class Retries {
    /** One try. */
    public static final AcquireRetry NONE = of(Duration.ZERO, waited -> {});

    private Retries() {}

    /**
     * Returns retries of bounded duration.
     *
     * @param waiting receives the time waited so far, before each pause
     */
    public static AcquireRetry of(Duration longest, Consumer<Duration> waiting) {
        AtomicLong nanos = new AtomicLong();
        return new AcquireRetry(
                longest,
                nanos::get,
                time -> nanos.addAndGet(time.toNanos()),
                () -> waiting.accept(Duration.ofNanos(nanos.get())));
    }
}
