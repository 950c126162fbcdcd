/**
 * What a controller tells of itself: {@link dev.edl.k8s.controller.metrics.ControllerMetrics} has the figures, {@link
 * dev.edl.k8s.controller.metrics.MetricsServer} serves them and the probes of a pod.
 */
@NullMarked
package dev.edl.k8s.controller.metrics;

import org.jspecify.annotations.NullMarked;
