package dev.edl.operators.crd.et;

/** Phase of a scaling request. */
public enum ScalePhase {
    /** Not started. */
    WAITING(""),
    /** Its workers are chosen, and are being added or removed. */
    SCALING("Scaling"),
    /** It has failed and is being rolled back. */
    UNDOING("Scaling"),
    /** Done; final. */
    SUCCEEDED("ScaleSucceeded"),
    /** Failed; final. It was rolled back as far as possible within a second timeout. */
    FAILED("ScaleFailed");

    private final String word;

    ScalePhase(String word) {
        this.word = word;
    }

    /** Returns the operator's name in {@code status.phase}; empty at the start. */
    public String word() {
        return word;
    }

    /** Whether the phase is final. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
