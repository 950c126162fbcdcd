/**
 * The metrics of EDL's controller for Prometheus: {@link dev.edl.prometheus.PrometheusFormat}, which {@link
 * dev.edl.operators.controller.metrics.MetricsFormat#installed} finds on the class path.
 *
 * <p>Start at the former.
 */
@NullMarked
package dev.edl.prometheus;

import org.jspecify.annotations.NullMarked;
