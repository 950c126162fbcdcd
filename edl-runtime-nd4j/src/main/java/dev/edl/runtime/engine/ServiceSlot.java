package dev.edl.runtime.engine;

import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.DurationFormat;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A place for a service that comes and goes with its replica; callers wait for it, with a bound and a name. */
final class ServiceSlot<T> {
    /** Milliseconds between two looks at the time and at the caller. */
    private static final long LOOK = 100;

    private final String name;
    private final Duration bound;
    private final LongSupplier nanos;
    private @Nullable T occupant;

    ServiceSlot(String name, Duration bound, LongSupplier nanos) {
        this.name = name;
        this.bound = bound;
        this.nanos = nanos;
    }

    synchronized void publish(T service) {
        occupant = service;
        notifyAll();
    }

    synchronized void retire(T service) {
        if (occupant == service) {
            occupant = null;
        }
    }

    synchronized @Nullable T peek() {
        return occupant;
    }

    /**
     * Returns the service, as soon as it is there; none when it is over.
     *
     * @throws TryAgainException when it does not come within the bound
     */
    synchronized Optional<T> await(ReplicaContext caller, BooleanSupplier over) {
        long began = nanos.getAsLong();
        while (occupant == null) {
            caller.check();
            if (over.getAsBoolean()) {
                return Optional.empty();
            }
            if (nanos.getAsLong() - began >= bound.toNanos()) {
                throw new TryAgainException(
                        name + " did not come back within " + DurationFormat.of(bound) + ", the absenceTimeout");
            }
            try {
                wait(LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ReplicaStopped(caller.name());
            }
        }
        return Optional.of(occupant);
    }
}
