package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pods that a watch knows, kept up to date until it is closed. A changed pod is a new object. A change is in this watch
 * before the handler is called for it. Thread-safe.
 */
public interface PodWatch extends AutoCloseable {
    /** Returns the known pods. */
    List<Pod> list();

    /** Returns the known pod of this name; null if none is known. */
    @Nullable
    Pod get(String name);

    /**
     * Returns the start of the watch's interruption, since when the known pods may be outdated; empty while it is
     * connected.
     */
    Optional<Instant> staleSince();

    /** Ends the watch. */
    @Override
    void close();
}
