package dev.edl.runtime.history;

/** Level of detail of a recorded history. */
public enum HistoryDetail {
    /**
     * Every event, with a fingerprint of each gradient and of the weights of each version; a few hundred bytes per
     * push.
     */
    FINGERPRINTS,
    /**
     * Also the first weights and each gradient, so that the checker can replay the updates. For small models, because
     * every push writes as many bytes as the gradient has.
     */
    GRADIENTS
}
