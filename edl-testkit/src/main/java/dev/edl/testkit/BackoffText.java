package dev.edl.testkit;

import dev.edl.spec.Backoff;

/** Text of a backoff in the form of the job builder's arguments. */
record BackoffText(String text) {
    /** Returns, for example, {@code (PT10S, 2.0, PT5M)}; {@code none} for {@link Backoff#NONE}. */
    static BackoffText of(Backoff backoff) {
        return new BackoffText(
                backoff.equals(Backoff.NONE)
                        ? "none"
                        : "(" + backoff.initial() + ", " + backoff.factor() + ", " + backoff.max() + ")");
    }

    @Override
    public String toString() {
        return text;
    }
}
