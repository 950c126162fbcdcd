/**
 * Metrics of a trained model. Start at {@link dev.edl.runtime.metrics.Metric}.
 */
@NullMarked
package dev.edl.runtime.metrics;

import org.jspecify.annotations.NullMarked;
