package dev.edl.examples;

/** Points of a training at which its workers stop reading until the walk-through has shown the point. */
public interface WalkThroughGate {
    /**
     * Lets the workers read past a point, and past all earlier ones.
     *
     * @param share the point, a share of the training from 0 to 1
     */
    void goOn(double share);

    /**
     * Returns whether the training has reached a point, where the workers wait until {@link #goOn} lets them continue.
     *
     * @param share the point, a share of the training from 0 to 1
     */
    boolean reached(double share);

    /**
     * Returns whether at least this many workers have begun to read, including workers that have ended; always true if
     * the workers are not counted.
     */
    default boolean joined(int workers) {
        return true;
    }
}
