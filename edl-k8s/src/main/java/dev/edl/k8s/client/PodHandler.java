package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.Pod;

/** Hears what a {@link PodWatch} sees; called on one thread at a time, which it must not block. */
public interface PodHandler {
    /** A pod was created or changed. */
    void changed(Pod pod);

    /**
     * A pod is gone.
     *
     * @param pod its last known state
     */
    void deleted(Pod pod);

    /** Time to look at all known pods again, should a change have been missed. */
    void resync();
}
