package dev.edl.examples;

/** Points of a training behind which it waits until what is to be shown there has been shown. */
public interface Pace {
    /** Lets the reading go on behind a share. */
    void goOn(double share);

    /** Whether the reading has come to a share, and waits there unless it may go on. */
    boolean reached(double share);

    /** Whether so many workers have begun to read since the beginning, those that left included. */
    default boolean joined(int workers) {
        return true;
    }
}
