package dev.edl.bench.harness;

import java.util.List;

/**
 * One or more figures that are taken in the same rounds, in a JVM of their own. The Javadoc of each says what is timed,
 * on which sizes, from which seed.
 */
public interface Measurement {
    /** What it measures. */
    List<Figure> figures();

    /**
     * Takes the figures: subject and peer in turn, one ratio a round.
     *
     * @throws Exception when a figure cannot be taken; the message says why
     */
    Rounds measure(Settings settings) throws Exception;
}
