package dev.edl.testkit;

import dev.edl.Backoff;

/** Text of policies in the form of the job builder's arguments. */
record PolicyText(String text) {
    /** Returns {@code (PT10S, 2.0, PT5M)}, or {@code none}. */
    static PolicyText of(Backoff backoff) {
        return new PolicyText(
                backoff.equals(Backoff.NONE)
                        ? "none"
                        : "(" + backoff.initial() + ", " + backoff.factor() + ", " + backoff.max() + ")");
    }

    @Override
    public String toString() {
        return text;
    }
}
