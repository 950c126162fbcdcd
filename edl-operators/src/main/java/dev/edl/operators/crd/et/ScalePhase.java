package dev.edl.operators.crd.et;

/** Phase of a scaling request. */
public enum ScalePhase {
    /** The request has not started. */
    WAITING(""),
    /** The request's workers are chosen, and are being added or removed. */
    SCALING("Scaling"),
    /** The request has failed and is being rolled back. */
    UNDOING("Scaling"),
    /** The request was carried out; final. */
    SUCCEEDED("ScaleSucceeded"),
    /** The request has failed; final. It was rolled back as far as possible within a second timeout. */
    FAILED("ScaleFailed");

    private final String word;

    ScalePhase(String word) {
        this.word = word;
    }

    /** Returns the phase's word in {@code status.phase} of et-operator; empty for WAITING. */
    public String word() {
        return word;
    }

    /** Returns whether the phase is final. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
