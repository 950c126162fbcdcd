package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.Objects;

/**
 * A ScaleIn or ScaleOut in the cluster.
 *
 * @param name of the resource, whose namespace is the request's
 * @param created creation time
 * @param request to carry out
 * @param state its progress
 */
public record Scaler(String name, Instant created, ScaleRequest request, ScaleState state) {
    /** Checks that nothing is null. */
    public Scaler {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(state, "state");
    }

    /** Creates a scaler that has not started. */
    public Scaler(String name, Instant created, ScaleRequest request) {
        this(name, created, request, ScaleState.waiting());
    }

    /** Returns a copy with another state. */
    public Scaler with(ScaleState next) {
        return new Scaler(name, created, request, next);
    }

    boolean isScaleIn() {
        return request.change() < 0;
    }

    /** Returns the text in {@code status.currentScaler} of a TrainingJob: {@code ScaleIn:default/less}. */
    public String id() {
        return (isScaleIn() ? ScaleRequests.IN : ScaleRequests.OUT) + ":" + request.namespace() + "/" + name;
    }

    /** Returns for example {@code ScaleIn:default/less SCALING [elastic-training-worker-1]}. */
    @Override
    public String toString() {
        return id() + " " + state;
    }
}
