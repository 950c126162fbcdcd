package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Driver of one custom object while this controller leads. The controller calls it from one thread at a time.
 *
 * <p>Keep all lasting state in the cluster: another controller opens its own driver for the same object.
 */
public interface ObjectDriver extends AutoCloseable {
    /**
     * Reconciles the cluster with the object. The controller calls it at the start, after every change of the object,
     * after {@link ObjectContext#wake()}, and after a pause when it has thrown.
     *
     * @param now the object, possibly without the latest writes
     * @return the longest delay until the next call; empty for none
     */
    Optional<Duration> reconcile(CustomObject now);

    /** Stops driving the object and deletes nothing: the object was deleted, or another controller leads. */
    @Override
    void close();
}
