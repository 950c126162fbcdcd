package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pods that a watch knows, kept up to date until it is closed. A pod that has changed is another object. A pod is known before the
 * handler hears of it. Thread-safe.
 */
public interface PodWatch extends AutoCloseable {
    /** Returns the known pods. */
    List<Pod> list();

    /** Returns the known pod of a name; null when none is known. */
    @Nullable
    Pod get(String name);

    /** Ends the watch. */
    @Override
    void close();
}
