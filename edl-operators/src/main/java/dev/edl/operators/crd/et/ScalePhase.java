package dev.edl.operators.crd.et;

/** Where a request of scaling is. */
public enum ScalePhase {
    /** Nothing was done for it yet. */
    WAITING(""),
    /** Its workers are chosen and on their way. */
    SCALING("Scaling"),
    /** It has failed, and what was begun is being taken back. */
    UNDOING("Scaling"),
    /** It is done; final. */
    SUCCEEDED("ScaleSucceeded"),
    /** It has failed; final. What it began was taken back, as far as that was possible within its timeout again. */
    FAILED("ScaleFailed");

    private final String word;

    ScalePhase(String word) {
        this.word = word;
    }

    /** The operator's word for it, as in {@code status.phase}; empty at the start. */
    public String word() {
        return word;
    }

    /** Whether the phase is final. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
