package dev.edl.runtime;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Point of a training's curve at one model version, see {@link TrainingResult#curve()}.
 *
 * @param step the model version
 * @param records records completed, over all epochs, including those before a resume
 * @param elapsed time since this run began
 * @param loss an exponential average of the workers' losses, as in {@link Progress#loss}; NaN before the first reported
 *     loss
 * @param metrics the evaluation of exactly this version, metric name to value; empty when it was not evaluated
 * @param workers number of workers that held a task of the training at this point
 */
public record CurvePoint(
        long step, long records, Duration elapsed, double loss, Map<String, Double> metrics, int workers) {
    /** Copies the metrics. */
    public CurvePoint {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }
}
