package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Driver of one custom object while this controller leads. The controller calls it from one thread at a time.
 *
 * <p>An implementation keeps all lasting state in the cluster, because the next leader opens its own driver for the
 * same object.
 */
public interface ObjectDriver extends AutoCloseable {
    /**
     * Reconciles the cluster with the object. The controller calls it at the start, after every change of the object,
     * after {@link ObjectDriverContext#wake()}, and after a pause when the previous call has thrown.
     *
     * @param now the object, possibly without the latest writes
     * @return longest delay until the next call; empty to be called only after one of the events above
     */
    Optional<Duration> reconcile(CustomObject now);

    /**
     * Stops driving the object without deleting anything. Called when the object was deleted or this controller stops
     * leading.
     */
    @Override
    void close();
}
