package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.Pod;

/** Handler of the events of a {@link PodWatch}. It is called on one thread at a time and must not block. */
public interface PodHandler {
    /** Handles a pod that was created or changed. */
    void changed(Pod pod);

    /**
     * Handles a deleted pod.
     *
     * @param pod last known state of the pod
     */
    void deleted(Pod pod);

    /** Checks all known pods again, in case a change was missed. */
    void resync();
}
