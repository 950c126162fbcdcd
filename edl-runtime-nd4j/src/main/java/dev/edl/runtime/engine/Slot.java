package dev.edl.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A place for a service that comes and goes with its replica; callers wait for it, with a bound and a name. */
final class Slot<T> {
    private final String name;
    private final Duration bound;
    private @Nullable T occupant;

    Slot(String name, Duration bound) {
        this.name = name;
        this.bound = bound;
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

    /** The service, as soon as it is there; none when it is over. */
    synchronized Optional<T> await(ReplicaContext caller, BooleanSupplier over) {
        long end = System.nanoTime() + bound.toNanos();
        while (occupant == null) {
            caller.check();
            if (over.getAsBoolean()) {
                return Optional.empty();
            }
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException(caller.name() + " waited " + bound.toSeconds() + " s for " + name
                        + ", which did not come back");
            }
            try {
                wait(Math.min(left, 100));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ReplicaStopped(caller.name());
            }
        }
        return Optional.of(occupant);
    }
}
