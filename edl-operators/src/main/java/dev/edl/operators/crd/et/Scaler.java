package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.Objects;

/**
 * A ScaleIn or ScaleOut that is in the cluster.
 *
 * @param name of the resource; its namespace is that of the request
 * @param created when it was created
 * @param request what is asked for
 * @param state how far it is
 */
public record Scaler(String name, Instant created, ScaleRequest request, ScaleState state) {
    /** Checks that nothing is null. */
    public Scaler {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(state, "state");
    }

    /** A request of which nothing was done yet. */
    public Scaler(String name, Instant created, ScaleRequest request) {
        this(name, created, request, ScaleState.waiting());
    }

    /** The same, further on. */
    public Scaler with(ScaleState next) {
        return new Scaler(name, created, request, next);
    }

    boolean isScaleIn() {
        return request.change() < 0;
    }

    /** As {@code status.currentScaler} of a TrainingJob has it: {@code ScaleIn:default/less}. */
    public String id() {
        return (isScaleIn() ? ScaleRequests.IN : ScaleRequests.OUT) + ":" + request.namespace() + "/" + name;
    }

    /** For example {@code ScaleIn:default/less SCALING [elastic-training-worker-1]}. */
    @Override
    public String toString() {
        return id() + " " + state;
    }
}
