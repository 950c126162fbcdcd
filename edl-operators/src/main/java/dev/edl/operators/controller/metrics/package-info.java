/**
 * Metrics of a controller: {@link dev.edl.operators.controller.metrics.ControllerMetricsSnapshot} holds them,
 * {@link dev.edl.operators.controller.metrics.MetricsServer} serves them and a pod's probes.
 *
 * <p>Start at {@link dev.edl.operators.controller.metrics.ControllerMetricsSnapshot}.
 */
@NullMarked
package dev.edl.operators.controller.metrics;

import org.jspecify.annotations.NullMarked;
