package dev.edl.runtime;

/** Level of detail of a recorded history. */
public enum HistoryDetail {
    /**
     * Records every event, with a fingerprint of each gradient and of the weights of each version. Needs a few hundred
     * bytes per push.
     */
    FINGERPRINTS,
    /**
     * Records also the first weights and each gradient, so that the checker can replay the updates. For small models
     * only, because every push adds all bytes of its gradient to the history.
     */
    GRADIENTS
}
