package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks after one custom object while this controller leads. The controller calls it from one thread at a time.
 *
 * <p>Whatever is to outlive this program lies in the cluster: another one opens a driver of its own for the same object.
 */
public interface ObjectDriver extends AutoCloseable {
    /**
     * Brings the cluster nearer to what the object says. Called at the beginning, whenever the object has changed, after
     * {@link ObjectContext#wake()}, and again after a pause when it throws.
     *
     * @param now the object; what was written to it a moment ago may be missing
     * @return when to be called again at the latest
     */
    Optional<Duration> reconcile(CustomObject now);

    /** Stops looking after the object, of which nothing is removed: it was deleted, or another controller leads. */
    @Override
    void close();
}
