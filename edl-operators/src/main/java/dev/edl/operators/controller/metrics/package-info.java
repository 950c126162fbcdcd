/**
 * What a controller tells of itself: {@link dev.edl.operators.controller.metrics.ControllerMetrics} has the figures, {@link
 * dev.edl.operators.controller.metrics.MetricsServer} serves them and the probes of a pod.
 *
 * <p>Start at the former.
 */
@NullMarked
package dev.edl.operators.controller.metrics;

import org.jspecify.annotations.NullMarked;
