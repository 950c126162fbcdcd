package dev.edl.bench.harness;

import java.util.List;

/**
 * Measurement of one or more figures in the same rounds, in its own JVM. The Javadoc of each implementation describes
 * what is timed, on which sizes, from which seed.
 */
public interface Measurement {
    /** Returns its figures. */
    List<Figure> figures();

    /**
     * Takes the figures: subject and peer in turn, one ratio a round.
     *
     * @throws Exception when a figure cannot be taken, with the reason as message
     */
    Rounds measure(Settings settings) throws Exception;
}
