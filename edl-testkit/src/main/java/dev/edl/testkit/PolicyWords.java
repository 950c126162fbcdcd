package dev.edl.testkit;

import dev.edl.Backoff;

/** Policies as the builder of jobs is told them, which reads better than their components. */
record PolicyWords(String text) {
    /** {@code (PT10S, 2.0, PT5M)}, or {@code none}. */
    static PolicyWords of(Backoff backoff) {
        return new PolicyWords(
                backoff.equals(Backoff.NONE)
                        ? "none"
                        : "(" + backoff.initial() + ", " + backoff.factor() + ", " + backoff.max() + ")");
    }

    @Override
    public String toString() {
        return text;
    }
}
