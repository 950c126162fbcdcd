package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pods that a watch knows, kept up to date until it is closed. A changed pod is another object. A pod is known before the
 * handler is notified of it. Thread-safe.
 */
public interface PodWatch extends AutoCloseable {
    /** Returns the known pods. */
    List<Pod> list();

    /** Returns the known pod of a name; null when none is known. */
    @Nullable
    Pod get(String name);

    /** Returns since when the watch is interrupted, so that the known pods may be outdated; empty while it is connected. */
    Optional<Instant> staleSince();

    /** Ends the watch. */
    @Override
    void close();
}
