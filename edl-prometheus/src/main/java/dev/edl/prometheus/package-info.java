/**
 * The metrics of EDL's controller for Prometheus: {@link dev.edl.prometheus.PrometheusFormat}, which {@link
 * dev.edl.k8s.controller.metrics.MetricsFormat#installed} finds on the class path.
 */
@NullMarked
package dev.edl.prometheus;

import org.jspecify.annotations.NullMarked;
