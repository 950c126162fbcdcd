package dev.edl.runtime.history;

/** How much of a run is recorded. */
public enum HistoryDetail {
    /** Every event, and a fingerprint of each gradient and of the weights of each version; a few
     * hundred bytes a push. */
    FINGERPRINTS,
    /**
     * The first weights and each gradient as well, so that the checker can replay the updates; for small models, because
     * every push writes as many bytes as the gradient has.
     */
    GRADIENTS
}
