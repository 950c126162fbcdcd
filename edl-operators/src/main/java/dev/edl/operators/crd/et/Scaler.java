package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.Objects;

/**
 * ScaleIn or ScaleOut in the cluster, with its progress.
 *
 * @param name name of the resource; its namespace is that of the request
 * @param created creation time of the resource
 * @param request request to carry out
 * @param state progress of the request
 */
public record Scaler(String name, Instant created, ScaleRequest request, ScaleState state) {
    /** Checks that no component is null. */
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

    /** Returns a copy with other progress of the request. */
    public Scaler with(ScaleState next) {
        return new Scaler(name, created, request, next);
    }

    boolean isScaleIn() {
        return request.change() < 0;
    }

    /**
     * Returns the identity that a TrainingJob's {@code status.currentScaler} has: kind, namespace and name, such as
     * {@code ScaleIn:default/less}.
     */
    public String id() {
        return (isScaleIn() ? ScaleRequests.IN : ScaleRequests.OUT) + ":" + request.namespace() + "/" + name;
    }

    /** Returns for example {@code ScaleIn:default/less SCALING [elastic-training-worker-1]}. */
    @Override
    public String toString() {
        return id() + " " + state;
    }
}
