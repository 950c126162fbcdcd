package dev.edl.examples;

/** Points of a training at which it waits until the walk-through has shown them. */
public interface Pace {
    /** Lets the reading continue past a share. */
    void goOn(double share);

    /** Returns whether the reading has reached a share; it waits there until {@link #goOn} allows it. */
    boolean reached(double share);

    /** Returns whether this many workers have begun to read, including those that left. */
    default boolean joined(int workers) {
        return true;
    }
}
