package dev.edl.reconcile;

import java.util.List;
import java.util.Optional;

/**
 * Everything of one job that a substrate sees, at one moment that may lie in the past. A later observation is never older
 * than an earlier one.
 *
 * @param replicas the objects there are, each name once, in any order
 */
public record Observed(List<ObservedReplica> replicas) {
    /** Copies the list. */
    public Observed {
        replicas = List.copyOf(replicas);
    }

    /** Nothing is there. */
    public static Observed nothing() {
        return new Observed(List.of());
    }

    /** What is seen of a replica. */
    public Optional<ObservedReplica> replica(String name) {
        return replicas.stream().filter(r -> r.name().equals(name)).findFirst();
    }
}
