package dev.edl.bench.harness;

import java.util.List;

/**
 * Measurement of one or more figures in the same rounds, in its own JVM. The Javadoc of each implementation describes
 * the timed work, its sizes and its seed.
 */
public interface Measurement {
    /** Returns the figures that this measurement can take. */
    List<Figure> figures();

    /**
     * Measures the wanted figures: subject and peer in turn, with one ratio for each round.
     *
     * @throws Exception when a figure cannot be taken, with the reason as message
     */
    RoundRatios measure(MeasurementSettings settings) throws Exception;
}
