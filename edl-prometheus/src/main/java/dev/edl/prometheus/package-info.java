/**
 * Prometheus metrics of EDL's controller. {@link dev.edl.operators.controller.metrics.MetricsFormat#installed} finds
 * the format on the class path.
 *
 * <p>Start at {@link dev.edl.prometheus.PrometheusFormat}.
 */
@NullMarked
package dev.edl.prometheus;

import org.jspecify.annotations.NullMarked;
