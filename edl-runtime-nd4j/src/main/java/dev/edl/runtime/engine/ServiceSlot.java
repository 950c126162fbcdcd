package dev.edl.runtime.engine;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.engine.ports.TryAgainException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Slot for the service of a replica that may stop and be replaced; callers wait for the service up to a bound. */
final class ServiceSlot<T> {
    /** Milliseconds between two checks of whether the bound has passed, the run is over, or the caller was stopped. */
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
     * Returns the service once it is present; empty if the run is over.
     *
     * @throws TryAgainException if the service does not come within the bound
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
                        name + " did not come back within " + DurationText.of(bound) + ", the absenceTimeout");
            }
            try {
                wait(LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ReplicaStoppedException(caller.name());
            }
        }
        return Optional.of(occupant);
    }
}
